// A memory in PostgreSQL: `agidb/postgres`.
import { checkChoice, checkFlag, checkKeys, checkWhole, invalid } from '../../../api/check.js'
import { AgidbError } from '../../../base/errors.js'
import type { OpenedStorage, StorageAdapter, StorageChange } from '../../../api/storage.js'
import type { PostgresDriver } from './driver.js'
import { restore, type Restorable } from '../../checkpoint/restore.js'
import { KeptCheckpoint } from './checkpoint.js'
import { checkListener, Commits, type PostgresListener } from './listening.js'
import { maintenanceOf } from './maintenance.js'
import { Nearest } from './nearest.js'
import { Reader } from './reader.js'
import { migrate } from './schema.js'
import { asPuts } from './slot-changes.js'
import { signatureStore } from './signatures.js'
import { Slots } from './slots.js'
import { beginSnapshot, findMemory, refusing } from './snapshot.js'
import { lockWriter } from './writer-lock.js'
import { ALL, openWriter, type Found, type Writing } from './writer.js'

export type { PostgresDriver } from './driver.js'
export type { PostgresListener, PostgresListening } from './listening.js'

/** Options of {@link postgresStorage}. */
export interface PostgresStorageOptions {
  /** Which memory of this database: 1 to 512 characters without U+0000. Default `default`. */
  readonly namespace?: string
  /**
   * Whether the memory is only read: by many programs at once, also beside the one that writes it, each as it was when
   * it was opened. It needs no right but `select`. The connection is in one transaction until the memory is closed, so
   * it is not the one of a writer. Pass `readOnly: true` to `open`, too. Default false.
   */
  readonly readOnly?: boolean
  /**
   * With `readOnly`: another connection, which hears of commits. After a commit the memory is opened again by itself,
   * and subscribers are told `changesApplied`. Absent: the memory stays as it was when it was opened.
   */
  readonly listener?: PostgresListener
  /**
   * Whether each commit notifies those who listen. PostgreSQL lets the commits of a database that notify wait for each
   * other: with very many writers that none listens to, pass false. Default true.
   */
  readonly notify?: boolean
  /**
   * Where signatures of texts are searched. `memory`: in main memory, which holds all of them, about 2 KB an episode.
   * `server`: by PostgreSQL, from version 14 on, which keeps them once more as bits. Main memory then holds 64
   * MiB of them at most. Default `memory`.
   */
  readonly search?: 'memory' | 'server'
  /**
   * With `search: 'server'`, where pgvector is installed: signatures of a kind from which on opening makes an HNSW
   * index of them, which finds nearly all that are nearest. With fewer, or `Infinity`, all are compared. Default
   * 20,000.
   */
  readonly indexedFrom?: number
}

const KEYS = ['namespace', 'readOnly', 'listener', 'notify', 'search', 'indexedFrom']

/**
 * A storage in PostgreSQL from version 12 on, or in PGlite. Its tables, `agidb_*`, are made in the first schema of the
 * search path by the first opening. Pass one connection, which stays open as long as the memory and is not inside a
 * transaction: its session holds an advisory lock, so that a memory has one writer.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`
 */
export function postgresStorage(driver: PostgresDriver, options: PostgresStorageOptions = {}): StorageAdapter {
  if (typeof driver?.query !== 'function') throw invalid('driver must have a method query', { option: 'driver' })
  checkKeys('postgresStorage', options, KEYS)
  const { namespace = 'default', readOnly, listener, notify, search = 'memory', indexedFrom = 20_000 } = options
  checkFlag('readOnly', readOnly)
  checkFlag('notify', notify)
  if (listener !== undefined) checkListener(listener)
  if (listener !== undefined && !readOnly)
    throw invalid('listener is for readOnly: true; a writer knows of its commits', { option: 'listener' })
  if (typeof namespace !== 'string' || !/^[^\0]{1,512}$/su.test(namespace))
    throw invalid('namespace must be a string of 1 to 512 characters without U+0000', { option: 'namespace' })
  checkChoice('search', search, ['memory', 'server'])
  if (indexedFrom !== Infinity) checkWhole('indexedFrom', indexedFrom, 1, ALL)
  return placeAt(driver, namespace, options)
}

/** The place of a memory. The namespace of a scope may be longer than one that a program gives. */
function placeAt(driver: PostgresDriver, namespace: string, options: PostgresStorageOptions): StorageAdapter {
  const { readOnly = false, listener, notify = true, search = 'memory', indexedFrom = 20_000 } = options
  const searches = search === 'server'
  return {
    searches,
    scope: (key) => placeAt(driver, `${namespace}/${key}`, options),
    async open(visit, loader, onDeleted) {
      if (!readOnly) await migrate(driver)
      // From before the snapshot on, so that no commit is missed.
      const commits = listener && (await Commits.of(listener, namespace))
      const release = await (readOnly ? beginSnapshot(driver, commits !== undefined) : lockWriter(driver, namespace))
        .catch(async (error: unknown) => {
          await commits?.end().catch(() => undefined)
          throw error
        })
        .then((release) => async () => {
          await commits?.end().catch(() => undefined) // Its connection may be gone.
          await release()
        })
      try {
        const { writer, found } = readOnly
          ? { writer: refusing(namespace), found: await findMemory(driver, namespace) }
          : await openWriter(driver, namespace, notify)
        const reader = new Reader(driver, namespace)
        const checkpoint = new KeptCheckpoint(driver, namespace, writer, () => reader.asked, found.checkpoint)
        if (!readOnly) await writer.sweep(found.content, checkpoint.directory)
        const slots = await slotsOf(reader, found)
        const { content } = found
        const nearest = searches
          ? await searchOf(driver, namespace, found, readOnly ? undefined : writer, indexedFrom)
          : undefined
        const restorable: Restorable = {
          checkpoint: () => checkpoint.stored(),
          changed: () => reader.changedAfter(content, checkpoint.directory!.commit),
          slots: () => slots.live(),
          episodes: (wanted) => (wanted === undefined ? reader.all(content) : reader.some(content, wanted)),
        }
        await restore(restorable, visit, loader)
        const opened = { namespace, driver, writer, reader, checkpoint, slots, found, nearest, release, commits }
        return openedStorage({ ...opened, onDeleted })
      } catch (error) {
        await release().catch(() => undefined) // What failed first is what is told.
        throw error
      }
    },
  }
}

