import type { IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { readLocomo } from '../../bench/recall/locomo.js'
import { Agidb } from '../../src/runtimes/node/index.js'
import { serveSources } from '../serve-sources.js'
import { EXAM_PATH, REPORT_PATH, timeless, type Exam, type Report } from './report.js'

/** The clock of `pages/engine-at-noon.worker.ts`; not imported, since that would stop the clock here. */
const NOW = Date.UTC(2024, 11, 1, 12)
const CUES = 40

/** Serves the pages, and takes in what they report. */
export class Desk {
  readonly #waiting: Report[] = []
  #wake = (): void => {}
  #server!: Awaited<ReturnType<typeof serveSources>>
  #exam: Promise<Exam> | undefined

  static async open(): Promise<Desk> {
    const desk = new Desk()
    desk.#server = await serveSources({}, [desk.#plugin()])
    return desk
  }

  get url(): string {
    return this.#server.url
  }

  /** The next report, or `undefined` if none comes for so many milliseconds. */
  async next(patienceMs: number): Promise<Report | undefined> {
    if (this.#waiting.length === 0) {
      let timer: ReturnType<typeof setTimeout> | undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        timer = setTimeout(resolve, patienceMs)
      })
      clearTimeout(timer)
    }
    return this.#waiting.shift()
  }

  /** Takes all that came and was not asked for. */
  drain(): Report[] {
    return this.#waiting.splice(0)
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  #plugin(): Plugin {
    return {
      name: 'agidb-desk',
      configureServer: ({ middlewares }) => {
        middlewares.use(REPORT_PATH, (request, response, next) => {
          void bodyOf(request)
            .then((body) => {
              this.#waiting.push(JSON.parse(body) as Report)
              this.#wake()
              response.end()
            })
            .catch(next)
        })
        middlewares.use(EXAM_PATH, (_, response, next) => {
          this.#exam ??= examine()
          this.#exam
            .then((exam) => response.setHeader('content-type', 'application/json').end(JSON.stringify(exam)))
            .catch(next)
        })
      },
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** Asks in Node what the page will ask in its browser. */
async function examine(): Promise<Exam> {
  const exams = await readLocomo(fileURLToPath(new URL('../../bench/data/conversations', import.meta.url)))
  const { observations, questions, unanswerable } = exams.find(({ name }) => name === 'flatmates.json')!
  const all = [...questions, ...unanswerable]
  const cues = Array.from({ length: CUES }, (_, i) => all[Math.floor((i * all.length) / CUES)].cue)
  const db = await Agidb.open({ storage: 'memory', seed: 7, clock: () => NOW })
  await db.observeMany(observations)
  const answers: string[] = []
  for (const cue of cues) answers.push(timeless(await db.recall(cue, { traceAttention: true })))
  await db.close()
  return { observations, cues, answers }
}
