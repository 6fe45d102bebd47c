import type { CheckpointLoader, StoredCheckpoint, StoredEpisode, VisitEpisode } from '../../api/storage.js'

/** What changed in a slot after a commit, as a checkpoint has to follow it. */
export interface ChangedSlot extends StoredEpisode {
  /** Whether the episode itself is new. */
  readonly isNew: boolean
  readonly hasNewRow: boolean
  readonly hasNewSignatures: boolean
}

/** Tables that say of each slot which commit changed it last. */
export interface Restorable {
  /** The checkpoint; `undefined` where there is none. Throws where it is damaged. */
  checkpoint(): StoredCheckpoint | undefined
  /** What changed after the checkpoint, by slots ascending. None was removed: a removal drops the checkpoint. */
  changed(): Iterable<ChangedSlot> | AsyncIterable<ChangedSlot>
  /** The live slots, ascending. */
  slots(): readonly number[]
  /** The live episodes of slots, or all of them, by slots ascending. */
  episodes(slots?: readonly number[]): Iterable<StoredEpisode> | AsyncIterable<StoredEpisode>
}

/**
 * Loads the checkpoint, what changed after it and what it lacks; or, where there is none that can be used, every
 * episode.
 */
export async function restore(tables: Restorable, visit: VisitEpisode, loader?: CheckpointLoader): Promise<void> {
  if (loader !== undefined) {
    try {
      const checkpoint = tables.checkpoint()
      if (checkpoint !== undefined && (await loader.load(checkpoint))) {
        for await (const changed of tables.changed()) follow(loader, changed)
        // The checkpoint is of episodes alone; other records are read as they are now.
        const others = tables.slots().filter((slot) => !loader.has(slot))
        for await (const episode of tables.episodes(others)) visit(episode)
        return
      }
    } catch (error) {
      // It can all be made again from the episodes.
      loader.reset(error)
    }
  }
  for await (const episode of tables.episodes()) visit(episode)
}

function follow(loader: CheckpointLoader, changed: ChangedSlot): void {
  const { isNew, hasNewRow, hasNewSignatures, ...episode } = changed
  if (isNew) return loader.change({ op: 'put', ...episode }, undefined)
  if (hasNewRow) loader.change({ op: 'update', ...episode }, undefined)
  if (hasNewSignatures) loader.change({ op: 'setSignatures', ...episode }, undefined)
}
