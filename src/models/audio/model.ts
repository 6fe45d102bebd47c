import { loadOnnx, type ModelKind } from '../runtime.js'
import { type Answer, meanOf, OneInputSession, refuse, tried, unit, vectorsOf } from '../senses/session.js'
import type { AudioLayout, AudioPreparation } from './options.js'

const KIND: ModelKind = { name: 'an audio encoder', code: 'AGIDB_ENCODER' }
/** Factor of samples that have 16 bits. */
const INT16 = 32_767

/** The axes of what a model takes of frames and bands, by its layout. */
const FEATURES: Readonly<Partial<Record<AudioLayout, (frames: number, bands: number) => readonly number[]>>> = {
  'frames-bands': (frames, bands) => [1, frames, bands],
  'frames-bands-1': (frames, bands) => [1, frames, bands, 1],
  '1-frames-bands': (frames, bands) => [1, 1, frames, bands],
  'bands-frames': (frames, bands) => [1, bands, frames],
}

/** What a front end made of a window. */
interface Features {
  readonly data: Float32Array
  readonly frames: number
  readonly bands: number
}

/** A model of sounds and its front end, in this thread. */
export class AudioModel {
  readonly #model: OneInputSession
  readonly #frontEnd: OneInputSession | undefined
  readonly #preparation: AudioPreparation
  /** Numbers a latent. */
  dimension = 0

  private constructor(model: OneInputSession, frontEnd: OneInputSession | undefined, preparation: AudioPreparation) {
    this.#model = model
    this.#frontEnd = frontEnd
    this.#preparation = preparation
  }

  /**
   * Loads a model with its front end and tries both.
   *
   * @throws AgidbError `AGIDB_ENCODER` for what is no model of sounds as the manifest says; `AGIDB_UNSUPPORTED` when
   * ONNX Runtime is not installed
   */
  static async load(
    model: Uint8Array,
    frontEnd: Uint8Array | undefined,
    preparation: AudioPreparation,
    wasm: string | undefined,
  ): Promise<AudioModel> {
    const onnx = await loadOnnx(KIND, wasm)
    const first = frontEnd && (await OneInputSession.load(KIND, onnx, frontEnd))
    const second = await OneInputSession.load(KIND, onnx, model, preparation.output).catch(async (error: unknown) => {
      await first?.release()
      throw error
    })
    const loaded = new AudioModel(second, first, preparation)
    const { window, sampleRate } = preparation
    const tone = Float32Array.from({ length: window }, (_, i) => 0.1 * Math.sin((2_000 * i) / sampleRate))
    return tried(loaded, () => loaded.latent(tone))
  }

  /** The latent of samples at the rate of the manifest. One call at a time. */
  async latent(samples: Float32Array): Promise<Float32Array> {
    const { pooling, centred } = this.#preparation
    const sum: Float64Array[] = []
    let greatest: Float64Array | undefined
    let count = 0
    for await (const answer of this.#answers(samples)) {
      const vector = meanOf(vectorsOf(answer, false))
      const total = (sum[0] ??= new Float64Array(vector.length))
      greatest ??= Float64Array.from(vector)
      for (let d = 0; d < vector.length; d++) {
        total[d] += vector[d]
        if (vector[d] > greatest[d]) greatest[d] = vector[d]
      }
      count++
    }
    const mean = () =>
      unit(
        sum[0].map((value) => value / count),
        centred,
      )
    const max = () => unit(greatest!, centred)
    if (pooling !== 'mean-max') return this.#centred(pooling === 'mean' ? mean() : max())
    return this.#centred(unit([...mean(), ...max()]))
  }

  #centred(latent: Float32Array): Float32Array {
    const { centre } = this.#preparation
    if (centre === undefined) return latent
    if (centre.length === latent.length) return unit(latent.map((value, d) => value - centre[d]))
    throw refuse(`gives latents of ${latent.length} numbers; manifest.centre has ${centre.length}`)
  }

  /** Gives the memory of the models back. */
  async release(): Promise<void> {
    await this.#model.release()
    await this.#frontEnd?.release()
  }

  /** What samples are multiplied by: 1 unless sounds are to be equally loud. */
  #factor(samples: Float32Array): number {
    const { peak } = this.#preparation
    const greatest = peak === undefined ? 0 : samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    return greatest > 0 ? peak! / greatest : 1
  }

  /** What the model makes of each window of a sound. */
  async *#answers(samples: Float32Array): AsyncGenerator<Answer> {
    const { window, layout, features } = this.#preparation
    const windows = this.#windows(samples)
    if (this.#frontEnd === undefined) {
      const axes = layout === '1-samples' ? [1, 1, window] : [1, window]
      for (const one of windows) yield this.#model.run(one, axes)
    } else if (features.range === undefined) {
      for (const one of windows) yield this.#asked(await this.#featuresOf(one))
    } else {
      // All of them are needed first: the greatest number may be in the last one.
      const all: Features[] = []
      for (const one of windows) all.push(await this.#featuresOf(one))
      const greatest = all.reduce(
        (most, { data }) => data.reduce((more, value) => Math.max(more, value), most),
        -Infinity,
      )
      const least = greatest - features.range
      for (const { data, ...shape } of all)
        yield this.#asked({ data: data.map((value) => Math.max(value, least)), ...shape })
    }
  }

  /** The windows of a sound, as loud and on the scale that the manifest says. The last ends where the sound does. */
  *#windows(samples: Float32Array): Generator<Float32Array> {
    const { window, hop, scale } = this.#preparation
    const [factor, louder] = [scale === 'int16' ? INT16 : 1, this.#factor(samples)]
    const last = Math.max(0, samples.length - window)
    for (let at = 0; at < last + hop; at += hop) {
      const from = Math.min(at, last)
      const one = new Float32Array(window)
      samples
        .subarray(from, from + window)
        .forEach((value, i) => (one[i] = factor * Math.max(-1, Math.min(1, louder * value))))
      yield one
    }
  }

  /** What the model makes of the features of a window. */
  #asked({ data, frames, bands }: Features): Promise<Answer> {
    const { layout = 'frames-bands' } = this.#preparation
    const axes = FEATURES[layout]
    if (axes === undefined) throw refuse(`takes ${layout} by its manifest, which a front end does not give`)
    return this.#model.run(layout === 'bands-frames' ? turned(data, frames, bands) : data, axes(frames, bands))
  }

  /** What the front end makes of a window. */
  async #featuresOf(window: Float32Array): Promise<Features> {
    const { data, dims } = await this.#frontEnd!.run(window, [1, window.length])
    const { multiply, add } = this.#preparation.features
    const [frames, bands] = dims.slice(-2)
    if (dims.length < 2 || frames * bands !== data.length)
      throw refuse(`has a front end that gives ${dims.join(' × ')}; expected frames × bands`)
    return { data: data.map((value) => value * multiply + add), frames, bands }
  }
}

/** Rows as columns. */
function turned(data: Float32Array, rows: number, columns: number): Float32Array {
  return data.map((_, at) => data[(at % rows) * columns + Math.floor(at / rows)])
}
