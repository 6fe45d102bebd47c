import type { ChangeListener } from '../change.js'
import type { Registration } from './method.js'

/** Telling of changes. */
export interface SubscribeMethods {
  /**
   * Calls a listener for every later change, also for changes made elsewhere: in a browser, by other tabs. Changes are
   * told in the order in which they became durable, in a later task than the call that made them.
   *
   * @returns a function that ends the subscription; it may be called twice
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` when `listener` is no function; `AGIDB_CLOSED`
   */
  subscribe(listener: ChangeListener): () => void
}

export const changeMethods: Registration<SubscribeMethods> = {
  subscribe: { effect: 'reads', output: 'changes' },
}
