import type { ChangeListener } from '../change.js'
import type { Registration } from './method.js'

/** Telling of changes. */
export interface SubscribeMethods {
  /**
   * Tells a listener of every change from now on, whoever makes it: in a browser, other tabs as well. In the order in
   * which the changes became durable, soon after, never before the call that made it returns to its event loop.
   *
   * @returns what ends it; safe to call twice
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` when it is no function; `AGIDB_CLOSED`
   */
  subscribe(listener: ChangeListener): () => void
}

export const changeMethods: Registration<SubscribeMethods> = {
  subscribe: { effect: 'reads', output: 'changes' },
}
