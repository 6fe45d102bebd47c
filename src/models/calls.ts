import { AgidbError } from '../base/errors.js'
import { type Outcome, valueOf } from '../base/outcome.js'

/** Where the host of a model runs. */
export interface ModelThread<Host> {
  readonly host: Host
  /** Ends the thread. */
  end(): void
  /** Says whether a call waits, so that a thread that nobody waits for keeps no process alive. */
  busy?(waiting: boolean): void
}

/** The calls to a model that runs elsewhere. When its thread ends, those that wait are refused, and all later ones. */
export class Calls<Host> {
  readonly #thread: ModelThread<Host>
  /** How to reject each call that waits. */
  readonly #waiting = new Set<(error: AgidbError) => void>()
  #refusal: AgidbError | undefined

  constructor(thread: ModelThread<Host>) {
    this.#thread = thread
  }

  call<T>(send: (host: Host) => Promise<Outcome<T>>): Promise<T> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal)
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject)
      this.#thread.busy?.(true)
      send(this.#thread.host)
        .then(valueOf)
        .then(resolve, reject)
        .finally(() => {
          this.#waiting.delete(reject)
          if (this.#refusal === undefined) this.#thread.busy?.(this.#waiting.size > 0)
        })
    })
  }

  /** Refuses all calls, those that wait included. The first reason stays. */
  end(reason: AgidbError): void {
    if (this.#refusal !== undefined) return
    this.#refusal = reason
    for (const reject of this.#waiting) reject(reason)
    this.#waiting.clear()
    this.#thread.end()
  }
}
