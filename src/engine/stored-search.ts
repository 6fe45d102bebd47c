import { OPEN_OPTIONS } from '../api/option-table.js'
import { SlotArena } from '../indexes/slot-arena.js'
import { storedSearch } from '../recall/candidates/stored-search.js'
import { CachedSignatures } from '../storage/cached-signatures.js'
import type { EngineOptions } from './options.js'

/** Bytes of main memory for signatures that were read, at most: of about 30,000 episodes. */
const CACHED = 64 << 20

/**
 * The options for a storage that searches signatures itself ({@link StorageAdapter.searches}): those of texts are read
 * from there, and main memory holds a bounded part of them. Options for any other storage stay as they are.
 */
export function withStoredSearch(options: EngineOptions): EngineOptions {
  if (options.storage.searches !== true) return options
  const { kernel, memoryBudget = OPEN_OPTIONS.memoryBudget.default } = options
  const cached = new CachedSignatures(Math.min(CACHED, memoryBudget / 4))
  return {
    ...options,
    shardThreads: undefined, // There is nothing that they could hold.
    storage: cached.around(options.storage),
    stored: {
      search: ({ indexes, storage }) => storedSearch(indexes, storage.signatures!),
      arena({ kind, search, isPerceived }) {
        if (!search.isLarge || isPerceived) return undefined
        return new SlotArena(kernel, {
          find: (slot) => cached.find(slot, kind),
          bring: (slots) => cached.bring(slots),
        })
      },
    },
  }
}
