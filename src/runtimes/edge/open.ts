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

/**
 * Opens a memory in this isolate.
 *
 * @throws AgidbError `AGIDB_KERNEL`; `AGIDB_INVALID_ARGUMENT`; what opening the place throws.
 */
export async function openInIsolate(
  place: StorageAdapter,
  options: OpenOptions,
  internals: EngineInternals = {},
): Promise<Database> {
  const { kernel, referenceKernel, codebook = 'none' } = options
  const shared = {
    ...engineOptionsOf(options),
    ...internals,
    kernel: await loadKernel({ kernel, referenceKernel }),
    codebook: await sharedCodebook(codebook),
    lateModels: bundledModels,
  }
  const open = async (storage: StorageAdapter) => publicView(await openEngine({ ...shared, storage }), false)
  return withScopes(await open(place), async (key) => open(scopeOf(place, key)), cannotListen)
}
