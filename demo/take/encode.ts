import type { AudioInput, ImageInput } from '../../src/runtimes/browser/index.js'

/** Fields a side of the grid over a picture. */
const GRID = 8
const RATE = 16_000
/** Samples of a sound that are listened to, and of a frame: short ones have wide bands. */
const HEARD = 10 * RATE
const FRAME = 400
const BANDS = 36

/** The mean colour of each field of a grid over a picture, less that of the whole. */
export async function coloursOf(input: ImageInput): Promise<Float32Array> {
  const bitmap = await createImageBitmap(blobOf(input), {
    resizeWidth: GRID,
    resizeHeight: GRID,
    resizeQuality: 'high',
  })
  const canvas = new OffscreenCanvas(GRID, GRID).getContext('2d')!
  canvas.fillStyle = 'white'
  canvas.fillRect(0, 0, GRID, GRID)
  canvas.drawImage(bitmap, 0, 0)
  bitmap.close()
  const { data } = canvas.getImageData(0, 0, GRID, GRID)
  return centred(Float32Array.from({ length: 3 * GRID * GRID }, (_, i) => data[4 * Math.floor(i / 3) + (i % 3)]))
}

/** The strength of tones a quarter of an octave apart (Goertzel 1958), in the first ten seconds of a sound. */
export async function tonesOf(input: AudioInput): Promise<Float32Array> {
  const context = new OfflineAudioContext(1, 1, RATE)
  const sound = await context.decodeAudioData(await blobOf(input).arrayBuffer())
  const samples = sound.getChannelData(0).subarray(0, HEARD)
  const tones = new Float32Array(BANDS)
  for (let band = 0; band < BANDS; band++) {
    const turn = 2 * Math.cos((2 * Math.PI * 60 * 2 ** (band / 5)) / RATE)
    let energy = 0
    for (let from = 0; from < samples.length; from += FRAME) {
      let [last, before] = [0, 0]
      const end = Math.min(samples.length, from + FRAME)
      for (let i = from; i < end; i++) [last, before] = [samples[i] + turn * last - before, last]
      energy += last * last + before * before - turn * last * before
    }
    tones[band] = Math.log1p(Math.max(0, energy))
  }
  return centred(tones)
}

function blobOf(input: ImageInput | AudioInput): Blob {
  if (input instanceof Blob) return input
  if (input instanceof Uint8Array) return new Blob([new Uint8Array(input)])
  throw new TypeError('the app takes pictures and sounds as files')
}

/** The numbers less their mean; not all zero, which no latent may be. */
function centred(numbers: Float32Array): Float32Array {
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const result = numbers.map((number) => number - mean)
  if (result.every((number) => Math.abs(number) < 1e-6)) result[0] = 1
  return result
}
