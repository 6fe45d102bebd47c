/** A source of random numbers that is a function of its seed. */
export interface Random {
  /** A whole number from 0 to `end`, exclusive. */
  below(end: number): number
  pick<T>(items: readonly T[]): T
}

/** Mulberry32 (Tommy Ettinger 2017), seeded with two numbers. */
export function random(seed: number, input: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(input + 1, 0x85ebca6b)) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let z = state
    z = Math.imul(z ^ (z >>> 15), z | 1)
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61)
    return (z ^ (z >>> 14)) >>> 0
  }
  const below = (end: number): number => next() % Math.max(1, end)
  return { below, pick: (items) => items[below(items.length)] }
}

/** Numbers at which parsers go wrong. */
const EDGES = [
  0,
  1,
  2,
  3,
  4,
  15,
  16,
  31,
  32,
  63,
  64,
  127,
  128,
  255,
  256,
  1023,
  1024,
  32_767,
  32_768,
  65_535,
  65_536,
  1 << 20,
  1 << 27,
  1 << 28,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
]
const BYTES = [0, 1, 0x09, 0x0a, 0x20, 0x22, 0x2d, 0x5b, 0x5c, 0x7b, 0x7f, 0x80, 0xc0, 0xed, 0xff]

/** Changes bytes in one to six ways. `words` are put in now and then. */
export function mutate(seeds: readonly Uint8Array[], from: Random, words: readonly Uint8Array[] = []): Uint8Array {
  let bytes: Uint8Array = from.pick(seeds).slice()
  for (let times = 1 + from.below(6); times > 0; times--) bytes = mutateOnce(bytes, seeds, from, words)
  return bytes
}

function mutateOnce(
  bytes: Uint8Array,
  seeds: readonly Uint8Array[],
  from: Random,
  words: readonly Uint8Array[],
): Uint8Array {
  const at = from.below(bytes.length)
  const length = 1 + from.below(Math.min(64, bytes.length))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (from.below(words.length > 0 ? 11 : 10)) {
    case 0:
      if (bytes.length > 0) bytes[at] ^= 1 << from.below(8)
      return bytes
    case 1:
      if (bytes.length > 0) bytes[at] = from.pick(BYTES)
      return bytes
    case 2:
      if (bytes.length > 0) bytes[at] = from.below(256)
      return bytes
    case 3:
    case 4:
      // Many fields lie at multiples of four.
      if (bytes.length >= 4) view.setUint32(Math.min(at & ~3, bytes.length - 4), from.pick(EDGES), true)
      return bytes
    case 5:
      if (bytes.length >= 2) view.setUint16(Math.min(at, bytes.length - 2), from.pick(EDGES) & 0xffff, true)
      return bytes
    case 6:
      return spliced(bytes, at, length, new Uint8Array(0))
    case 7:
      return spliced(bytes, at, 0, bytes.slice(from.below(bytes.length), from.below(bytes.length) + length))
    case 8:
      return bytes.slice(0, at)
    case 9: {
      const other = from.pick(seeds)
      const start = from.below(other.length)
      return spliced(bytes, at, from.below(length), other.subarray(start, start + 1 + from.below(256)))
    }
    default:
      return spliced(bytes, at, from.below(2) * length, from.pick(words))
  }
}

function spliced(bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array {
  const changed = new Uint8Array(Math.max(0, bytes.length - Math.min(removed, bytes.length - at)) + added.length)
  changed.set(bytes.subarray(0, at))
  changed.set(added, at)
  changed.set(bytes.subarray(Math.min(at + removed, bytes.length)), at + added.length)
  return changed
}
