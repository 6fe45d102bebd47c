import { AgidbError } from '../base/errors.js'
import type { SentenceEncoder } from '../api/encoder.js'
import { valueOf, type Outcome } from '../base/outcome.js'
import type { EncoderHost } from './host.js'
import type { Loading } from './options.js'

/** Where a host runs. */
export interface EncoderThread {
  readonly host: EncoderHost
  /** Ends the thread. */
  end(): void
  /** Says whether a call waits, so that a thread that nobody waits for keeps no process alive. */
  busy?(waiting: boolean): void
}

/** An encoder whose model is elsewhere. */
export class RemoteEncoder implements SentenceEncoder {
  readonly #thread: EncoderThread
  readonly cueMs: number | undefined
  id = ''
  dimension = 0
  /** How to reject each call that waits. */
  readonly #waiting = new Set<(error: AgidbError) => void>()
  #refusal: AgidbError | undefined

  constructor(thread: EncoderThread, cueMs: number | undefined) {
    this.#thread = thread
    this.cueMs = cueMs
  }

  /** Loads the model. When that fails, the thread is ended. */
  async load(loading: Loading): Promise<this> {
    try {
      Object.assign(this, await this.#call(() => this.#thread.host.load(loading)))
      return this
    } catch (error) {
      await this.close()
      throw error
    }
  }

  encode(texts: readonly string[]): Promise<Float32Array[]> {
    return this.#call(() => this.#thread.host.encode(texts))
  }

  close(): Promise<void> {
    this.end(new AgidbError('AGIDB_CLOSED', 'the sentence encoder is closed; make another to use it'))
    return Promise.resolve()
  }

  /** Refuses all calls, those that wait included. The first reason stays. */
  end(reason: AgidbError): void {
    if (this.#refusal !== undefined) return
    this.#refusal = reason
    for (const reject of this.#waiting) reject(reason)
    this.#waiting.clear()
    this.#thread.end()
  }

  #call<T>(send: () => Promise<Outcome<T>>): Promise<T> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal)
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject)
      this.#thread.busy?.(true)
      send()
        .then(valueOf)
        .then(resolve, reject)
        .finally(() => {
          this.#waiting.delete(reject)
          if (this.#refusal === undefined) this.#thread.busy?.(this.#waiting.size > 0)
        })
    })
  }
}
