import type { Agidb as Database } from './core/agidb.js'
import { AgidbError } from './core/errors.js'
import { publicView } from './core/methods.js'
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
    return publicView(await openNode(options), options.readOnly === true)
  },

  /**
   * Salvage is for browsers; a folder is repaired from the command line.
   *
   * @throws AgidbError `AGIDB_UNSUPPORTED` always, with the command.
   */
  async salvage(): Promise<never> {
    const instead = 'a folder is repaired by agidb verify --repair --db FOLDER'
    throw new AgidbError('AGIDB_UNSUPPORTED', `salvage is for browsers; ${instead}`)
  },
}
