/**
 * What V8 takes for the small objects of which a memory keeps many, in bytes, measured in Node 20 with a hundred
 * thousand of each. Typed arrays say what they take; these do not. Where pointers are compressed, as in Chromium, it is
 * about half.
 */
export const HEAP = {
  /** A string of a name's length, in a map and in an array. */
  name: 95,
  /** The same, as the key of a map alone. */
  key: 72,
  /** A map or set of its own with an entry or two. */
  map: 190,
  set: 152,
  /** An entry of numbers in a map. */
  entry: 35,
  /** A typed array with a buffer of its own, beside what is in it. */
  view: 184,
  /** An object, or an array that has something, beside its properties or elements. */
  object: 24,
  array: 48,
  /** A property, or an element of an array. */
  field: 8,
  /** A number that is not whole. */
  double: 16,
  /** An array without elements. */
  empty: 32,
} as const

/**
 * Strings up to so many characters are there once, however many objects have them: V8 reads JSON so, and those in the
 * code are, too.
 */
const SHORT = 10

/** Bytes of a string. */
export function stringBytes(text: string): number {
  if (text.length <= SHORT) return 0
  // One byte a character if all are of Latin-1, else two, in words of eight.
  // eslint-disable-next-line no-control-regex
  const width = /[^\0-\xff]/.test(text) ? 2 : 1
  return 16 + 8 * Math.ceil((width * text.length) / 8)
}

/**
 * Bytes of plain data, about: of strings, numbers, arrays, typed arrays and objects of them. What stands in it twice
 * counts twice.
 *
 * @param strings whether strings count; they do not where something else has the same ones. Default true.
 */
export function heapBytes(value: unknown, strings = true): number {
  if (typeof value === 'string') return strings ? stringBytes(value) : 0
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 0 : HEAP.double
  if (typeof value !== 'object' || value === null) return 0
  if (ArrayBuffer.isView(value)) return HEAP.view + value.byteLength
  const values = Array.isArray(value) ? value : Object.values(value)
  const own = !Array.isArray(value) ? HEAP.object : values.length === 0 ? HEAP.empty : HEAP.array
  return values.reduce((sum: number, each) => sum + heapBytes(each, strings), own + HEAP.field * values.length)
}

/** Items of which {@link sampledBytes} looks at, about. */
const SAMPLE = 512

/**
 * Bytes of many items, by what some of them take that stand evenly among them: who asks how much memory there is must
 * not wait for all.
 *
 * @param count how many there are.
 */
export function sampledBytes<T>(items: Iterable<T>, count: number, bytesOf: (item: T) => number): number {
  const step = Math.max(1, Math.floor(count / SAMPLE))
  let [place, looked, bytes] = [0, 0, 0]
  for (const item of items) {
    if (place++ % step > 0) continue
    looked++
    bytes += bytesOf(item)
  }
  return looked === 0 ? 0 : Math.round((bytes / looked) * count)
}

/** Bytes of sets by a name each, about: all that is kept of who has which. */
export function namedBytes(sets: ReadonlyMap<string, { readonly size: number }>): number {
  let bytes = sets.size * (HEAP.key + HEAP.set)
  for (const { size } of sets.values()) bytes += HEAP.entry * Math.max(0, size - 2)
  return bytes
}
