import type { Extraction } from '../../api/extractor.js'
import { AgidbError } from '../../base/errors.js'
import { Calls, type ModelThread } from '../calls.js'
import type { GlinerHost } from './host.js'
import type { GlinerDevice, GlinerExtractor, GlinerLoading } from './options.js'

/** An extractor whose model is elsewhere. */
export class RemoteExtractor implements GlinerExtractor {
  readonly #calls: Calls<GlinerHost>
  readonly id = 'gliner'
  version = ''
  device: GlinerDevice = 'wasm'

  constructor(thread: ModelThread<GlinerHost>) {
    this.#calls = new Calls(thread)
  }

  /** Loads the model. When that fails, the thread is ended. */
  async load(loading: GlinerLoading): Promise<this> {
    try {
      const { version, device } = await this.#calls.call((host) => host.load(loading))
      this.version = version
      this.device = device
      return this
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /** Who spoke and when does not matter to the model. */
  extract(texts: readonly string[]): Promise<Extraction[]> {
    return this.#calls.call((host) => host.extract(texts))
  }

  close(): Promise<void> {
    this.end(new AgidbError('AGIDB_CLOSED', 'the extractor is closed; make another to use it'))
    return Promise.resolve()
  }

  /** Refuses all calls, those that wait included. The first reason stays. */
  end(reason: AgidbError): void {
    this.#calls.end(reason)
  }
}
