import type { Pixels } from '../../api/encoder.js'
import type { Preparation } from './options.js'

/** What of a side of a picture is asked for, in pixels. */
interface Stretch {
  readonly from: number
  readonly length: number
}

/** The pixels that one pixel of the result is made of, and how much each counts. */
interface Tap {
  readonly first: number
  readonly weights: Float64Array
}

/**
 * A picture as a model takes it: the square that the manifest says, on white where it is transparent, resampled with a
 * triangle filter that widens with the reduction (as Pillow's bilinear), less the mean, divided by the deviation. The
 * same to the bit in every runtime.
 */
export function prepared(picture: Pixels, { size, mean, std, layout, fit, crop }: Preparation): Float32Array {
  const { width, height } = picture
  const shorter = Math.min(width, height)
  const part = (side: number): Stretch => {
    const length = (fit === 'cover' ? shorter : side) * crop
    return { from: (side - length) / 2, length }
  }
  const columns = taps(part(width), width, size)
  const rows = taps(part(height), height, size)
  const narrow = new Map<number, Float64Array>()
  const out = new Float32Array(3 * size * size)
  rows.forEach(({ first, weights }, y) => {
    const sums = new Float64Array(3 * size)
    weights.forEach((weight, i) => {
      const row = first + i
      if (!narrow.has(row)) narrow.set(row, across(picture, row, columns))
      narrow.get(row)!.forEach((value, at) => (sums[at] += weight * value))
    })
    for (const row of narrow.keys()) if (row < first) narrow.delete(row)
    for (let x = 0; x < size; x++)
      for (let c = 0; c < 3; c++) {
        const at = layout === 'nchw' ? (c * size + y) * size + x : 3 * (y * size + x) + c
        out[at] = (sums[3 * x + c] / 255 - mean[c]) / std[c]
      }
  })
  return out
}

/** Red, green and blue of a row after its columns are brought together. */
function across({ data, width }: Pixels, row: number, columns: readonly Tap[]): Float64Array {
  const out = new Float64Array(3 * columns.length)
  columns.forEach(({ first, weights }, x) => {
    for (let i = 0, at = 4 * (row * width + first); i < weights.length; i++, at += 4) {
      const opaque = data[at + 3] / 255
      for (let c = 0; c < 3; c++) out[3 * x + c] += weights[i] * (data[at + c] * opaque + 255 * (1 - opaque))
    }
  })
  return out
}

function taps({ from, length }: Stretch, side: number, size: number): Tap[] {
  const scale = length / size
  const reach = Math.max(1, scale)
  return Array.from({ length: size }, (_, i) => {
    const centre = from + (i + 0.5) * scale
    const first = Math.max(0, Math.floor(centre - reach))
    const last = Math.min(side - 1, Math.ceil(centre + reach) - 1)
    const weights = Float64Array.from({ length: last - first + 1 }, (_, n) =>
      Math.max(0, 1 - Math.abs(first + n + 0.5 - centre) / reach),
    )
    const sum = weights.reduce((a, b) => a + b, 0)
    return { first, weights: weights.map((weight) => weight / sum) }
  })
}
