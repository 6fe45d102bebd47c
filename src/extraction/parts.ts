import type { Comparer } from './contrast/comparer.js'
import type { LastingReader } from './lasting/reader.js'
import type { TimeReader } from './time/reader.js'

/**
 * Parts that are large and seldom needed: each is loaded when it is first asked for. A program imports them; the worker
 * of a page fetches them, so that a first visit does not wait for them.
 *
 * @throws AgidbError `AGIDB_WORKER` when a part cannot be fetched; the next call tries again
 */
export interface Parts {
  /** Reads the times that texts and questions name. */
  readonly time: () => Promise<TimeReader>
  /** Tells in what two texts differ. */
  readonly contrast: () => Promise<Comparer>
  /** Tells which statements of texts go on being true. */
  readonly lasting: () => Promise<LastingReader>
}
