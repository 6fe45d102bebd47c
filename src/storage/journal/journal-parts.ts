// The parts of a storage that a journal offers, the same wherever its files are. docs/format.md, "The journal".
import type { RowStore, SignatureStore, StorageMaintenance } from '../../api/storage.js'
import type { FilePresence } from '../block/file-presence.js'
import type { Handle } from './handle.js'
import type { Journal } from './journal.js'
import type { JournalFollower, JournalStore } from './journal-store.js'

/** An open journal, and the watch over its file. */
export interface OpenJournal {
  readonly store: JournalStore
  readonly presence: FilePresence
}

/** What is told of changes to the rows: a second copy follows them. */
export interface RowListener<T> {
  committed(held: T, changes: number): void
  /** Resolves when the second copy has begun anew with the journal that now counts. */
  replaced(held: T, journal: Journal): Promise<void>
}

/** The rows of a journal. @param listener absent where there is no second copy. */
export function journalRows<T extends OpenJournal>(handle: Handle<T>, listener?: RowListener<T>): RowStore {
  return {
    commit: (changes) =>
      handle.change(async (held) => {
        await held.presence.around(() => held.store.commit(changes))
        listener?.committed(held, changes.length)
      }),
    get: async (slots) => handle.get().store.read((journal) => journal.rows(slots)),
    slots: () => handle.change(async ({ store: { journal } }) => journal.liveSlots(0, journal.nextSlot)),
    read: (slots) => handle.change(({ store }) => store.journal.read(slots)),
    replace: async (fill) =>
      handle.get().store.alone(() =>
        handle.change(async (held) => {
          await held.presence.expectNow()
          await held.store.replace(fill, async (journal) => listener?.replaced(held, journal))
        }),
      ),
  }
}

/** The signatures in a journal. */
export function journalSignatures(handle: Handle<OpenJournal>): SignatureStore {
  return {
    visitEpisodes: async (slots, visit) => handle.get().store.read((journal) => journal.visit(visit, slots)),
    visitPacked: async (slots, visit) => handle.get().store.read((journal) => journal.signatures(visit, slots)),
  }
}

/**
 * What frees the bytes that a journal leaves behind.
 *
 * @param follower the second copy, which must go on with the journal that the compaction writes.
 */
export function journalCompaction<T extends OpenJournal>(
  handle: Handle<T>,
  follower: (held: T) => JournalFollower | undefined = () => undefined,
): Pick<StorageMaintenance, 'compact' | 'garbage'> {
  return {
    async compact() {
      const held = handle.get()
      await held.store.compact(
        (work) => handle.change(work),
        () => held.presence.expectNow(),
        follower(held),
      )
    },
    garbage: () => handle.get().store.journal.garbage,
  }
}
