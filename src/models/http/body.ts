/** Bytes of one number in JSON at most: sign, 17 digits, point, exponent, comma and white space. */
const NUMBER_BYTES = 32
/** What stands around the numbers: names, usage, the name of the model. */
const AROUND_BYTES = 65_536

/** Bytes of an answer with so many latents of so many numbers at most. */
export function bytesOf(latents: number, numbers: number): number {
  return AROUND_BYTES + latents * numbers * NUMBER_BYTES
}
