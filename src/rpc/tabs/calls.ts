import type { MethodSpec } from '../../api/methods/method.js'
import { valueOf } from '../../base/outcome.js'
import { Call } from './call.js'
import type { RemoteMethod, FromOwner } from './protocol.js'

/** The calls of a tab that have no answer yet, in order. */
export class Calls {
  readonly #inFlight = new Map<number, Call>()
  #count = 0

  /** How many wait. */
  get size(): number {
    return this.#inFlight.size
  }

  /** The call up to which all are answered. */
  get received(): number {
    const [first = this.#count + 1] = this.#inFlight.keys()
    return first - 1
  }

  /** Settle when the calls are answered. */
  get answers(): Promise<unknown>[] {
    return Array.from(this.#inFlight.values(), ({ answered }) => answered)
  }

  begin(method: RemoteMethod, spec: MethodSpec, args: readonly unknown[]): Call {
    const call = new Call(++this.#count, method, spec, args)
    this.#inFlight.set(call.number, call)
    return call
  }

  end({ number }: Call): void {
    this.#inFlight.delete(number)
  }

  each(visit: (call: Call) => void): void {
    for (const call of this.#inFlight.values()) visit(call)
  }

  /** Takes what an owner says of a call; what it says of others is passed over. */
  heard(message: Extract<FromOwner, { kind: 'answer' | 'progress' }>): void {
    const call = this.#inFlight.get(message.call)
    if (message.kind === 'progress') return call?.progressed(message.progress)
    try {
      call?.resolve(valueOf(message.outcome))
    } catch (error) {
      call?.reject(error)
    }
  }
}
