import { loadOnnx, type ModelKind } from '../runtime.js'
import { meanOf, OneInputSession, tried, unit, vectorsOf } from '../senses/session.js'
import type { Preparation } from './options.js'

const KIND: ModelKind = { name: 'an image encoder', code: 'AGIDB_ENCODER' }

/** A model of pictures, in this thread. */
export class ImageModel {
  readonly #session: OneInputSession
  readonly #preparation: Preparation
  /** Numbers a latent. */
  dimension = 0

  private constructor(session: OneInputSession, preparation: Preparation) {
    this.#session = session
    this.#preparation = preparation
  }

  /**
   * Loads a model and tries it.
   *
   * @throws AgidbError `AGIDB_ENCODER` for what is no model of pictures as the manifest says; `AGIDB_UNSUPPORTED` when
   * ONNX Runtime is not installed
   */
  static async load(model: Uint8Array, preparation: Preparation, wasm: string | undefined): Promise<ImageModel> {
    const onnx = await loadOnnx(KIND, wasm)
    const session = await OneInputSession.load(KIND, onnx, model, preparation.output)
    const loaded = new ImageModel(session, preparation)
    const { size } = preparation
    const slope = Float32Array.from({ length: 3 * size * size }, (_, i) => (i % size) / size - 0.5)
    return tried(loaded, () => loaded.latent(slope))
  }

  /** The latent of a picture that was prepared. One call at a time. */
  async latent(pixels: Float32Array): Promise<Float32Array> {
    const { size, layout, pooling, centred } = this.#preparation
    const dims = layout === 'nchw' ? [1, 3, size, size] : [1, size, size, 3]
    const vectors = vectorsOf(await this.#session.run(pixels, dims), true)
    return unit(pooling === 'first' ? vectors[0] : meanOf(vectors), centred)
  }

  /** Gives the memory of the model back. */
  release(): Promise<void> {
    return this.#session.release()
  }
}
