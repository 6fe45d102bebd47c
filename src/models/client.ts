import type { SentenceEncoder } from '../api/encoder.js'
import { AgidbError } from '../base/errors.js'
import { Calls, type ModelThread } from './calls.js'
import type { EncoderHost, Loaded } from './host.js'
import type { Loading } from './options.js'

/** An encoder of texts whose model is elsewhere. */
export class RemoteEncoder<L = Loading, Known extends Loaded = Loaded> implements SentenceEncoder {
  readonly #calls: Calls<EncoderHost<L, Known>>
  readonly cueMs: number | undefined
  id = ''
  dimension = 0

  constructor(thread: ModelThread<EncoderHost<L, Known>>, cueMs: number | undefined) {
    this.#calls = new Calls(thread)
    this.cueMs = cueMs
  }

  /** Loads the model. When that fails, the thread is ended. */
  async load(loading: L): Promise<this & Known> {
    try {
      return Object.assign(this, await this.#calls.call((host) => host.load(loading)))
    } catch (error) {
      await this.close()
      throw error
    }
  }

  encode(texts: readonly string[]): Promise<Float32Array[]> {
    return this.#calls.call((host) => host.encode(texts))
  }

  close(): Promise<void> {
    this.end(new AgidbError('AGIDB_CLOSED', 'the sentence encoder is closed; make another to use it'))
    return Promise.resolve()
  }

  /** Refuses all calls, those that wait included. The first reason stays. */
  end(reason: AgidbError): void {
    this.#calls.end(reason)
  }
}
