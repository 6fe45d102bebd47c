import { cannotListen } from '../../api/listen.js'
import { withScopes, type Database } from '../../api/scope.js'
import type { Agidb } from '../../api/agidb.js'
import type { ChangeKind } from '../../api/change.js'
import { unfailing } from '../../api/function-options.js'
import { publicView } from '../../api/registry.js'
import { engineOptionsOf } from '../../api/option-table.js'
import type { OpenOptions } from '../../api/open-options.js'
import type { StorageAdapter } from '../../api/storage.js'
import type { Engine } from '../../engine/engine.js'
import type { EngineInternals } from '../../engine/settings.js'
import { openEngine } from '../../engine/whole.js'
import { loadKernel } from '../../kernel/load.js'
import { bundledModels } from '../../recall/ranking/bundled.js'
import { scopeOf } from '../../storage/adapters/custom.js'
import { sharedCodebook } from './codebook.js'
import { OpenScopes, type UsedEngine } from './open-scopes.js'

/** Whose changes are those of {@link InIsolate.attend}. */
const ALARM = 'alarm'
/** What a memory tells of although nothing was written that is to be consolidated or forgotten. */
const UNWRITTEN: readonly ChangeKind[] = ['codebookReady', 'signaturesReady', 'encoderFailed', 'ownerChanged']

/** A memory in this isolate, and what the place does by an alarm, since no timer runs. */
export interface InIsolate {
  readonly database: Database
  /**
   * Consolidates the memory, or that of a scope by its key, and forgets and erases what is due.
   *
   * @returns in how many milliseconds more will be due; `Infinity` for never.
   * @throws AgidbError what opening the scope throws.
   */
  attend(scope?: string): Promise<number>
}

/** Told that the memory, or that of a scope by its key, was written to by another than {@link InIsolate.attend}. */
export type Changed = (scope: string | undefined) => void

/**
 * Opens a memory in this isolate.
 *
 * @throws AgidbError `AGIDB_KERNEL`; `AGIDB_INVALID_ARGUMENT`; what opening the place throws.
 */
export async function openInIsolate(
  place: StorageAdapter,
  options: OpenOptions,
  internals: EngineInternals = {},
  changed?: Changed,
): Promise<InIsolate> {
  const { kernel, referenceKernel, codebook = 'none' } = options
  const onProgress = options.onProgress && unfailing(options.onProgress)
  const shared = {
    ...engineOptionsOf(options),
    onProgress,
    ...internals,
    expiresByAlarm: true,
    kernel: await loadKernel({ kernel, referenceKernel }),
    codebook: await sharedCodebook(codebook, onProgress),
    lateModels: bundledModels,
  }
  const open = async (scope?: string): Promise<Engine> => {
    const storage = scope === undefined ? place : scopeOf(place, scope)
    const engine = await openEngine({ ...shared, storage })
    engine.subscribe(({ from, kind }) => {
      if (from !== ALARM && !UNWRITTEN.includes(kind)) changed?.(scope)
    })
    return engine
  }
  const engine = await open()
  const scopes = new OpenScopes(open)
  return {
    database: withScopes(publicView(engine, false), async (key) => viewOf(await scopes.use(key)), cannotListen),
    async attend(scope) {
      if (scope === undefined) return attend(engine)
      const used = await scopes.use(scope)
      try {
        return await attend(used.engine)
      } finally {
        await used.release()
      }
    },
  }
}

/** A memory that is closed once nobody else uses it. */
function viewOf({ engine, release }: UsedEngine): Agidb {
  return publicView({ ...publicView(engine, false), close: release }, false)
}

async function attend(engine: Engine): Promise<number> {
  const { context, floors } = await engine.inside()
  const caller = { ...context.config.caller, from: ALARM }
  await engine.serve(caller, 'consolidate', [])
  return floors.forgetting.forgetDue(caller)
}
