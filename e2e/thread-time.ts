import type { CDPSession } from '@playwright/test'

/** A task of the page's thread, in milliseconds. */
export interface Task {
  /** From its start to its end, the time included for which the thread did not get the processor. */
  readonly wallMs: number
  /** What it took of the processor. */
  readonly cpuMs: number
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** The tasks of the main threads of all pages while `run` runs, from the browser's own trace. */
export async function traced<T>(session: CDPSession, run: () => Promise<T>): Promise<{ value: T; tasks: Task[] }> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: object[] }) => void events.push(...(value as TraceEvent[]))
  session.on('Tracing.dataCollected', collect)
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
  })
  const value = await run()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', collect)
  const mains = new Set(events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid}/${tid}`))
  const tasks = events
    .filter(({ name, ph, pid, tid }) => ph === 'X' && name === 'ThreadControllerImpl::RunTask' && mains.has(`${pid}/${tid}`))
    .map(({ dur = 0, tdur = 0 }) => ({ wallMs: dur / 1000, cpuMs: tdur / 1000 }))
  return { value, tasks }
}
