/**
 * Loads something when it is first needed. All calls get the same.
 * Where it cannot be loaded, the next call tries again.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    if (loading === undefined) {
      const started = load()
      loading = started
      started.catch(() => {
        if (loading === started) loading = undefined
      })
    }
    return loading
  }
}

/** How deep what is given to a method is copied. */
const DEPTH = 4

/**
 * A method of something that is loaded with its first call. What it is given is copied when it is called, so that it
 * may be changed while the call waits.
 */
export function ofLoaded<T, Given extends unknown[], Answer>(
  load: () => Promise<T>,
  method: (loaded: T, ...given: Given) => Answer | Promise<Answer>,
): (...given: Given) => Promise<Answer> {
  return async (...given) => {
    const taken = given.map((value) => copyOf(value, DEPTH)) as Given
    return method(await load(), ...taken)
  }
}

/** A copy of arrays, plain objects, dates and bytes; anything else is the same. */
function copyOf(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copyOf(item, depth - 1))
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (value instanceof Date) return new Date(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, copyOf(field, depth - 1)]))
}
