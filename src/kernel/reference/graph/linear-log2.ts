const bits = new DataView(new ArrayBuffer(4))

/**
 * The logarithm to base 2 of a float32 of 1 or more, linear between powers of two: its exponent, and its fraction less
 * 1. At most 0.087 less than the true one, and exact in every runtime.
 */
export function linearLog2(x: number): number {
  bits.setFloat32(0, x)
  const word = bits.getUint32(0)
  return Math.fround((word >>> 23) - 127 + (word & 0x7f_ffff) / 2 ** 23)
}
