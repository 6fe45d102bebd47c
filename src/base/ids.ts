/** Crockford's base 32, as in ULID: sorts as it counts, without I, L, O and U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_DIGITS = 10
const RANDOM_DIGITS = 16

/** Ids for which random bytes are drawn at once: each draw costs some microseconds. */
const DRAWN = 64

/** Makes new ids: the prefix and a ULID (48 bits of time, 80 random bits). */
export type IdMaker = (prefix: string, now: number) => string

/** Ids from the runtime's cryptographic random numbers. */
export function randomIds(): IdMaker {
  const random = new Uint8Array(RANDOM_DIGITS * DRAWN)
  let used = random.length
  return (prefix, now) => {
    if (used === random.length) {
      crypto.getRandomValues(random)
      used = 0
    }
    return prefix + ulid(now, random.subarray(used, (used += RANDOM_DIGITS)))
  }
}

/** An id for what one call of `open` gives. */
export function newHandle(now: number): string {
  return randomIds()('ha_', now)
}

/** Ids that are a function of `seed` and of how many were made before `start`, for tests and reproducible runs. */
export function seededIds(seed: number, start: number): IdMaker {
  let made = start
  return (prefix, now) => {
    const bytes = new Uint8Array(RANDOM_DIGITS)
    let state = (BigInt(Math.trunc(seed)) << 32n) + BigInt(made++)
    for (let i = 0; i < bytes.length; i++) bytes[i] = Number((state = splitMix64(state)) >> 56n)
    return prefix + ulid(now, bytes)
  }
}

/** An id that is a function of bytes, of which there are at least 26. */
export function idOf(prefix: string, bytes: Uint8Array): string {
  return prefix + digits(bytes.subarray(0, TIME_DIGITS + RANDOM_DIGITS))
}

let lastHead = { now: NaN, head: '' }

function ulid(now: number, random: Uint8Array): string {
  // Many are made in the same millisecond.
  if (lastHead.now !== now) lastHead = { now, head: headOf(now) }
  return lastHead.head + digits(random)
}

function headOf(now: number): string {
  let time = Math.max(0, now)
  let head = ''
  for (let i = 0; i < TIME_DIGITS; i++) {
    head = DIGITS[time % 32] + head
    time = Math.floor(time / 32)
  }
  return head
}

function digits(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += DIGITS[byte & 31]
  return text
}

/** SplitMix64 (Steele, Lea and Flood 2014). */
function splitMix64(state: bigint): bigint {
  let z = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n)
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n)
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn)
  return z ^ (z >> 31n)
}
