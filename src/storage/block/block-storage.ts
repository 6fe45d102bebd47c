import type { Room, StorageEvent } from '../../api/stats.js'
import { systemClock } from '../../base/clock.js'
import { AgidbError } from '../../base/errors.js'
import { goesWithImage } from '../../api/verify.js'
import { closeAll, type BlockFile } from './block-file.js'
import type { Bounds } from '../journal/flushing.js'
import { corrupt, newHeader } from '../journal/frame.js'
import { Handle } from '../journal/handle.js'
import { replay } from '../journal/replay.js'
import { CheckpointFile } from '../checkpoint/checkpoint-file.js'
import { Journal } from '../journal/journal.js'
import { writeHeader } from '../journal/journal-header.js'
import { currentOf, inspectJournals, type JournalFiles } from '../journal/journal-pair.js'
import type { Storage } from '../port.js'
import { FilePresence } from '../adapters/presence.js'
import { inPlaceOf } from '../journal/out-of-space.js'
import { JournalStore } from '../adapters/journal-store.js'
import type { KeepDamagedTail } from '../journal/tail.js'

/** The files of one database, held for it alone. */
export interface BlockPlace {
  readonly journals: JournalFiles
  readonly image: BlockFile
  /** Keeps what is cut off. Absent where nothing may be changed. */
  readonly keep?: KeepDamagedTail
  /** What is known of the room where they are; nothing where the program may not ask. */
  room?(): Room | undefined
  /** What there is to say of how they were opened. */
  readonly events?: readonly StorageEvent[]
  /** Called when the files are closed. */
  release(): void
}

/**
 * A store in block files with nothing beside them: `acquire` opens these, or throws and holds nothing.
 *
 * @param bounds of relaxed durability; without, it is strict.
 */
export function blockStorage(name: string, acquire: () => BlockPlace | Promise<BlockPlace>, bounds?: Bounds): Storage {
  const events: StorageEvent[] = []
  interface Held {
    readonly store: JournalStore
    readonly place: BlockPlace
    readonly presence: FilePresence
  }
  const handle = new Handle<Held>(`the storage in ${name}`)

  return {
    async open(visit, use) {
      const place = await acquire()
      events.splice(0, Infinity, ...(place.events ?? []))
      try {
        const store = await openStore(name, place, (event) => events.push(event), bounds)
        await replay(store.journal, visit, use)
        const report = (event: StorageEvent): void => void events.push(event)
        const presence = new FilePresence({ name, journal: () => store.journal.place, report, freshMs: 0 })
        handle.hold({ store, place, presence })
        return { databaseId: store.journal.header.databaseId, nextSlot: store.journal.nextSlot }
      } catch (error) {
        await release(place).catch(() => {}) // what went wrong first is what counts
        throw error
      }
    },
    commit: (changes) => handle.change(({ store, presence }) => presence.around(() => store.commit(changes))),
    writeCheckpoint: (parts) =>
      handle.change(async ({ store, presence }) => {
        await presence.expectNow()
        await store.journal.keep(store.image, parts)
      }),
    visit: async (slots, visit) => handle.get().store.read((journal) => journal.visit(visit, slots)),
    signatures: async (slots, visit) => handle.get().store.read((journal) => journal.signatures(visit, slots)),
    rows: async (slots) => handle.get().store.read((journal) => journal.rows(slots)),
    slots: () => handle.change(async ({ store }) => store.journal.liveSlots(0, store.journal.nextSlot)),
    read: (slots) => handle.change(({ store }) => store.journal.read(slots)),
    async replace(fill) {
      await handle.get().store.settled()
      await handle.change(async ({ store, presence }) => {
        await presence.expectNow()
        await store.replace(fill)
      })
    },
    async compact() {
      const { store, presence } = handle.get()
      await store.compact(
        (work) => handle.change(work),
        () => presence.expectNow(),
      )
    },
    garbage: () => handle.get().store.journal.garbage,
    async verify(look) {
      await handle.get().store.settled()
      await handle.change(async ({ store, presence }) => {
        if (!(await presence.isThere())) presence.addTo(look.findings)
        await store.verify(look)
      })
    },
    repair: (codes) =>
      handle.change(async ({ store, presence }) => {
        await presence.expectNow()
        if (codes.some(goesWithImage)) await store.image.clear()
      }),
    onDeleted: (deleted) => handle.get().presence.onDeleted(deleted),
    async flush() {
      await handle.idle()
      handle.get().presence.expect()
      await handle.get().store.flushing.flush()
    },
    async stats() {
      const {
        store: { journal, image, flushing },
        place,
        presence,
      } = handle.get()
      return {
        name,
        bytes: journal.bytes + (await image.size()),
        memory: journal.memoryBytes,
        room: (await presence.isThere()) ? place.room?.() : undefined,
        ...flushing.about('the disk'),
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

async function release({ journals, image, release }: BlockPlace): Promise<void> {
  try {
    await closeAll([...journals, image])
  } finally {
    release()
  }
}

async function openStore(
  name: string,
  place: BlockPlace,
  report: (event: StorageEvent) => void,
  bounds: Bounds | undefined,
): Promise<JournalStore> {
  const { journals, image, keep } = place
  const kept = await CheckpointFile.open(image)
  const pair = await inspectJournals(journals)
  const { file, header, damage, other } = currentOf(pair)
  if (damage) throw damage
  if (header === undefined) {
    const moved = pair.sides.find(({ incomplete }) => incomplete?.compacted === undefined && incomplete !== undefined)
    if (moved) throw corrupt(moved.file.name, 0, 'what was in it was moved to the other journal, and that is gone')
    if (keep === undefined) {
      throw new AgidbError('AGIDB_NOT_FOUND', `there is no database in ${name}, and none can be made there`)
    }
    const header = newHeader(systemClock())
    await writeHeader(file, header)
    report({
      kind: 'created',
      message: `a new database was created in ${name}`,
      details: { databaseId: header.databaseId },
    })
    if (kept.base !== undefined) {
      const message = `${file.name} was empty, and the image of the indexes shows that it once was not: what was in it is lost`
      report({ kind: 'commits-lost', message, details: { file: file.name, lsn: kept.base.lsn, journalLsn: 0 } })
    }
    return new JournalStore(await Journal.open(file, header, keep, report), other, kept, bounds)
  }
  const keepInRoom: KeepDamagedTail | undefined = keep && ((...tail) => inPlaceOf(kept, () => keep(...tail)))
  const journal = await Journal.open(file, header, keepInRoom, report, kept)
  await journal.reportLost(kept, report)
  const store = new JournalStore(journal, other, kept, bounds)
  if (keep !== undefined) await store.tidy()
  return store
}
