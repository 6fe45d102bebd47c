/**
 * Resampling with a windowed sinc (J. O. Smith, "Digital audio resampling"): each sample of the result is the sum of
 * the samples around it, weighted by a low-pass filter whose cut-off lies under half of the lower of the two rates. The
 * filter is a sinc under a Kaiser window, tabulated and interpolated.
 */

/** Zero crossings of the sinc on each side. */
const CROSSINGS = 48
/** Entries of the table a zero crossing: the error of the interpolation is under -110 dB. */
const RESOLUTION = 512
/** Of the Kaiser window: about 90 dB in the stop band. */
const BETA = 9
/** The cut-off as a share of half the lower rate. What lies between it and that half is not kept whole. */
const ROLL_OFF = 0.944

let table: Float64Array | undefined

/**
 * One channel at another rate. The same to the bit in every runtime.
 *
 * @param from samples a second that there are
 * @param to samples a second that there are to be
 * @returns the same array where the rates are the same
 */
export function resampled(samples: Float32Array, from: number, to: number): Float32Array {
  if (from === to) return samples
  table ??= filter()
  const cut = Math.min(1, to / from) * ROLL_OFF
  const reach = CROSSINGS / cut
  const out = new Float32Array(Math.max(1, Math.round((samples.length * to) / from)))
  const step = cut * RESOLUTION
  for (let i = 0; i < out.length; i++) {
    const centre = (i * from) / to
    const last = Math.min(samples.length - 1, Math.floor(centre + reach))
    let sum = 0
    for (let n = Math.max(0, Math.ceil(centre - reach)); n <= last; n++) {
      const at = Math.abs(n - centre) * step
      const entry = Math.floor(at)
      const low = table[entry]
      sum += samples[n] * (low + (at - entry) * (table[entry + 1] - low))
    }
    out[i] = sum * cut
  }
  return out
}

/** The right half of the filter, with two entries of zero behind it. */
function filter(): Float64Array {
  const length = CROSSINGS * RESOLUTION
  const made = new Float64Array(length + 2)
  for (let i = 0; i < length; i++) {
    const x = i / RESOLUTION
    const sinc = i === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
    made[i] = (sinc * bessel(BETA * Math.sqrt(1 - (x / CROSSINGS) ** 2))) / bessel(BETA)
  }
  return made
}

/** The modified Bessel function of the first kind of order zero, by its power series. */
function bessel(x: number): number {
  let sum = 1
  for (let k = 1, term = 1; term > 1e-17 * sum; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}
