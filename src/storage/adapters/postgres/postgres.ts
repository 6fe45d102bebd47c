// A memory in PostgreSQL: `agidb/postgres`.
import { checkFlag, invalid } from '../../../api/check.js'
import { AgidbError } from '../../../base/errors.js'
import type { OpenedStorage, StorageAdapter, StorageChange } from '../../../api/storage.js'
import type { PostgresDriver } from './driver.js'
import { restore, type Restorable } from '../../checkpoint/restore.js'
import { KeptCheckpoint } from './checkpoint.js'
import { Reader } from './reader.js'
import { migrate } from './schema.js'
import { asPuts } from './slot-changes.js'
import { signatureStore } from './signatures.js'
import { Slots } from './slots.js'
import { beginSnapshot, findMemory, refusing } from './snapshot.js'
import { lockWriter } from './writer-lock.js'
import { openWriter, type Found, type Writing } from './writer.js'

export type { PostgresDriver } from './driver.js'

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
}

/**
 * A storage in PostgreSQL from version 12 on, or in PGlite. Its tables, `agidb_*`, are made in the first schema of the
 * search path by the first opening. Pass one connection, which stays open as long as the memory and is not inside a
 * transaction: its session holds an advisory lock, so that a memory has one writer.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`
 */
export function postgresStorage(driver: PostgresDriver, options: PostgresStorageOptions = {}): StorageAdapter {
  if (typeof driver?.query !== 'function') throw invalid('driver must have a method query', { option: 'driver' })
  const { namespace = 'default', readOnly = false } = options
  checkFlag('readOnly', readOnly)
  if (typeof namespace !== 'string' || !/^[^\0]{1,512}$/su.test(namespace))
    throw invalid('namespace must be a string of 1 to 512 characters without U+0000', { option: 'namespace' })
  return {
    scope: (key) => postgresStorage(driver, { namespace: `${namespace}/${key}`, readOnly }),
    async open(visit, loader, onDeleted) {
      if (!readOnly) await migrate(driver)
      const release = readOnly ? await beginSnapshot(driver) : await lockWriter(driver, namespace)
      try {
        const { writer, found } = readOnly
          ? { writer: refusing(namespace), found: await findMemory(driver, namespace) }
          : await openWriter(driver, namespace)
        const reader = new Reader(driver, namespace)
        const checkpoint = new KeptCheckpoint(driver, namespace, writer, found.checkpoint)
        if (!readOnly) await writer.sweep(found.content, checkpoint.directory)
        const slots = await slotsOf(reader, found)
        const { content } = found
        const restorable: Restorable = {
          checkpoint: () => checkpoint.stored(),
          changed: () => reader.changedAfter(content, checkpoint.directory!.commit),
          slots: () => slots.live(),
          episodes: (wanted) => (wanted === undefined ? reader.all(content) : reader.some(content, wanted)),
        }
        await restore(restorable, visit, loader)
        return openedStorage({ namespace, writer, reader, checkpoint, slots, found, release, onDeleted })
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

interface Opening {
  readonly namespace: string
  readonly writer: Writing
  readonly reader: Reader
  readonly checkpoint: KeptCheckpoint
  readonly slots: Slots
  readonly found: Found
  readonly release: () => Promise<void>
  readonly onDeleted?: (error: AgidbError) => void
}

function openedStorage({ namespace, writer, reader, checkpoint, found, release, ...opening }: Opening): OpenedStorage {
  let { slots, onDeleted } = opening
  let { content } = found
  let isOpen = true
  const expectOpen = (): void => {
    if (!isOpen) throw new AgidbError('AGIDB_CLOSED', 'the storage is not open')
  }
  const telling = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
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
    rows: {
      async commit(changes) {
        expectOpen()
        slots.admit(changes)
        await telling(writer.write(content, nextAfter(slots, changes), changes))
        mark(slots, changes)
        if (changes.some(({ op }) => op === 'remove')) checkpoint.drop()
      },
      async get(wanted) {
        expectOpen()
        const rows = await telling(reader.rows(content, wanted))
        return wanted.map((slot) => rows.get(slot))
      },
      async slots() {
        expectOpen()
        return slots.live()
      },
      async read(wanted) {
        expectOpen()
        const episodes = await telling(reader.episodes(content, wanted))
        return wanted.flatMap((slot) => episodes.get(slot) ?? [])
      },
      async replace(fill) {
        expectOpen()
        const others = new Slots()
        const next = content + 1
        await telling(writer.sweep(content, checkpoint.directory))
        try {
          await fill(async (episodes) => {
            expectOpen()
            const changes = asPuts(episodes)
            others.admit(changes)
            await telling(writer.write(next, slots.next, changes))
            mark(others, changes)
          })
          expectOpen()
          await telling(writer.switchTo(next, others.next))
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
    signatures: signatureStore(
      reader,
      () => content,
      async (work) => {
        expectOpen()
        return telling(work())
      },
    ),
    checkpoint: {
      async write(parts) {
        expectOpen()
        await telling(checkpoint.write(content, parts))
      },
    },
    async flush() {
      expectOpen()
    },
    async stats() {
      expectOpen()
      return {
        name: `PostgreSQL ${namespace}`,
        bytes: await telling(reader.bytes()),
        memory: slots.memory,
        durability: 'strict',
        durabilityReason: 'each commit is one transaction of PostgreSQL, which is as durable as its settings say',
        opening: [],
      }
    },
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
