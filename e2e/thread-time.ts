import type { CDPSession } from '@playwright/test'

/** What a trace calls collections of garbage: V8's of scripts, and the sweep after one of the objects of the page. */
const COLLECTIONS = new Set(['MajorGC', 'MinorGC', 'CppGC.IncrementalSweep'])

/** A task of the page's thread, in milliseconds. */
export interface Task {
  /** From its start to its end, the time included for which the thread did not get the processor. */
  readonly wallMs: number
  /**
   * What it took of the processor, but for collecting garbage: when that comes, and how long it takes, is the browser's
   * affair and depends on all that the page holds.
   */
  readonly cpuMs: number
  /** What collecting garbage took of the processor. */
  readonly collectingMs: number
  /** Of a timer's task the delay that it was set with, about. */
  readonly timerMs?: number
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: {
    readonly name?: string
    readonly src_func?: string
    readonly chrome_task_annotator?: { readonly task_delay_us?: number }
  }
}

/** The tasks of the main threads of all pages while `run` runs, from the browser's own trace. */
export async function traced<T>(session: CDPSession, run: () => Promise<T>): Promise<{ value: T; tasks: Task[] }> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: object[] }) => void events.push(...(value as TraceEvent[]))
  session.on('Tracing.dataCollected', collect)
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'v8', 'cppgc', '__metadata'] },
  })
  const value = await run()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', collect)
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  )
  const here = events.filter(({ ph, pid, tid }) => ph === 'X' && mains.has(`${pid}/${tid}`))
  const collections = here.filter(({ name }) => COLLECTIONS.has(name))
  const tasks = here
    .filter(({ name }) => name === 'ThreadControllerImpl::RunTask')
    .map(({ pid, tid, ts, dur = 0, tdur = 0, args }): Task => {
      const within = collections.filter(
        (other) => other.pid === pid && other.tid === tid && other.ts >= ts && other.ts < ts + dur,
      )
      const collecting = Math.min(
        tdur,
        within.reduce((sum, { tdur = 0 }) => sum + tdur, 0),
      )
      const timer = args?.src_func === 'DOMTimer' && {
        timerMs: (args.chrome_task_annotator?.task_delay_us ?? 0) / 1000,
      }
      return { wallMs: dur / 1000, cpuMs: (tdur - collecting) / 1000, collectingMs: collecting / 1000, ...timer }
    })
  return { value, tasks }
}
