// Runs in workerd: a Durable Object that takes the exam.
import { durableObjectStorage, type ObjectState } from 'agidb/cloudflare'
import codebook from 'agidb/codebook.bin'
import { Agidb } from 'agidb/edge'
import kernel from 'agidb/kernel.wasm'
import { FIXED } from '../runtimes/remember-and-recall.ts'
import { examine, type Exam } from './exam.ts'

const OPTIONS = { ...FIXED, kernel, codebook, tombstoneDays: 0 }
const FEATURES = { durable: true, parts: ['signatures', 'checkpoint'] } as const

export class Examinee {
  readonly #state: ObjectState

  constructor(state: ObjectState) {
    this.#state = state
  }

  async fetch(request: Request): Promise<Response> {
    let places = 0
    // Each memory has tables of its own.
    const storage = (name: string) => durableObjectStorage(this.#state.storage).scope!(keyOf(name))
    const place = {
      durable: true,
      features: FEATURES,
      contractPlace: async () => {
        const name = `case ${places++}`
        return { adapter: () => storage(name) }
      },
      open: (name: string) => Agidb.open({ storage: storage(name), ...OPTIONS }),
    }
    try {
      return Response.json(await examine(place, (await request.json()) as Exam))
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : String(error), { status: 500 })
    }
  }
}

/** 32 hexadecimal digits, as the key of a scope has. */
function keyOf(name: string): string {
  return Array.from(name.padEnd(16, '-'), (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}

interface Environment {
  readonly EXAMINEE: { idFromName(name: string): unknown; get(id: unknown): Examinee }
}

export default {
  fetch: (request: Request, { EXAMINEE }: Environment): Promise<Response> =>
    EXAMINEE.get(EXAMINEE.idFromName('exam')).fetch(request),
}
