import { AgidbError, type ErrorCode } from '../../src/base/errors.js'

/** Assertions that work in a page, a worker and Node alike. */

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
    if (error instanceof AgidbError && error.code === code) return error
    throw error
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
