import { decodeUtf8 } from './utf8.js'

/** What indexes are made of, by name, to be kept and loaded again: nothing is tokenised or encoded a second time. */
export type CheckpointParts = Map<string, CheckpointArray>

/** Arrays that a checkpoint can hold, little-endian. */
export type CheckpointArray = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array

/** A part of a checkpoint, which must be there. */
export function part<A extends CheckpointArray>(
  parts: CheckpointParts,
  name: string,
  type: new (...args: never[]) => A,
): A {
  const found = parts.get(name)
  if (!(found instanceof type)) throw new TypeError(`the checkpoint has no ${type.name} ${name}`)
  return found
}

/** Strings one after the other in UTF-8, and where each of them ends. */
export function saveStrings(parts: CheckpointParts, name: string, strings: readonly string[]): void {
  const utf8 = new TextEncoder()
  const ends = new Uint32Array(strings.length)
  let bytes = new Uint8Array(Math.max(64, 32 * strings.length))
  let end = 0
  strings.forEach((string, i) => {
    if (end + 3 * string.length > bytes.length) bytes = longer(bytes, 2 * (end + 3 * string.length))
    ends[i] = end += utf8.encodeInto(string, bytes.subarray(end)).written
  })
  parts.set(`${name}.utf8`, bytes.subarray(0, end))
  parts.set(`${name}.ends`, ends)
}

/** What {@link saveStrings} saved. */
export function loadStrings(parts: CheckpointParts, name: string): string[] {
  const bytes = part(parts, `${name}.utf8`, Uint8Array)
  let start = 0
  return Array.from(part(parts, `${name}.ends`, Uint32Array), (end) => decodeUtf8(bytes.subarray(start, (start = end))))
}

/** A copy with zeros at its end, `length` numbers in all. */
export function longer<A extends CheckpointArray>(array: A, length: number): A {
  const copy = new (array.constructor as new (length: number) => A)(length)
  copy.set(array as never)
  return copy
}

/** The bytes of an array, without a copy. */
export function asBytes(array: CheckpointArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}
