import { systemClock } from '../../../base/clock.js'
import type { StorageEvent } from '../../../api/stats.js'
import { AgidbError, toWire } from '../../../base/errors.js'
import type { FlushRequest } from '../../journal/flushing.js'
import { newHeader } from '../../journal/frame.js'
import { Handle } from '../../journal/handle.js'
import { Tables, type TablesState } from '../../mirror/indexeddb.js'
import type { OpenedStorage, StorageAdapter, StorageChange, StoredEpisode, VisitEpisode } from '../../../api/storage.js'

/** Episodes that are read at a time while opening. */
const EPISODES_PER_PAGE = 500

/**
 * A store in IndexedDB alone, for where OPFS is missing: each commit is one transaction with the
 * durability that is asked for. Some browsers can lose a whole IndexedDB in a crash, so this is second best.
 *
 * @param tables the IndexedDB database
 * @param reason why there is nothing better, for `stats`
 */
export function indexedDbStorage(
  name: string,
  tables: Tables,
  reason: string,
  durability: FlushRequest = 'strict',
): StorageAdapter {
  return {
    async open(visit) {
      const events: StorageEvent[] = []
      let bytes = 0
      try {
        const state = await stateOf(name, tables, reason, (event) => events.push(event))
        await visitAll(tables, (episode) => {
          bytes += episode.row.length + sizeOf(episode.signatures)
          visit(episode)
        })
        return openedStorage(name, tables, state, { reason, durability, bytes, events })
      } catch (error) {
        await tables.close()
        throw error
      }
    },
  }
}

/** The state of the tables, which are made when they are not there. */
async function stateOf(
  name: string,
  tables: Tables,
  reason: string,
  report: (event: StorageEvent) => void,
): Promise<TablesState> {
  const found = await tables.state()
  if (found?.role === 'mirror') {
    const message = `the journal of ${name} is in OPFS, which cannot be used now: ${reason}; open it where OPFS works`
    throw new AgidbError('AGIDB_STORAGE', message, { database: name })
  }
  if (found) return found
  const { databaseId, createdAt } = newHeader(systemClock())
  const made: TablesState = { databaseId, createdAt, role: 'only', nextSlot: 0, appliedLsn: 0, appliedAt: 0, epoch: 0 }
  await tables.setState(made)
  report({ kind: 'created', message: `a new database ${name} was created`, details: { databaseId } })
  return made
}

async function visitAll(tables: Tables, visit: VisitEpisode): Promise<void> {
  for (let after = -1; ; ) {
    const page = await tables.episodes(after, EPISODES_PER_PAGE)
    if (page.length === 0) return
    for (const episode of page) visit(episode)
    after = page[page.length - 1].slot
  }
}

interface Opening {
  readonly reason: string
  readonly durability: FlushRequest
  readonly bytes: number
  readonly events: readonly StorageEvent[]
}

function openedStorage(name: string, tables: Tables, state: TablesState, opening: Opening): OpenedStorage {
  const { reason, durability, events } = opening
  let { bytes } = opening
  const handle = new Handle(`the storage of ${name}`, state)

  /** The state after a commit, if the tables are still as the last commit of this storage left them. */
  const expecting =
    (before: TablesState, after: TablesState) =>
    (now: TablesState | undefined): TablesState => {
      if (now?.databaseId === before.databaseId && now.appliedLsn === before.appliedLsn) return after
      const message = `the database ${name} was changed or deleted behind this one's back: close it and open it again`
      throw new AgidbError('AGIDB_IN_USE', message, { database: name })
    }

  return {
    databaseId: state.databaseId,
    nextSlot: state.nextSlot,
    rows: {
      commit: (changes) =>
        handle.change(async (before) => {
          if (changes.length === 0) return
          const nextSlot = nextSlotAfter(before.nextSlot, changes)
          const after = { ...before, nextSlot, appliedLsn: before.appliedLsn + 1 }
          await tables.apply(changes, durability, expecting(before, after))
          handle.set(after)
          for (const change of changes) {
            if (change.op === 'put') bytes += change.row.length
            if (change.op === 'put' || change.op === 'setSignatures') bytes += sizeOf(change.signatures)
          }
        }),
      async get(slots) {
        handle.get()
        return tables.rows(slots)
      },
      slots: () => handle.change(() => tables.slots()),
      read: (slots) => handle.change(() => tables.read(slots)),
      replace: (fill) =>
        handle.change(async (before) => {
          // A transaction does not wait for a file to be read, so all of it is collected first.
          const others: StoredEpisode[] = []
          await fill(async (episodes) => void others.push(...episodes))
          const changes = others.map((episode): StorageChange => ({ op: 'put', ...episode }))
          const after = { ...before, nextSlot: nextSlotAfter(0, changes), appliedLsn: before.appliedLsn + 1 }
          await tables.apply(changes, 'strict', expecting(before, after), { emptied: true })
          handle.set(after)
          bytes = others.reduce((sum, { row, signatures }) => sum + row.length + sizeOf(signatures), 0)
        }),
    },
    maintenance: {
      // IndexedDB frees by itself what was removed, and there is no second copy to repair from.
      compact: async () => {},
      garbage: () => undefined,
      repair: async () => {},
      verify: ({ findings, visit }) =>
        handle.change(async () => {
          try {
            await visitAll(tables, (episode) => {
              findings.checked.rows++
              visit(episode)
            })
          } catch (error) {
            const { code, message } = toWire(error)
            if (code !== 'AGIDB_CORRUPT') throw error
            findings.add('row-unreadable', 'loss', message)
          }
        }),
    },
    flush: () => handle.idle(),
    async stats() {
      handle.get()
      return {
        name: 'IndexedDB',
        bytes,
        durability: 'idb-only',
        durabilityReason: `${reason}; ${TRANSACTIONS[durability]}`,
        opening: [...events],
      }
    },
    close: () => handle.close(() => tables.close()),
  }
}

const TRANSACTIONS: Record<FlushRequest, string> = {
  strict: 'its transactions are strict',
  relaxed: "its transactions are relaxed, because durability: 'relaxed' was asked for",
}

function sizeOf(signatures: object): number {
  return Object.values(signatures).reduce((sum: number, { length }: Uint8Array) => sum + length, 0)
}

function nextSlotAfter(nextSlot: number, changes: readonly StorageChange[]): number {
  return changes.reduce((next, { slot }) => Math.max(next, slot + 1), nextSlot)
}
