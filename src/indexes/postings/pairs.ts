/**
 * Writes a number below 2³¹ and how often, at least once: nearly always it is once, which takes no byte. Numbers are
 * cut into seven bits a byte, the lowest first; all bytes of a number but its last have the highest bit set (LEB128).
 * In bits alone, as many for each number of a block, postings would take a tenth less and could not be added to where
 * they lie.
 *
 * @returns where the next pair begins.
 */
export function writePair(bytes: Uint8Array, at: number, value: number, count: number): number {
  const next = write(bytes, at, ((value << 1) | Number(count !== 1)) >>> 0)
  return count === 1 ? next : write(bytes, next, count)
}

/** Bytes that a pair takes. */
export function pairWidth(value: number, count: number): number {
  return width(((value << 1) | 1) >>> 0) + (count === 1 ? 0 : width(count))
}

/**
 * Reads pairs, `pairs` of them, into two arrays.
 *
 * @returns where the next pair begins.
 */
export function readPairs(
  bytes: Uint8Array,
  at: number,
  pairs: number,
  values: Uint32Array,
  counts: Uint32Array,
): number {
  for (let i = 0; i < pairs; i++) {
    let value = bytes[at++]
    if (value > 127) {
      value &= 127
      for (let shift = 7, byte = 128; byte > 127; shift += 7) {
        byte = bytes[at++]
        value |= (byte & 127) << shift
      }
    }
    values[i] = value >>> 1
    let count = 1
    if ((value & 1) !== 0) {
      count = bytes[at++]
      if (count > 127) {
        count &= 127
        for (let shift = 7, byte = 128; byte > 127; shift += 7) {
          byte = bytes[at++]
          count |= (byte & 127) << shift
        }
      }
    }
    counts[i] = count
  }
  return at
}

function write(bytes: Uint8Array, at: number, value: number): number {
  while (value > 127) {
    bytes[at++] = value | 128
    value >>>= 7
  }
  bytes[at++] = value
  return at
}

function width(value: number): number {
  return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5
}
