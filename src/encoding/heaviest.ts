import { countBits } from '../base/bits.js'
import { SIGNATURE_BYTES, type Query } from '../kernel/port.js'

const MAGNITUDES = 16
const WORDS = SIGNATURE_BYTES / 4

/**
 * A query that asks at its heaviest dimensions alone, all of them with the same weight. A bit-sliced scan reads the
 * columns of these and no others, so it takes as long as they are few; and they say most: of a query whose sums are
 * normally distributed the heaviest eighth of the dimensions has half of the squared length.
 *
 * @param count dimensions at most; of equally heavy ones the first.
 */
export function heaviest(query: Query, count: number): Query {
  const planes = query.planes === undefined ? undefined : wordsOf(query.planes)
  const chosen = new Uint32Array(WORDS)
  let room = count
  for (let magnitude = MAGNITUDES - 1; magnitude > 0 && room > 0; magnitude--) {
    const having =
      planes === undefined ? new Uint32Array(WORDS).fill(magnitude === 1 ? ~0 : 0) : havingOf(planes, magnitude)
    const size = countBits(having)
    if (size > room) keepFirst(having, room)
    for (let word = 0; word < WORDS; word++) chosen[word] |= having[word]
    room -= Math.min(room, size)
  }
  const bytes = new Uint8Array(4 * SIGNATURE_BYTES)
  bytes.set(new Uint8Array(chosen.buffer))
  return { signs: query.signs, planes: bytes, norm: Math.sqrt(count - room) }
}

/** The dimensions that have a magnitude, as a bit set. */
function havingOf(planes: Uint32Array, magnitude: number): Uint32Array {
  const having = new Uint32Array(WORDS)
  // A plane whose bit the magnitude has not is turned around.
  const [a, b, c, d] = [0, 1, 2, 3].map((plane) => ((magnitude >> plane) & 1) - 1)
  for (let word = 0; word < WORDS; word++) {
    having[word] =
      (planes[word] ^ a) & (planes[WORDS + word] ^ b) & (planes[2 * WORDS + word] ^ c) & (planes[3 * WORDS + word] ^ d)
  }
  return having
}

/** Leaves the first `count` bits. */
function keepFirst(words: Uint32Array, count: number): void {
  for (let word = 0; word < words.length; word++) {
    let rest = words[word]
    for (; rest !== 0 && count > 0; count--) rest &= rest - 1
    words[word] &= ~rest
  }
}

/** A copy as words: the bytes given need not be aligned. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer)
}
