import type { Compaction, Stats } from '../stats.js'
import type { VerifyOptions, VerifyReport } from '../verify.js'
import type { Registration } from './method.js'

/** The methods of the database as a whole. */
export interface DatabaseMethods {
  stats(): Promise<Stats>
  /** Resolves when every acknowledged observation has reached every file. */
  flush(): Promise<void>
  /**
   * Writes anew all that is live, so that what was replaced or removed before takes no room and stands in no file any
   * more: its bytes are overwritten. Starts by itself when more than half of what is stored is garbage. Writing goes on
   * meanwhile, and waits for the last step; as much room as the memory takes must be free.
   *
   * @throws AgidbError `AGIDB_QUOTA`, `AGIDB_STORAGE`; then everything is there as before. `AGIDB_READ_ONLY`
   */
  compact(): Promise<Compaction>
  /**
   * Reads all that is stored from beginning to end, compares the copies with each other and with what recall searches,
   * and says what is wrong. Changes nothing unless `repair` is set; writing waits meanwhile. A memory that cannot be
   * opened is looked at with `agidb verify --db`.
   */
  verify(options?: VerifyOptions): Promise<VerifyReport>
  /** Flushes and closes the storage. Later calls are refused with `AGIDB_CLOSED`. */
  close(): Promise<void>
}

export const databaseMethods: Registration<DatabaseMethods> = {
  stats: { effect: 'reads', relayed: (stats) => ({ ...(stats as Stats), role: 'client' }) },
  flush: { effect: 'reads' },
  compact: { effect: 'writes' },
  verify: {
    effect: ([options]) => ((options as VerifyOptions | null | undefined)?.repair === true ? 'writes' : 'reads'),
  },
  close: { effect: 'reads', perHandle: true },
}
