// Assertions that throw plain errors, so that the contract runs in any test runner, a page and a worker.
import type { AgidbError, ErrorCode } from '../../base/errors.js'

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [show(actual), show(expected)]
  if (got !== wanted) throw new Error(`${what}: expected ${clip(wanted)}, got ${clip(got)}`)
}

/** The error that `work` rejects with, which must have this code. */
export async function assertRefused(code: ErrorCode, work: () => Promise<unknown>): Promise<AgidbError> {
  let value: unknown
  try {
    value = await work()
  } catch (error) {
    if ((error as Partial<AgidbError> | undefined)?.code === code) return error as AgidbError
    throw new Error(`expected ${code}, but it rejected with ${String(error)}`, { cause: error })
  }
  throw new Error(`expected ${code}, but it resolved to ${clip(show(value))}`)
}

function show(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) => (part instanceof Uint8Array ? [...part].join(' ') : part)) ??
    'undefined'
  )
}

function clip(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}
