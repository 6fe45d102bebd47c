import type { Encoder, ImageInput } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { Calls, type ModelThread } from '../calls.js'
import type { ImageHost } from './host.js'
import type { ImageLoading } from './options.js'

/** An encoder of pictures whose model is elsewhere. */
export class RemoteImageEncoder implements Encoder<'image'> {
  readonly modality = 'image'
  readonly #calls: Calls<ImageHost>
  id = ''
  dimension = 0

  constructor(thread: ModelThread<ImageHost>) {
    this.#calls = new Calls(thread)
  }

  /** Loads the model. When that fails, the thread is ended. */
  async load(loading: ImageLoading): Promise<this> {
    try {
      Object.assign(this, await this.#calls.call((host) => host.load(loading)))
      return this
    } catch (error) {
      await this.close()
      throw error
    }
  }

  encode(pictures: readonly ImageInput[]): Promise<Float32Array[]> {
    return this.#calls.call((host) => host.encode(pictures))
  }

  close(): Promise<void> {
    this.end(new AgidbError('AGIDB_CLOSED', 'the image encoder is closed; make another to use it'))
    return Promise.resolve()
  }

  /** Refuses all calls, those that wait included. The first reason stays. */
  end(reason: AgidbError): void {
    this.#calls.end(reason)
  }
}
