import { cannotListen } from '../../api/listen.js'
import { withScopes, type Database } from '../../api/scope.js'
import { publicView } from '../../api/registry.js'
import { engineOptionsOf } from '../../api/option-table.js'
import type { OpenOptions } from '../../api/open-options.js'
import type { StorageAdapter } from '../../api/storage.js'
import type { EngineInternals } from '../../engine/settings.js'
import { openEngine } from '../../engine/whole.js'
import { loadKernel } from '../../kernel/load.js'
import { bundledModels } from '../../recall/ranking/bundled.js'
import { scopeOf } from '../../storage/adapters/custom.js'
import { sharedCodebook } from './codebook.js'

/** A memory in this isolate, and what the place does by an alarm, since no timer runs. */
export interface InIsolate {
  readonly database: Database
  /** Forgets and erases what is due. Answers in how many milliseconds more will be due; `Infinity` for never. */
  forgetDue(): Promise<number>
}

/**
 * Opens a memory in this isolate.
 *
 * @throws AgidbError `AGIDB_KERNEL`; `AGIDB_INVALID_ARGUMENT`; what opening the place throws.
 */
export async function openInIsolate(
  place: StorageAdapter,
  options: OpenOptions,
  internals: EngineInternals = {},
): Promise<InIsolate> {
  const { kernel, referenceKernel, codebook = 'none' } = options
  const shared = {
    ...engineOptionsOf(options),
    ...internals,
    expiresByAlarm: true,
    kernel: await loadKernel({ kernel, referenceKernel }),
    codebook: await sharedCodebook(codebook),
    lateModels: bundledModels,
  }
  const open = async (storage: StorageAdapter) => openEngine({ ...shared, storage })
  const engine = await open(place)
  const openScope = async (key: string) => publicView(await open(scopeOf(place, key)), false)
  return {
    database: withScopes(publicView(engine, false), openScope, cannotListen),
    async forgetDue() {
      const { context, floors } = await engine.inside()
      return floors.forgetting.forgetDue(context.config.caller)
    },
  }
}