async function slotsOf(reader: Reader, { content, nextSlot }: Found): Promise<Slots> {
  const slots = new Slots(nextSlot)
  for (const { first, last, isLive } of await reader.slots(content))
    for (let slot = first; slot <= last; slot++) slots.set(slot, isLive)
  return slots
}

/** What compares signatures on the server. They are made into bits first, unless the memory is only read. */
async function searchOf(
  driver: PostgresDriver,
  namespace: string,
  found: Found,
  writer: Writing | undefined,
  indexedFrom: number,
): Promise<Nearest> {
  await writer?.fillBits(found)
  if (writer === undefined && found.bitsTo !== ALL)
    throw new AgidbError(
      'AGIDB_READ_ONLY',
      `the signatures of "${namespace}" are not there as bits: open it once with search: 'server' and without readOnly`,
      { namespace },
    )
  return Nearest.of(driver, namespace, found.content, { from: indexedFrom, makes: writer !== undefined })
}

interface Opening {
  readonly namespace: string
  readonly driver: PostgresDriver
  readonly writer: Writing
  readonly reader: Reader
  readonly checkpoint: KeptCheckpoint
  readonly slots: Slots
  readonly found: Found
  /** Present where the server searches. */
  readonly nearest?: Nearest
  readonly release: () => Promise<void>
  readonly commits?: Commits
  readonly onDeleted?: (error: AgidbError) => void
}

function openedStorage({
  namespace,
  driver,
  writer,
  reader,
  checkpoint,
  found,
  nearest,
  release,
  commits,
  ...opening
}: Opening): OpenedStorage {
  let { slots, onDeleted } = opening
  let { content } = found
  let isOpen = true
  /** Refuses what is asked of a closed storage, and tells where it turns out to be deleted. */
  const whileOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!isOpen) throw new AgidbError('AGIDB_CLOSED', 'the storage is not open')
    try {
      return await work()
    } catch (error) {
      if (error instanceof AgidbError && error.code === 'AGIDB_DELETED') {
        onDeleted?.(error)
        onDeleted = undefined
      }
      throw error
    }
  }
  return {
    databaseId: found.databaseId,
    nextSlot: slots.next,
    ...(commits && { onCommit: (told) => commits.tell(told) }),
    rows: {
      commit: (changes) =>
        whileOpen(async () => {
          slots.admit(changes)
          await writer.write(content, nextAfter(slots, changes), changes)
          mark(slots, changes)
          if (changes.some(({ op }) => op === 'remove')) checkpoint.drop()
        }),
      get: (wanted) =>
        whileOpen(async () => {
          const rows = await reader.rows(content, wanted)
          return wanted.map((slot) => rows.get(slot))
        }),
      slots: () => whileOpen(async () => slots.live()),
      read: (wanted) =>
        whileOpen(async () => {
          const episodes = await reader.episodes(content, wanted)
          return wanted.flatMap((slot) => episodes.get(slot) ?? [])
        }),
      async replace(fill) {
        const others = new Slots()
        const next = content + 1
        await whileOpen(() => writer.sweep(content, checkpoint.directory))
        try {
          // Not the whole of it: what `fill` reads may be another memory, which is deleted without this one.
          await fill((episodes) =>
            whileOpen(async () => {
              const changes = asPuts(episodes)
              others.admit(changes)
              await writer.write(next, slots.next, changes)
              mark(others, changes)
            }),
          )
          await whileOpen(() => writer.switchTo(next, others.next))
        } catch (error) {
          await writer.sweep(content, checkpoint.directory).catch(() => undefined) // Otherwise the next opening does.
          throw error
        }
        content = next
        slots = others
        checkpoint.drop()
        await writer.sweep(content, undefined).catch(() => undefined)
      },
    },
    signatures: {
      ...signatureStore(reader, () => content, whileOpen),
      ...(nearest && {
        nearest: (query, k, among) => whileOpen(() => nearest.find(content, slots.next, query, k, among)),
      }),
    },
    checkpoint: {
      write: (parts) => whileOpen(() => checkpoint.write(content, parts)),
    },
    maintenance: maintenanceOf({
      driver,
      reader,
      checkpoint,
      nearest,
      refillBits: () => writer.refillBits(slots.next),
      whileOpen,
      current: () => ({ content, slots: slots.live() }),
    }),
    flush: () => whileOpen(async () => {}),
    stats: () =>
      whileOpen(async () => ({
        name: `PostgreSQL ${namespace}`,
        bytes: await reader.bytes(),
        memory: slots.memory,
        durability: 'strict',
        durabilityReason: 'each commit is one transaction of PostgreSQL, which is as durable as its settings say',
        opening: [],
      })),
    async close() {
      if (!isOpen) return
      isOpen = false
      await release()
    },
  }
}

function nextAfter(slots: Slots, changes: readonly StorageChange[]): number {
  return changes.reduce((next, { op, slot }) => (op === 'put' ? Math.max(next, slot + 1) : next), slots.next)
}

function mark(slots: Slots, changes: readonly StorageChange[]): void {
  for (const { op, slot } of changes) if (op === 'put' || op === 'remove') slots.set(slot, op === 'put')
}
