import type { PreTrainedModel, Tensor } from '@huggingface/transformers'
import { AgidbError } from '../../base/errors.js'
import { reasonOf } from '../runtime.js'
import { meanOf, refuse, unit, vectorsOf } from '../senses/session.js'
import type { ModelFolder, Transformers } from './folder.js'
import type { Device, FolderLoading } from './options.js'

/** Least cosine of what the graphics processor gives and what is right. */
const SAME = 0.999
/** What else would be logged is thrown. */
const LOG_FATAL = 4

/** What a model takes, by the names of its inputs. */
export type Feeds = Readonly<Record<string, Tensor>>

/** A model of transformers.js in this thread. One call at a time. */
export class FolderModel {
  readonly #model: PreTrainedModel
  readonly #loading: FolderLoading
  readonly #output: string
  readonly device: Device
  /** Numbers a latent. */
  dimension = 0

  private constructor(model: PreTrainedModel, loading: FolderLoading, output: string, device: Device) {
    this.#model = model
    this.#loading = loading
    this.#output = output
    this.device = device
  }

  /**
   * Loads a model and tries it; on the graphics processor if that is asked for, and gives what is right.
   *
   * @param probe what it is tried with
   * @throws AgidbError `AGIDB_ENCODER` for what is no model of this kind
   */
  static async load(
    transformers: Transformers,
    folder: ModelFolder,
    loading: FolderLoading,
    probe: Feeds,
  ): Promise<FolderModel> {
    const model = await FolderModel.#on(undefined, transformers, folder, loading)
    const right = await model.#tried(probe)
    if (!loading.gpu) return model
    const fast = await FolderModel.#onGpu(transformers, folder, loading, probe, right)
    if (fast !== undefined) await model.release()
    return fast ?? model
  }

  static async #onGpu(
    transformers: Transformers,
    folder: ModelFolder,
    loading: FolderLoading,
    probe: Feeds,
    right: Float32Array,
  ): Promise<FolderModel | undefined> {
    try {
      const model = await FolderModel.#on('webgpu', transformers, folder, loading)
      const found = await model.#tried(probe)
      const cosine = found.reduce((sum, value, i) => sum + value * right[i], 0)
      if (found.length === right.length && cosine > SAME) return model
      await model.release()
    } catch {
      // No graphics processor, or one that cannot do it: the other model goes on.
    }
    return undefined
  }

  static async #on(
    device: 'webgpu' | undefined,
    { AutoModel }: Transformers,
    { path }: ModelFolder,
    loading: FolderLoading,
  ): Promise<FolderModel> {
    const { file, dtype, outputs, otherOutput } = loading
    const model: PreTrainedModel = await AutoModel.from_pretrained(path, {
      model_file_name: file,
      dtype,
      local_files_only: true,
      session_options: { logSeverityLevel: LOG_FATAL },
      ...(device !== undefined && { device }),
    }).catch((cause: unknown) => {
      throw new AgidbError('AGIDB_ENCODER', `the model cannot be loaded: ${reasonOf(cause)}`, {}, { cause })
    })
    const session = model.sessions.model as Session | undefined
    const given = session?.outputNames ?? []
    const output = outputs.find((name) => given.includes(name)) ?? (otherOutput ? given[0] : undefined)
    if (output !== undefined) return new FolderModel(model, loading, output, session!.config.device)
    await model.dispose()
    throw refuse(`gives ${given.join(', ') || 'no outputs of an encoder'}; expected ${outputs.join(' or ')}`)
  }

  /** The latent of an input, of unit length. */
  async latent(feeds: Feeds): Promise<Float32Array> {
    const { pooling, sense } = this.#loading
    const vectors = vectorsOf(await this.#run(feeds), sense === 'image')
    return unit(pooling === 'first' ? vectors[0] : meanOf(vectors))
  }

  async #run(feeds: Feeds): Promise<{ data: Float32Array; dims: readonly number[] }> {
    let output: Tensor
    try {
      output = ((await this.#model({ ...feeds })) as Record<string, Tensor>)[this.#output]
    } catch (cause) {
      throw refuse(`fails: ${reasonOf(cause)}`, cause)
    }
    if (output.type !== 'float32' && output.type !== 'float16') throw refuse(`gives ${output.type}, not float32`)
    const { data, dims } = output.type === 'float32' ? output : output.to('float32')
    return { data: data as Float32Array, dims }
  }

  async #tried(probe: Feeds): Promise<Float32Array> {
    try {
      const latent = await this.latent(probe)
      this.dimension = latent.length
      return latent
    } catch (error) {
      await this.release()
      throw error
    }
  }

  /** Gives the memory of the model back. */
  async release(): Promise<void> {
    await this.#model.dispose()
  }
}

/** What transformers.js says of a model that is loaded. */
interface Session {
  readonly outputNames: readonly string[]
  readonly config: { readonly device: Device }
}
