import type { Encoder, ImageInput, Pixels, Samples } from '../../../src/api/encoder.js'

const GRID = 8
const BANDS = 48
/** Samples of a frame: short ones have wide bands, which leave no gap between them. */
const FRAME = 200

/** Encodes pictures by the mean colour of each field of a grid, less the mean of the picture: a small real encoder. */
export const colourLayout: Encoder<'image'> = {
  modality: 'image',
  id: 'c010'.repeat(16),
  dimension: 3 * GRID * GRID,
  encode: async (pictures) => pictures.map((picture) => layoutOf(picture as Pixels)),
  close: async () => {},
}

/** Encodes sounds by their energy in bands a third of an octave apart (Goertzel 1958). */
export const bandEnergies: Encoder<'audio'> = {
  modality: 'audio',
  id: 'ba4d'.repeat(16),
  dimension: BANDS,
  encode: async (sounds) => sounds.map((sound) => bandsOf(sound as Samples)),
  close: async () => {},
}

/** A picture of so many coloured discs, another one for each seed. */
export function discs(seed: number, { size = 64, noise = 0 } = {}): Pixels {
  const random = randomFrom(seed)
  const spots = Array.from({ length: 6 }, () => ({
    x: random() * size,
    y: random() * size,
    r: (0.1 + 0.2 * random()) * size,
    colour: [random(), random(), random()].map((value) => value * 255),
  }))
  const other = randomFrom(seed + 1_000_003)
  const data = new Uint8ClampedArray(4 * size * size)
  for (let y = 0, at = 0; y < size; y++)
    for (let x = 0; x < size; x++, at += 4) {
      const spot = spots.findLast((one) => (one.x - x) ** 2 + (one.y - y) ** 2 < one.r ** 2)
      for (let c = 0; c < 3; c++) data[at + c] = (spot?.colour[c] ?? 20) + noise * (other() - 0.5)
      data[at + 3] = 255
    }
  return { data, width: size, height: size }
}

/** A second of a chord of three tones, another one for each seed. */
export function chord(seed: number, { noise = 0 } = {}): Samples {
  const random = randomFrom(seed)
  const sampleRate = 16_000
  const tones = Array.from({ length: 3 }, () => 80 * 2 ** (random() * 6))
  const other = randomFrom(seed + 1_000_003)
  const samples = Float32Array.from({ length: sampleRate / 4 }, (_, i) => {
    const sum = tones.reduce((all, tone) => all + Math.sin((2 * Math.PI * tone * i) / sampleRate), 0)
    return sum / 4 + noise * (other() - 0.5)
  })
  return { samples, sampleRate }
}

function layoutOf({ data, width, height }: Pixels): Float32Array {
  const sums = new Float64Array(3 * GRID * GRID)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const field = Math.floor((y * GRID) / height) * GRID + Math.floor((x * GRID) / width)
      for (let c = 0; c < 3; c++) sums[3 * field + c] += data[4 * (y * width + x) + c]
    }
  const mean = sums.reduce((a, b) => a + b, 0) / sums.length
  return Float32Array.from(sums, (sum) => (sum - mean) / (width * height))
}

function bandsOf({ samples, sampleRate }: Samples): Float32Array {
  const energies = Float64Array.from({ length: BANDS }, (_, band) => {
    const step = 2 * Math.cos((2 * Math.PI * 60 * 2 ** (band / 7)) / sampleRate)
    let energy = 0
    for (let from = 0; from + FRAME <= samples.length; from += FRAME) {
      let [one, two] = [0, 0]
      for (let i = from; i < from + FRAME; i++) [one, two] = [samples[i] + step * one - two, one]
      energy += one * one + two * two - step * one * two
    }
    return Math.cbrt(energy)
  })
  const mean = energies.reduce((a, b) => a + b, 0) / BANDS
  return Float32Array.from(energies, (energy) => energy - mean)
}

/** A small generator of uniform numbers (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Encodes files by how often each byte stands in them; their thumbnails are their first bytes. */
export const byteCounts: Encoder<'image'> = {
  ...colourLayout,
  dimension: 256,
  encode: async (files) =>
    files.map((file) => {
      const counts = new Float32Array(256)
      for (const byte of file as Uint8Array) counts[byte]++
      return counts
    }),
  thumbnail: async (file: ImageInput) => ({ type: 'image/jpeg', bytes: (file as Uint8Array).slice(0, 6) }),
}

/** What a glove of twelve sensors feels: a pressure each, another for each seed. */
export function grasp(seed: number, { noise = 0 } = {}): readonly number[] {
  const random = randomFrom(seed)
  const other = randomFrom(seed + 1_000_003)
  return Array.from({ length: 12 }, () => random() + noise * (other() - 0.5))
}

/** Encodes what the glove feels, less the mean: a modality that no encoder of the library is for. */
export const glove: Encoder<'touch'> = {
  modality: 'touch',
  id: '910e'.repeat(16),
  dimension: 12,
  encode: async (grasps) => grasps.map((given) => centred(given as readonly number[])),
  encodeText: async (texts) => texts.map((text) => centred(grasp(Number(text.match(/\d+/)?.[0])))),
  close: async () => {},
}

/** The same model for another modality. */
export const nose: Encoder<'smell'> = { ...glove, modality: 'smell' }

function centred(values: readonly number[]): Float32Array {
  const mean = values.reduce((a, b) => a + b, 0) / values.length
  return Float32Array.from(values, (value) => value - mean)
}
