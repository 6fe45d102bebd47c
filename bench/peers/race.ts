import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seeded, shuffled } from '../random.js'
import { quantile } from '../section.js'
import type { TableRow } from '../tabular.js'
import type { Report, Request } from './child.js'
import type { Kind } from './data.js'
import { contenders } from './kinds.js'
import type { Judge } from './truth.js'

/** What a contender may take. */
export interface Limits {
  /** Seconds to build. */
  readonly buildS: number
  /** Seconds of an answer. */
  readonly answerS: number
  /** MB of main memory. */
  readonly memoryMB: number
}

/** What is raced on. */
export interface Course {
  readonly kind: Kind
  readonly data: string
  readonly count: number
  readonly queries: number
  readonly judge: Judge
  readonly limits: Limits
  /** How it went with fewer of the same kind, by name. */
  readonly before?: ReadonlyMap<string, Attempt>
}

/** How building went, of how many items. */
export interface Attempt {
  readonly count: number
  readonly failure?: string
  readonly buildS?: number
}

/** Queries that are asked before any is counted. */
const WARMUP = 5

/**
 * Builds each contender in a process of its own, one after the other; then asks them all the same questions, in another
 * order each time, the first of them twice as an A/A control; then opens each again. Who crashes, hangs or takes too
 * much gets a row that says so; so does, without being tried, who took too much with fewer items, since no build takes
 * less than in proportion.
 */
export async function race(course: Course): Promise<TableRow[]> {
  const entered = contenders[course.kind].map(({ name }, number) => ({ name, number }))
  const racers: Racer[] = []
  for (const { name, number } of [entered[0], { name: `${entered[0].name}, again`, number: 0 }, ...entered.slice(1)]) {
    const racer = new Racer(name, number, course)
    await racer.build(join(course.data, String(racers.length)))
    racers.push(racer)
  }
  const random = seeded(Date.now())
  for (let query = -WARMUP; query < course.queries; query++) {
    for (const racer of shuffled(racers, random)) await racer.ask(query)
  }
  for (const racer of racers) await racer.reopen()
  return racers.map((racer) => racer.row(racers[0]))
}

class Racer {
  readonly #times: number[] = []
  readonly #marks: number[] = []
  #cells: Record<string, number | undefined> = {}
  #failure: string | undefined
  #child: ChildProcess | undefined
  #folder = ''
  /** What the process wrote on its standard error. */
  #complaint = ''

  constructor(
    readonly name: string,
    readonly number: number,
    readonly course: Course,
  ) {}

  async build(folder: string): Promise<void> {
    this.#folder = folder
    await mkdir(folder)
    const { count, limits, before } = this.course
    this.#failure = hopeless(before?.get(this.name), count, limits)
    if (this.#failure !== undefined) return
    const report = await this.#report(limits.buildS, () => this.#start('build'))
    if (report === undefined || !('built' in report)) return
    this.#cells = {
      'build s': report.built / 1000,
      'items/s': (1000 * count) / report.built,
      'RSS MB': report.rssBytes / 1e6,
      'own MB': report.ownBytes && report.ownBytes / 1e6,
    }
  }

  async ask(query: number): Promise<void> {
    if (this.#child === undefined) return
    const { queries, judge, limits } = this.course
    const report = await this.#report(limits.answerS, () => this.#send({ query: (query + queries) % queries }))
    if (report === undefined || !('ms' in report) || query < 0) return
    this.#times[query] = report.ms
    this.#marks[query] = await judge(query, report.found)
  }

  async reopen(): Promise<void> {
    if (this.#child === undefined) return
    const { kind, limits } = this.course
    const saved = await this.#report(limits.buildS, () => this.#send({ save: true }))
    await this.#stop()
    if (saved === undefined || !('reopen' in contenders[kind][this.number])) return
    this.#cells['disk MB'] = (await size(this.#folder)) / 1e6
    const report = await this.#report(limits.buildS, () => this.#start('open'))
    if (report !== undefined && 'openedMs' in report) this.#cells['open ms'] = report.openedMs
    await this.#stop()
  }

  row(base: Racer): TableRow {
    const { kind } = this.course
    const ratios = this.#times.map((ms, i) => ms / base.#times[i])
    const cells = {
      ...this.#cells,
      'p50 ms': quantile(this.#times, 0.5),
      'p95 ms': quantile(this.#times, 0.95),
      [kind === 'texts' ? 'hit@10' : 'recall@10']:
        this.#marks.reduce((sum, mark) => sum + mark, 0) / this.#marks.length,
      '× ours': quantile(ratios, 0.5),
    }
    return { name: this.name, cells, failure: this.#failure }
  }

  #start(mode: 'build' | 'open'): void {
    const { kind, data, count, limits } = this.course
    const args = [kind, this.number, data, this.#folder, count, mode].map(String)
    const execArgv = [...process.execArgv, '--expose-gc', `--max-old-space-size=${limits.memoryMB}`]
    this.#child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), args, {
      execArgv,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#complaint = ''
    this.#child.stderr!.on(
      'data',
      (chunk: Buffer) => (this.#complaint = (this.#complaint + chunk.toString()).slice(0, 2000)),
    )
  }

  #send(request: Request): void {
    this.#child!.send(request)
  }

  /** The next report; `undefined` once there is a failure, after which the process is gone. */
  async #report(seconds: number, begin: () => void): Promise<Report | undefined> {
    begin()
    const child = this.#child!
    const over = new AbortController()
    try {
      const report = await Promise.race([
        once(child, 'message', { signal: over.signal }).then(([message]) => message as Report),
        once(child, 'exit', { signal: over.signal }).then(
          ([code, signal]): Report => ({ failed: `ended with ${code ?? signal}` }),
        ),
        limited(child, seconds, this.course.limits.memoryMB, over.signal),
      ])
      if (!('failed' in report)) return report
      // A panic of Rust says more than the error that comes of it.
      const panic = /panicked at .*/.exec(this.#complaint)?.[0]
      this.#failure ??= `${report.failed.split('\n')[0]}${panic === undefined ? '' : `: ${panic}`}`.slice(0, 200)
    } finally {
      over.abort()
    }
    await this.#stop()
    return undefined
  }

  async #stop(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

/** Why there is no use in trying, after how it went with fewer. */
function hopeless(before: Attempt | undefined, count: number, { buildS }: Limits): string | undefined {
  if (before === undefined) return undefined
  const fewer = before.count.toLocaleString('en')
  if (before.failure !== undefined)
    return `not tried: at ${fewer} it ${before.failure.startsWith('not tried') ? 'was not' : before.failure}`
  const least = ((before.buildS ?? 0) * count) / before.count
  return least > buildS
    ? `not tried: at ${fewer} it took ${Math.round(before.buildS!)} s to build, so more than ${buildS} s here`
    : undefined
}

/** Resolves when a process has taken too much. */
async function limited(child: ChildProcess, seconds: number, memoryMB: number, signal: AbortSignal): Promise<Report> {
  const end = performance.now() + 1000 * seconds
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 250))
    if (performance.now() > end) return { failed: `took more than ${seconds} s` }
    if (residentMB(child.pid!) > memoryMB) return { failed: `took more than ${memoryMB} MB` }
  }
  return { failed: 'over' }
}

/** 0 where the system does not tell. */
function residentMB(pid: number): number {
  try {
    return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000
  } catch {
    return 0
  }
}

async function size(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  )
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}
