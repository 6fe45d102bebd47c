import type { Room, StorageEvent } from '../../api/stats.js'
import { AgidbError } from '../../base/errors.js'
import { isRepairedWithCheckpoint } from '../../api/verify.js'
import { closeAll, type BlockFile } from '../block/block-file.js'
import type { Bounds } from './flushing.js'
import { createJournal } from './create-journal.js'
import { corrupt } from './frame.js'
import { Handle } from './handle.js'
import { replay } from './replay.js'
import { CheckpointFile } from '../checkpoint/checkpoint-file.js'
import { Journal } from './journal.js'
import { currentOf, inspectJournals, type JournalFiles } from './journal-pair.js'
import type { KeyFile, OpenedStorage, StorageAdapter } from '../../api/storage.js'
import { FilePresence } from '../block/file-presence.js'
import { inPlaceOf } from './out-of-space.js'
import { journalCompaction, journalRows, journalSignatures, type OpenJournal } from './journal-parts.js'
import { JournalStore } from './journal-store.js'
import { checkFiles } from '../recovery/check.js'
import type { KeepDamagedTail } from './tail.js'

/** A file for keys that is open. */
export interface HeldKeyFile extends KeyFile {
  close(): void | Promise<void>
}

/** The files of one database, held for it alone. */
export interface JournalPlace {
  readonly journals: JournalFiles
  readonly checkpoint: BlockFile
  /** Where keys are kept; absent where there is no place for them. */
  readonly keys?: HeldKeyFile
  /** Keeps what is cut off. Absent where nothing may be changed. */
  readonly keep?: KeepDamagedTail
  /** What is known of the room where they are; nothing where the program may not ask. */
  room?(): Room | undefined
  /** What there is to say of how they were opened. */
  readonly events?: readonly StorageEvent[]
  /** What the files are written to, for people. Default: the disk. */
  readonly medium?: string
  /** Called when the files are closed. */
  release(): void | Promise<void>
}

/**
 * A storage whose files are a journal pair and a checkpoint, with no second copy. `acquire` opens the files, or throws
 * and holds nothing.
 *
 * @param bounds of relaxed durability; without, it is strict.
 */
export function journalStorage(
  name: string,
  acquire: () => JournalPlace | Promise<JournalPlace>,
  bounds?: Bounds,
): StorageAdapter {
  return {
    async open(visit, checkpoint, onDeleted, onKeys) {
      const place = await acquire()
      const events: StorageEvent[] = [...(place.events ?? [])]
      const report = (event: StorageEvent): void => void events.push(event)
      try {
        if (place.keys !== undefined) await onKeys?.(place.keys)
        const store = await openStore(name, place, report, bounds)
        await replay(store.journal, visit, checkpoint)
        const presence = new FilePresence({ name, journal: () => store.journal.place, report, freshMs: 0 })
        if (onDeleted !== undefined) presence.onDeleted(onDeleted)
        return openedStorage(name, { store, place, presence }, events)
      } catch (error) {
        await release(place).catch(() => {}) // the first error is the one to report
        throw error
      }
    },
  }
}

interface Held extends OpenJournal {
  readonly place: JournalPlace
}

function openedStorage(name: string, held: Held, events: readonly StorageEvent[]): OpenedStorage {
  const handle = new Handle(`the storage in ${name}`, held)
  const { databaseId } = held.store.journal.header
  return {
    databaseId,
    nextSlot: held.store.journal.nextSlot,
    rows: journalRows(handle),
    signatures: journalSignatures(handle),
    checkpoint: {
      write: (parts) =>
        handle.change(async ({ store, presence }) => {
          await presence.expectNow()
          await store.journal.keep(store.checkpoint, parts)
        }),
    },
    maintenance: {
      ...journalCompaction(handle),
      verify: async (visitor) =>
        handle.get().store.alone(() =>
          handle.change(async ({ store, presence }) => {
            if (!(await presence.isThere())) presence.addTo(visitor.findings)
            await store.verify(checkFiles, visitor)
          }),
        ),
      repair: (codes) =>
        handle.change(async ({ store, presence }) => {
          await presence.expectNow()
          if (codes.some(isRepairedWithCheckpoint)) await store.checkpoint.clear()
        }),
    },
    async flush() {
      await handle.idle()
      const { store, presence } = handle.get()
      presence.expect()
      await store.flushing.flush()
    },
    async stats() {
      const { store, place, presence } = handle.get()
      const { journal, checkpoint, flushing } = store
      return {
        name,
        bytes: journal.bytes + (await checkpoint.size()),
        memory: journal.memoryBytes,
        room: (await presence.isThere()) ? place.room?.() : undefined,
        ...flushing.about(place.medium ?? 'the disk'),
        opening: [...events],
      }
    },
    async close() {
      if (handle.isOpen) await handle.get().store.stop()
      await handle.close(({ store, place, presence }) => {
        presence.close()
        return store.flushing.end().finally(() => release(place))
      })
    },
  }
}

async function release({ journals, checkpoint, keys, release }: JournalPlace): Promise<void> {
  try {
    await closeAll([...journals, checkpoint, ...(keys === undefined ? [] : [keys])])
  } finally {
    await release()
  }
}

async function openStore(
  name: string,
  place: JournalPlace,
  report: (event: StorageEvent) => void,
  bounds: Bounds | undefined,
): Promise<JournalStore> {
  const { journals, checkpoint, keep } = place
  const kept = await CheckpointFile.open(checkpoint)
  const pair = await inspectJournals(journals)
  const { file, header, damage, other } = currentOf(pair)
  if (damage) throw damage
  if (header === undefined) {
    const moved = pair.sides.find(({ incomplete }) => incomplete?.compacted === undefined && incomplete !== undefined)
    if (moved) throw corrupt(moved.file.name, 0, 'what was in it was moved to the other journal, and that is gone')
    if (keep === undefined) {
      throw new AgidbError('AGIDB_NOT_FOUND', `there is no database in ${name}, and none can be made there`)
    }
    const journal = await createJournal(file, `a new database was created in ${name}`, keep, report)
    if (kept.base !== undefined) {
      const message =
        `${file.name} was empty, and the checkpoint of the indexes shows that it once was not: ` +
        'what was in it is lost'
      report({ kind: 'commits-lost', message, details: { file: file.name, lsn: kept.base.lsn, journalLsn: 0 } })
    }
    return new JournalStore(journal, other, kept, bounds)
  }
  const keepInRoom: KeepDamagedTail | undefined = keep && ((...tail) => inPlaceOf(kept, () => keep(...tail)))
  const journal = await Journal.open(file, header, keepInRoom, report, kept)
  await journal.reportLost(kept, report)
  const store = new JournalStore(journal, other, kept, bounds)
  if (keep !== undefined) await store.tidy()
  return store
}
