import type { Agidb as Database } from './core/agidb.js'
import { readingOnly } from './core/methods.js'
import { openNode, type NodeOptions } from './node/engine.js'

/** A memory; see the methods of {@link Database}. */
export type Agidb = Database

export type * from './core/public.js'
export { AgidbError, type ErrorCode, type ErrorDetails } from './core/errors.js'
export { fitSurpriseProfile } from './floors/surprise-profile.js'
export type { NodeOptions }

export const Agidb = {
  /**
   * Opens a database in this process.
   *
   * @throws AgidbError `AGIDB_IN_USE` when another process has it open; `AGIDB_NOT_FOUND` when it is to be read only and is not there; `AGIDB_KERNEL`; `AGIDB_CODEBOOK`; `AGIDB_RANKER`;
   * `AGIDB_NEWER_FORMAT`; `AGIDB_FOREIGN_FILE`; `AGIDB_CORRUPT`; `AGIDB_STORAGE`; `AGIDB_UNKNOWN_OPTION`; `AGIDB_INVALID_ARGUMENT`
   */
  async open(options: NodeOptions): Promise<Database> {
    const engine = await openNode(options)
    return options.readOnly ? readingOnly(engine) : engine
  },
}
