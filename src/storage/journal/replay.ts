import type { Journal } from './journal.js'
import type { CheckpointLoader, StoredEpisode } from '../../api/storage.js'
import type { Cursor } from './scan.js'

/** Changes that are followed at a time. */
const FOLLOWED = 256

/**
 * Loads the content of a journal: its checkpoint and the commits after it or, if no checkpoint can be used, every
 * episode.
 */
export async function replay(
  journal: Journal,
  visit: (episode: StoredEpisode) => void,
  use?: CheckpointLoader,
): Promise<void> {
  const { checkpoint } = journal
  if (checkpoint !== undefined && use !== undefined) {
    try {
      if (await use.load(checkpoint)) {
        for (let at: Cursor = checkpoint.base!; at.at < journal.end.at; ) {
          const { changes, next } = await journal.changesFrom(at, FOLLOWED)
          for (const change of changes)
            use.change(change, change.op === 'remove' ? await journal.lastRow(change.slot) : undefined)
          at = next
        }
        return await journal.visit(
          visit,
          journal.liveSlots(0, journal.nextSlot).filter((slot) => !use.has(slot)),
        )
      }
    } catch (error) {
      // It can all be made again.
      use.reset(error)
    }
  }
  await journal.visit(visit)
}
