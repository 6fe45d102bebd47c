import type { Pixels } from '../../api/encoder.js'
import { prepared } from '../image/resample.js'
import { loadOnnx, type ModelKind } from '../runtime.js'
import { meanOf, OneInputSession, tried, unit, vectorsOf } from '../senses/session.js'
import type { ClipPreparation } from './options.js'

const KIND: ModelKind = { name: 'a video encoder', code: 'AGIDB_ENCODER' }

/** A model of clips, in this thread. */
export class ClipModel {
  readonly #session: OneInputSession
  readonly #preparation: ClipPreparation
  /** Numbers a latent. */
  dimension = 0

  private constructor(session: OneInputSession, preparation: ClipPreparation) {
    this.#session = session
    this.#preparation = preparation
  }

  /**
   * Loads a model and tries it.
   *
   * @throws AgidbError `AGIDB_ENCODER` for what is no model of clips as the manifest says; `AGIDB_UNSUPPORTED` when
   * ONNX Runtime is not installed
   */
  static async load(model: Uint8Array, preparation: ClipPreparation, wasm: string | undefined): Promise<ClipModel> {
    const onnx = await loadOnnx(KIND, wasm)
    const session = await OneInputSession.load(KIND, onnx, model, preparation.output)
    const loaded = new ClipModel(session, preparation)
    const { size, pictures } = preparation
    const slope = Float32Array.from({ length: pictures * 3 * size * size }, (_, i) => (i % size) / size - 0.5)
    return tried(loaded, () => loaded.#latent(slope))
  }

  /** The latent of so many pictures as the manifest says, which are read one after the other. One call at a time. */
  async latent(pictures: readonly (() => Promise<Pixels>)[]): Promise<Float32Array> {
    const { size, layout, pictures: count, ...rest } = this.#preparation
    const plane = size * size
    const clip = new Float32Array(count * 3 * plane)
    for (const [i, picture] of pictures.entries()) {
      const colours = prepared(await picture(), { ...rest, size, layout: 'nchw' })
      if (layout === 'pictures-colours') clip.set(colours, i * 3 * plane)
      else for (let c = 0; c < 3; c++) clip.set(colours.subarray(c * plane, (c + 1) * plane), (c * count + i) * plane)
    }
    return this.#latent(clip)
  }

  /** Gives the memory of the model back. */
  release(): Promise<void> {
    return this.#session.release()
  }

  async #latent(clip: Float32Array): Promise<Float32Array> {
    const { size, layout, pictures, pooling, centred } = this.#preparation
    const dims = layout === 'pictures-colours' ? [1, pictures, 3, size, size] : [1, 3, pictures, size, size]
    const vectors = vectorsOf(await this.#session.run(clip, dims), false)
    return unit(pooling === 'first' ? vectors[0] : meanOf(vectors), centred)
  }
}
