import type { Extractor } from '../../api/extractor.js'

/** The built-in extractor, which is loaded when there is something to read. */
export interface Rules {
  /** @throws AgidbError `AGIDB_EXTRACTOR` when what it is made of cannot be loaded. */
  readonly rulesExtractor: (giveWay?: () => Promise<void>) => Promise<Extractor>
}
