import type { Agidb } from '../api/agidb.js'
import { printable } from './terminal.js'

/** Milliseconds between two looks at how far the work is. */
const INTERVAL = 50

/** Told of how many memories are done, of how many. */
export type OnDone = (done: number, total: number) => void

/** Waits until all memories are encoded, the encoder has failed, or the signal fires; a failure is a warning. */
export function allEncoded(db: Pick<Agidb, 'stats'>, signal: AbortSignal, onDone: OnDone): Promise<void> {
  return untilDone(signal, onDone, async () => {
    const { encoder } = await db.stats()
    return encoder && { ...encoder, done: encoder.encoded, after: 'the memories are encoded when it works again' }
  })
}

/** Waits until the texts of all memories are read, the extractor has failed, or the signal fires. */
export function allExtracted(db: Pick<Agidb, 'stats'>, signal: AbortSignal, onDone: OnDone): Promise<void> {
  return untilDone(signal, onDone, async () => {
    const { extraction } = await db.stats()
    return (
      extraction && { ...extraction, done: extraction.extracted, after: 'the other texts are read at the next opening' }
    )
  })
}

interface Progress {
  readonly done: number
  readonly pending: number
  readonly error?: string
  /** What happens to the rest after an error. */
  readonly after: string
}

async function untilDone(
  signal: AbortSignal,
  onDone: OnDone,
  look: () => Promise<Progress | undefined>,
): Promise<void> {
  for (;;) {
    const progress = await look()
    if (progress?.error !== undefined) process.stderr.write(`agidb: ${printable(progress.error)}; ${progress.after}\n`)
    if (progress === undefined || progress.pending === 0 || progress.error !== undefined || signal.aborted) return
    onDone(progress.done, progress.done + progress.pending)
    await new Promise((resolve) => setTimeout(resolve, INTERVAL))
  }
}
