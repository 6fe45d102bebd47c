import { fromWire, toWire, type WireError } from './errors.js'

/** How a call ended. Comlink carries only the message of what is thrown, so an error crosses as a value. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: WireError }

/** Calls `run`; whatever it throws becomes a value. */
export async function outcome<T>(run: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await run() }
  } catch (error) {
    return { ok: false, error: toWire(error) }
  }
}

/** The value of an outcome. Throws the error that {@link outcome} caught. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw fromWire(outcome.error)
}
