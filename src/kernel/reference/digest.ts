const PRIMES = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n, 0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n]
const [P1, P2, P3, P4, P5] = PRIMES

/** XXH64 with seed 0 (Collet, xxHash fast digest algorithm). */
export function xxh64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const stripes = bytes.length - (bytes.length % 32)
  let hash = P5
  if (stripes > 0) {
    let [a, b, c, d] = [u64(P1 + P2), P2, 0n, u64(-P1)]
    for (let at = 0; at < stripes; at += 32) {
      a = round(a, view.getBigUint64(at, true))
      b = round(b, view.getBigUint64(at + 8, true))
      c = round(c, view.getBigUint64(at + 16, true))
      d = round(d, view.getBigUint64(at + 24, true))
    }
    hash = u64(turn(a, 1n) + turn(b, 7n) + turn(c, 12n) + turn(d, 18n))
    for (const lane of [a, b, c, d]) hash = u64((hash ^ round(0n, lane)) * P1 + P4)
  }
  hash = u64(hash + BigInt(bytes.length))
  let at = stripes
  for (; at + 8 <= bytes.length; at += 8) hash = u64(turn(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4)
  for (; at + 4 <= bytes.length; at += 4)
    hash = u64(turn(hash ^ u64(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3)
  for (; at < bytes.length; at++) hash = u64(turn(hash ^ u64(BigInt(bytes[at]) * P5), 11n) * P1)
  hash = u64((hash ^ (hash >> 33n)) * P2)
  hash = u64((hash ^ (hash >> 29n)) * P3)
  return hash ^ (hash >> 32n)
}

function round(lane: bigint, word: bigint): bigint {
  return u64(turn(u64(lane + u64(word * P2)), 31n) * P1)
}

/** To the left. */
function turn(word: bigint, bits: bigint): bigint {
  return u64(word << bits) | (word >> (64n - bits))
}

function u64(value: bigint): bigint {
  return BigInt.asUintN(64, value)
}
