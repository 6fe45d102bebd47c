import type { InferenceSession } from 'onnxruntime-web/wasm'
import { AgidbError } from '../../base/errors.js'
import { createSession, type ModelKind, type Onnx, reasonOf } from '../runtime.js'

const MAX_DIMENSION = 8192

/** What a model gave. */
export interface Answer {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

/** A model with one input of float32, in this thread. */
export class OneInputSession {
  readonly #kind: ModelKind
  readonly #onnx: Onnx
  readonly #session: InferenceSession
  readonly #output: string

  private constructor(kind: ModelKind, onnx: Onnx, session: InferenceSession, output: string) {
    this.#kind = kind
    this.#onnx = onnx
    this.#session = session
    this.#output = output
  }

  /**
   * Loads a model.
   *
   * @param output the name of the output that is asked for. Default: the first.
   * @throws AgidbError `AGIDB_ENCODER` for bytes that are no model, for one of several inputs, and for one without the
   * output
   */
  static async load(kind: ModelKind, onnx: Onnx, model: Uint8Array, output?: string): Promise<OneInputSession> {
    const session = await createSession(kind, onnx, model)
    const { inputNames, outputNames } = session
    const asked = output ?? outputNames[0]
    if (inputNames.length === 1 && outputNames.includes(asked)) return new OneInputSession(kind, onnx, session, asked)
    await session.release()
    if (inputNames.length !== 1) throw refuse(`takes ${inputNames.join(', ')}; ${kind.name} takes one input`)
    throw refuse(`gives ${outputNames.join(', ')}; the manifest asks for ${asked}`)
  }

  /** Runs the model. One call at a time. */
  async run(data: Float32Array, dims: readonly number[]): Promise<Answer> {
    const input = new this.#onnx.Tensor('float32', data, dims)
    try {
      const answer = (await this.#session.run({ [this.#session.inputNames[0]]: input }, [this.#output]))[this.#output]
      if (answer.type !== 'float32') throw refuse(`gives ${answer.type}; ${this.#kind.name} gives float32`)
      return { data: answer.data as Float32Array, dims: answer.dims }
    } catch (cause) {
      if (cause instanceof AgidbError) throw cause
      throw refuse(`fails on float32 of ${dims.join(' × ')}: ${reasonOf(cause)}`, cause)
    }
  }

  release(): Promise<void> {
    return this.#session.release()
  }
}

/**
 * A model that was loaded, after it was tried: how long its latents are is seen then. One that fails is released.
 *
 * @param latent encodes something that any such model takes
 */
export async function tried<Model extends { dimension: number; release(): Promise<void> }>(
  model: Model,
  latent: () => Promise<Float32Array>,
): Promise<Model> {
  try {
    model.dimension = (await latent()).length
    return model
  } catch (error) {
    await model.release()
    throw error
  }
}

/**
 * The vectors in what a model gives of one input: 1 × n, 1 × vectors × n, or a map.
 *
 * @param isPlanar whether a map is 1 × n × rows × columns; else it is 1 × rows × columns × n.
 * @throws AgidbError `AGIDB_ENCODER` for anything else
 */
export function vectorsOf({ data, dims }: Answer, isPlanar: boolean): Float32Array[] {
  const planar = isPlanar && dims.length === 4
  const dimension = planar ? dims[1] : dims[dims.length - 1]
  if (dims.length < 2 || dims.length > 4 || dims[0] !== 1 || !(dimension > 0 && dimension <= MAX_DIMENSION))
    throw refuse(`gives ${dims.join(' × ')}, which is no vector, list of vectors or map of one input`)
  const count = data.length / dimension
  return Array.from({ length: count }, (_, i) =>
    planar
      ? Float32Array.from({ length: dimension }, (_, d) => data[d * count + i])
      : data.subarray(i * dimension, (i + 1) * dimension),
  )
}

/** The mean of vectors, number by number. */
export function meanOf(vectors: readonly ArrayLike<number>[]): Float64Array {
  const sums = new Float64Array(vectors[0].length)
  for (const vector of vectors) for (let d = 0; d < sums.length; d++) sums[d] += vector[d]
  return sums.map((sum) => sum / vectors.length)
}

/**
 * A vector of unit length.
 *
 * @param centred whether the mean of its own numbers is subtracted first
 * @throws AgidbError `AGIDB_ENCODER` for one without a direction
 */
export function unit(vector: ArrayLike<number>, centred = false): Float32Array {
  const numbers = Float64Array.from(vector)
  const mean = centred ? numbers.reduce((a, b) => a + b, 0) / numbers.length : 0
  const latent = Float32Array.from(numbers, (value) => value - mean)
  const length = Math.hypot(...latent)
  if (!(length > 0 && length < Infinity)) throw refuse('gives a vector without a direction')
  return latent.map((value) => value / length)
}

/** @throws AgidbError `AGIDB_ENCODER` */
export function refuse(what: string, cause?: unknown): AgidbError {
  return new AgidbError('AGIDB_ENCODER', `the model ${what}`, {}, { cause })
}
