import { cannotListen } from '../../api/listen.js'
import { type Database, withScopes } from '../../api/scope.js'
import { AgidbError } from '../../base/errors.js'
import { publicView } from '../../api/registry.js'
import { checkNodeOptions, nodeEngines, type NodeOptions } from './engine.js'
import { isShared, shareFolder } from './share.js'

/** A memory; see the methods of {@link Database}. */
export type Agidb = Database

export type * from '../../api/public.js'
export { AgidbError, type ErrorCode, type ErrorDetails } from '../../base/errors.js'
export { type AskModel, extractWith, type ExtractWithOptions } from '../../extraction/llm/extract-with.js'
export { fitSurpriseProfile } from '../../memory/sensory/surprise-profile.js'
export type { NodeOptions }

export const Agidb = {
  /**
   * Opens a database in this process or, with `share: true`, in whichever of several processes has its folder.
   *
   * @throws AgidbError `AGIDB_IN_USE` when another process has it open; `AGIDB_NOT_FOUND` when it is to be read only
   * and is not there; `AGIDB_KERNEL`; `AGIDB_CODEBOOK`; `AGIDB_RANKER`; `AGIDB_NEWER_FORMAT`; `AGIDB_FOREIGN_FILE`;
   * `AGIDB_CORRUPT`; `AGIDB_STORAGE`; `AGIDB_UNKNOWN_OPTION`; `AGIDB_INVALID_ARGUMENT`
   */
  async open(options: NodeOptions): Promise<Database> {
    checkNodeOptions(options)
    if (isShared(options)) return shareFolder(options)
    const engines = await nodeEngines(options)
    const readOnly = options.readOnly === true
    return withScopes(
      publicView(await engines.open(), readOnly),
      async (key) => publicView(await engines.openScope(key), readOnly),
      cannotListen,
    )
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
