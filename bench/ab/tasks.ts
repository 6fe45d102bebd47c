/** What a version is asked to do in its process: to fill its memory, then what is measured, then to end. */
export type Task = 'fill' | Measured | 'end'
type Measured = (typeof MEASURED)[number]

/** The tasks that are measured, in their order. */
export const MEASURED = ['recall', 'ingest', 'open from the checkpoint', 'open from the journal'] as const

/** How long something took: on the clock, and of the processors in all threads. In milliseconds. */
export interface Duration {
  readonly ms: number
  readonly cpuMs: number
}

/** How long the parts of a task took, by their names. */
export type Taken = Readonly<Record<string, Duration>>

/** What a process answers to a task; it sends one reply without a task when it has started. */
export type Reply = { readonly taken: Taken; readonly error?: undefined } | { readonly error: string }
