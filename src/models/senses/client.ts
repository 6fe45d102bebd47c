import type { Encoder, EncoderInputs, Sense, Thumbnail } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { Calls, type ModelThread } from '../calls.js'
import type { SenseHost } from './host.js'
import type { SenseLoading } from './options.js'

/** An encoder of a sense whose model is elsewhere. */
export class RemoteSenseEncoder<S extends Sense, Preparation, Decode> implements Encoder<S> {
  readonly modality: S
  readonly #calls: Calls<SenseHost<EncoderInputs[S], Preparation, Decode>>
  id = ''
  dimension = 0

  constructor(modality: S, thread: ModelThread<SenseHost<EncoderInputs[S], Preparation, Decode>>) {
    this.modality = modality
    this.#calls = new Calls(thread)
  }

  /** Loads the model. When that fails, the thread is ended. */
  async load(loading: SenseLoading<Preparation>, decode?: Decode): Promise<this> {
    try {
      Object.assign(this, await this.#calls.call((host) => host.load(loading, decode)))
      return this
    } catch (error) {
      await this.close()
      throw error
    }
  }

  encode(inputs: readonly EncoderInputs[S][]): Promise<Float32Array[]> {
    return this.#calls.call((host) => host.encode(inputs))
  }

  thumbnail(input: EncoderInputs[S]): Promise<Thumbnail> {
    return this.#calls.call((host) => host.thumbnail(input))
  }

  close(): Promise<void> {
    this.end(new AgidbError('AGIDB_CLOSED', `the ${this.modality} encoder is closed; make another to use it`))
    return Promise.resolve()
  }

  /** Refuses all calls, those that wait included. The first reason stays. */
  end(reason: AgidbError): void {
    this.#calls.end(reason)
  }
}
