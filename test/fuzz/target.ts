import { AgidbError } from '../../src/core/errors.js'
import type { Random } from './mutate.js'

/** Something that takes what it is given, and may refuse it with an {@link AgidbError}. */
export interface Target {
  readonly name: string
  /** Makes an input and gives it to what is tested. Answers what identifies it in a report. */
  run(from: Random): Promise<void>
  /** Bytes of buffers that one input may make the program allocate. Default 24 MiB. */
  readonly mostBuffers?: number
  /** Lets go of what the inputs shared. */
  end?(): Promise<void>
}

const MOST_BUFFERS = 24 * 2 ** 20
/** Milliseconds that one input may take. */
const MOST_MS = 5_000

/** Gives one input to a target. @throws what is wrong with the target: anything else than an orderly refusal. */
export async function tryOne(target: Target, from: Random): Promise<void> {
  const before = process.memoryUsage().arrayBuffers
  const started = performance.now()
  try {
    await target.run(from)
  } catch (error) {
    if (!(error instanceof AgidbError) || error.code === 'AGIDB_INTERNAL') throw error
  }
  const ms = performance.now() - started
  if (ms > MOST_MS) throw new Error(`it took ${Math.round(ms)} ms`)
  const grown = process.memoryUsage().arrayBuffers - before
  if (grown > (target.mostBuffers ?? MOST_BUFFERS)) throw new Error(`it allocated ${grown} bytes`)
}
