import type { Caller } from '../api/caller.js'
import type { ServiceMethods } from '../memory/methods.js'

/**
 * Gives the methods of one service in the name of a caller.
 *
 * @param stored what was stored when the call had its effect, for a call that is repeated.
 */
export type CallerService = (caller: Caller, stored?: unknown) => ServiceMethods

/** The methods that act in the name of a caller: a table, made once, that says which service has each. */
export class CallerMethods {
  readonly #services = new Map<string, CallerService>()

  /**
   * @param services a method of a later one takes the place of one of the same name.
   * @param caller any: the names of the methods are the same for all.
   */
  constructor(services: readonly CallerService[], caller: Caller) {
    for (const service of services) for (const name of Object.keys(service(caller))) this.#services.set(name, service)
  }

  /** The names of the methods. */
  get names(): Iterable<string> {
    return this.#services.keys()
  }

  /** A method in the name of a caller; `undefined` where no service has it. */
  find(name: string, caller: Caller, stored?: unknown): ((...args: readonly unknown[]) => unknown) | undefined {
    return this.#services.get(name)?.(caller, stored)[name] as ((...args: readonly unknown[]) => unknown) | undefined
  }
}
