/** The constructors whose first argument may be a length. */
const WATCHED = [
  'ArrayBuffer',
  'Uint8Array',
  'Uint16Array',
  'Uint32Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
  'BigUint64Array',
  'Array',
] as const

let largest = 0
let watching = false

/**
 * Calls `work`; answers with it how many bytes the largest buffer has that was asked for meanwhile, whether it was got
 * or not. An entry of an array counts as 8.
 */
export async function largestAllocation(work: () => Promise<void>): Promise<number> {
  install()
  largest = 0
  watching = true
  try {
    await work()
  } finally {
    watching = false
  }
  return largest
}

let installed = false

/** Puts constructors that look at the length before the ones of the language. */
function install(): void {
  if (installed) return
  installed = true
  for (const name of WATCHED) {
    const original = globalThis[name] as unknown as new (...args: unknown[]) => object
    const size = (original as unknown as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? (name === 'Array' ? 8 : 1)
    const watched: typeof original = new Proxy(original, {
      construct(target, args: unknown[], newTarget): object {
        if (watching && typeof args[0] === 'number' && size * args[0] > largest) largest = size * args[0]
        return Reflect.construct(target, args, newTarget === watched ? target : newTarget) as object
      },
    })
    Object.defineProperty(globalThis, name, { value: watched, configurable: true, writable: true })
  }
}
