import type { Encoder, EncoderInput, Sense, Thumbnail } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { Calls, type ModelThread } from '../calls.js'
import type { Loaded } from '../host.js'
import type { SenseHost } from './host.js'

/** An encoder of a sense whose model is elsewhere. */
export class RemoteSenseEncoder<S extends Sense, Loading, Decode, Known extends Loaded = Loaded> implements Encoder<S> {
  readonly modality: S
  readonly #calls: Calls<SenseHost<EncoderInput<S>, Loading, Decode, Known>>
  id = ''
  dimension = 0

  constructor(modality: S, thread: ModelThread<SenseHost<EncoderInput<S>, Loading, Decode, Known>>) {
    this.modality = modality
    this.#calls = new Calls(thread)
  }

  /** Loads the model. When that fails, the thread is ended. */
  async load(loading: Loading, decode?: Decode): Promise<this & Known> {
    try {
      return Object.assign(this, await this.#calls.call((host) => host.load(loading, decode)))
    } catch (error) {
      await this.close()
      throw error
    }
  }

  encode(inputs: readonly EncoderInput<S>[]): Promise<Float32Array[]> {
    return this.#calls.call((host) => host.encode(inputs))
  }

  thumbnail(input: EncoderInput<S>): Promise<Thumbnail> {
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
