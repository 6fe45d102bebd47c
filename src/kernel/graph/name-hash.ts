/** A hash of 64 bits in two halves, each an unsigned number of 32. */
export interface Hash {
  readonly high: number
  readonly low: number
}

const utf8 = new TextEncoder()
const OFFSET: Hash = { high: 0xcbf2_9ce4, low: 0x8422_2325 }
/** What the prime 2⁴⁰ + 0x1b3 has below 2⁴⁰. */
const PRIME_LOW = 0x1b3

/**
 * FNV-1a with 64 bits of the UTF-8 bytes of a name (Fowler, Noll, Vo; draft-eastlake-fnv). In halves, because products
 * of 64 bits are no numbers: `h × prime` is `(h << 40) + h × 0x1b3`.
 */
export function hashName(name: string): Hash {
  let { high, low } = OFFSET
  for (const byte of utf8.encode(name)) {
    low = (low ^ byte) >>> 0
    const product = low * PRIME_LOW
    high = (Math.imul(high, PRIME_LOW) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0
    low = product >>> 0
  }
  return { high, low }
}

/** Orders hashes as numbers of 64 bits. */
export function compareHashes(a: Hash, b: Hash): number {
  return a.high - b.high || a.low - b.low
}

/** A hash as the key of a map. */
export function keyOfHash({ high, low }: Hash): bigint {
  return (BigInt(high) << 32n) | BigInt(low)
}

/** The hash of a {@link keyOfHash | key}. */
export function hashOfKey(key: bigint): Hash {
  return { high: Number(key >> 32n), low: Number(key & 0xffff_ffffn) }
}
