/**
 * Logarithm and exponential that are the same to the last bit in every runtime. The language leaves the last digits of
 * `Math.log`, `Math.exp` and `**` to the engine, and even versions of one engine differ; sums, products, quotients and
 * square roots it does not. Whatever an answer depends on is computed with these. Within two units in the last place of
 * the true value.
 */

/**
 * The natural logarithm of 2 in two parts (Cody and Waite 1980): the first has 32 bits, so that its multiples are
 * exact.
 */
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10

const SMALLEST_NORMAL = 2.2250738585072014e-308
/** Of a double, before its bits are read. */
const bits = new DataView(new ArrayBuffer(8))

/** The natural logarithm. */
export function log(x: number): number {
  if (!(x > 0) || x === Infinity) return x === 0 ? -Infinity : x === Infinity ? x : NaN
  if (x < SMALLEST_NORMAL) return log(x * powerOfTwo(54)) - 54 * Math.LN2
  bits.setFloat64(0, x)
  const high = bits.getUint32(0)
  // x is fraction × 2^exponent, with a fraction from √½ to √2.
  let exponent = (high >>> 20) - 1023
  bits.setUint32(0, (high & 0xfffff) | (1023 << 20))
  let fraction = bits.getFloat64(0)
  if (fraction > Math.SQRT2) {
    fraction /= 2
    exponent++
  }
  // 2 artanh(s), by its series; twelve terms are all that a double has.
  const s = (fraction - 1) / (fraction + 1)
  const square = s * s
  let sum = 0
  for (let n = 25; n > 1; n -= 2) sum = (sum + 1 / n) * square
  return exponent * LN2_HIGH + (exponent * LN2_LOW + 2 * s * sum + 2 * s)
}

/** e to the power of x. */
export function exp(x: number): number {
  if (!(x > -746)) return x < 0 ? 0 : NaN
  if (x > 710) return Infinity
  // x is exponent × ln 2 + rest, with a rest of at most half of ln 2.
  const exponent = Math.round(x / Math.LN2)
  const rest = x - exponent * LN2_HIGH - exponent * LN2_LOW
  let sum = 1
  for (let n = 14; n > 0; n--) sum = 1 + (sum * rest) / n
  // In two steps: half of an exponent is always one of a double.
  const half = exponent >> 1
  return sum * powerOfTwo(half) * powerOfTwo(exponent - half)
}

/** 2 to the power of a whole number from -1022 to 1023. */
function powerOfTwo(exponent: number): number {
  bits.setUint32(0, (exponent + 1023) << 20)
  bits.setUint32(4, 0)
  return bits.getFloat64(0)
}
