import type { InferenceSession } from 'onnxruntime-web/wasm'
import { AgidbError } from '../../base/errors.js'
import { createSession, loadOnnx, type ModelKind, type Onnx, reasonOf } from '../runtime.js'
import type { Preparation } from './options.js'

const KIND: ModelKind = { name: 'an image encoder', code: 'AGIDB_ENCODER' }
const MAX_DIMENSION = 8192

/** A model of pictures, in this thread. It runs one picture at a time. */
export class ImageModel {
  readonly #onnx: Onnx
  readonly #session: InferenceSession
  readonly #preparation: Preparation
  readonly #output: string
  #turn: Promise<unknown> = Promise.resolve()
  /** Numbers a latent. */
  dimension = 0

  private constructor(onnx: Onnx, session: InferenceSession, preparation: Preparation) {
    this.#onnx = onnx
    this.#session = session
    this.#preparation = preparation
    this.#output = preparation.output ?? session.outputNames[0]
  }

  /**
   * Loads a model and tries it.
   *
   * @throws AgidbError `AGIDB_ENCODER` for what is no model of pictures as the manifest says; `AGIDB_UNSUPPORTED` when
   * ONNX Runtime is not installed
   */
  static async load(model: Uint8Array, preparation: Preparation, wasm: string | undefined): Promise<ImageModel> {
    const onnx = await loadOnnx(KIND, wasm)
    const session = await createSession(KIND, onnx, model)
    const loaded = new ImageModel(onnx, session, preparation)
    try {
      const { inputNames, outputNames } = session
      if (inputNames.length !== 1) throw refuse(`takes ${inputNames.join(', ')}; an image encoder takes one input`)
      if (!outputNames.includes(loaded.#output))
        throw refuse(`gives ${outputNames.join(', ')}; the manifest asks for ${loaded.#output}`)
      const { size } = preparation
      const slope = Float32Array.from({ length: 3 * size * size }, (_, i) => (i % size) / size - 0.5)
      loaded.dimension = (await loaded.latent(slope)).length
      return loaded
    } catch (error) {
      await session.release()
      throw error
    }
  }

  /** The latent of a picture that was prepared. */
  latent(pixels: Float32Array): Promise<Float32Array> {
    const latent = this.#turn.then(() => this.#run(pixels))
    this.#turn = latent.catch(() => {})
    return latent
  }

  /** Gives the memory of the model back, once the picture in hand is done. */
  async close(): Promise<void> {
    await this.#turn
    await this.#session.release()
  }

  async #run(pixels: Float32Array): Promise<Float32Array> {
    const { size, layout } = this.#preparation
    const dims = layout === 'nchw' ? [1, 3, size, size] : [1, size, size, 3]
    const input = new this.#onnx.Tensor('float32', pixels, dims)
    try {
      const answer = (await this.#session.run({ [this.#session.inputNames[0]]: input }, [this.#output]))[this.#output]
      if (answer.type !== 'float32') throw refuse(`gives ${answer.type}; an image encoder gives float32`)
      return this.#pooled(answer.data as Float32Array, answer.dims)
    } catch (cause) {
      if (cause instanceof AgidbError) throw cause
      throw refuse(`fails on float32 of ${dims.join(' × ')}: ${reasonOf(cause)}`, cause)
    }
  }

  /** One vector of what the model gives: 1 × n, 1 × vectors × n, or 1 × n × rows × columns. */
  #pooled(data: Float32Array, dims: readonly number[]): Float32Array {
    const { pooling, centred } = this.#preparation
    const isMap = dims.length === 4
    const dimension = isMap ? dims[1] : dims[dims.length - 1]
    if (dims.length < 2 || dims.length > 4 || dims[0] !== 1 || !(dimension > 0 && dimension <= MAX_DIMENSION))
      throw refuse(`gives ${dims.join(' × ')}, which is no vector, list of vectors or map of one picture`)
    const count = data.length / dimension
    const used = pooling === 'first' ? 1 : count
    const sums = new Float64Array(dimension)
    for (let i = 0; i < used; i++)
      for (let d = 0; d < dimension; d++) sums[d] += data[isMap ? d * count + i : i * dimension + d]
    const mean = centred ? sums.reduce((a, b) => a + b, 0) / dimension : 0
    const latent = Float32Array.from(sums, (sum) => sum - mean)
    const length = Math.hypot(...latent)
    if (!(length > 0 && length < Infinity)) throw refuse('gives a vector without a direction')
    return latent.map((value) => value / length)
  }
}

function refuse(what: string, cause?: unknown): AgidbError {
  return new AgidbError('AGIDB_ENCODER', `the model ${what}`, {}, { cause })
}
