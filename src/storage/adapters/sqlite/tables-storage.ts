import type {
  CheckpointLoader,
  OpenedStorage,
  StorageAdapter,
  StorageChange,
  VisitEpisode,
} from '../../../api/storage.js'
import { AgidbError } from '../../../base/errors.js'
import { randomHex } from '../../../base/hex.js'
import { storedCheckpoint, writeParts } from '../../checkpoint/pieces.js'
import { restore, type Restorable } from '../../checkpoint/restore.js'
import { Handle } from '../../journal/handle.js'
import { ownCopy } from '../../mirror/own-copy.js'
import { CheckpointTable } from './checkpoint.js'
import type { SqliteDatabase } from './database.js'
import { maintenanceOf } from './maintenance.js'
import { type State, StateTable } from './state.js'
import { Tables } from './tables.js'

/** The prefixes in use, by database, in lower case as SQLite compares names: a memory is opened once at a time. */
const inUse = new WeakMap<SqliteDatabase, Set<string>>()

/**
 * A storage in tables of an SQLite database: the rows, the signatures and a checkpoint of the indexes. Each commit is
 * one transaction. The memory of a scope has tables of its own in the same database.
 *
 * @param prefix of the names of the tables. Default `agidb`.
 */
export function tableStorage(database: SqliteDatabase, prefix = 'agidb'): StorageAdapter {
  const prefixes = inUse.get(database) ?? new Set()
  inUse.set(database, prefixes)
  const used = prefix.toLowerCase()
  return {
    scope: (key) => tableStorage(database, `${prefix}_${key}`),
    async open(visit, loader) {
      if (prefixes.has(used)) {
        const message = `the tables ${prefix} of ${database.name} are open already: close that memory first`
        throw new AgidbError('AGIDB_IN_USE', message, { prefix })
      }
      prefixes.add(used)
      let disown: (() => void) | undefined
      const release = (): void => {
        prefixes.delete(used)
        disown?.()
      }
      try {
        disown = await database.own?.()
        return await opened(database, prefix, release, visit, loader)
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

async function opened(
  database: SqliteDatabase,
  prefix: string,
  release: () => void,
  visit: VisitEpisode,
  loader?: CheckpointLoader,
): Promise<OpenedStorage> {
  const states = new StateTable(database, prefix)
  const found = states.read()
  const state = found ?? { databaseId: randomHex(16), nextSlot: 0, commits: 0, kinds: [] }
  const tables = new Tables(database, prefix, state.kinds)
  const checkpoints = new CheckpointTable(database, prefix)
  const staged = (): Tables => new Tables(database, `${prefix}_new`, state.kinds)
  if (!database.readOnly)
    database.transaction(() => {
      tables.create()
      checkpoints.create()
      // What a program that ended in the midst of a replacement or of a checkpoint left behind.
      staged().drop()
      checkpoints.keepOnly(state.checkpoint)
      if (found === undefined) states.write(state)
    })
  const { checkpoint } = state
  const restorable: Restorable = {
    checkpoint: () => checkpoint && storedCheckpoint(checkpoints, checkpoint),
    changed: () => tables.changedAfter(checkpoint!.commit),
    slots: () => tables.slots(),
    episodes: (slots) => tables.episodes(slots),
  }
  await restore(restorable, visit, loader)
  const handle = new Handle<State>(`the storage ${prefix} of ${database.name}`, state)
  const change = <T>(work: (before: State) => Promise<T>): Promise<T> =>
    handle.change((before) => (database.readOnly ? Promise.reject(readOnlyError(database)) : work(before)))
  const store = (after: State): void => {
    database.transaction(() => {
      states.expect(after)
      states.write(after)
      checkpoints.keepOnly(after.checkpoint)
    })
    handle.set(after)
  }
  return {
    databaseId: state.databaseId,
    nextSlot: state.nextSlot,
    rows: {
      commit: (changes) =>
        change(async (before) => {
          if (changes.length === 0) return
          handle.set(writing(database, () => commit(database, tables, checkpoints, states, before, changes)))
        }),
      get: async (slots) => {
        handle.get()
        return slots.map((slot) => tables.row(slot))
      },
      slots: () => handle.change(async () => tables.slots()),
      read: (slots) => handle.change(async () => slots.flatMap((slot) => tables.episode(slot) ?? []).map(ownCopy)),
      replace: (fill) =>
        change(async (before) => {
          const others = staged()
          const commits = before.commits + 1
          let nextSlot = 0
          const discard = (): void => others.drop()
          discard()
          others.create()
          try {
            await fill(async (episodes) => {
              const puts = episodes.map((episode) => ({ op: 'put' as const, ...episode }))
              nextSlot = writing(database, () => database.transaction(() => others.apply(puts, commits, nextSlot)))
            })
            const after: State = { ...before, nextSlot, commits, checkpoint: undefined }
            writing(database, () =>
              database.transaction(() => {
                states.expect(before)
                others.replace(tables)
                states.write(after)
                checkpoints.keepOnly(undefined)
              }),
            )
            handle.set(after)
          } catch (error) {
            discard()
            throw error
          }
        }),
    },
    signatures: {
      visitEpisodes: (slots, visit) =>
        handle.change(async () => {
          for (const slot of slots) {
            const episode = tables.episode(slot)
            if (episode !== undefined) visit(episode)
          }
        }),
      visitPacked: async (slots, visit) => {
        handle.get()
        tables.visitPacked(slots, visit)
      },
    },
    checkpoint: {
      write: (parts) =>
        change(async (before) => {
          try {
            store({ ...before, checkpoint: await writeParts(checkpoints, before.commits, parts, before.checkpoint) })
          } catch (error) {
            checkpoints.keepOnly(before.checkpoint)
            throw error instanceof AgidbError ? error : failed(database, error)
          }
        }),
    },
    ...(database.scrub !== undefined && {
      maintenance: maintenanceOf(database, tables, checkpoints, {
        still: (work) => handle.change(work),
        change,
        staged,
        write: (after) => {
          states.expect(after)
          states.write(after)
        },
        set: (after) => handle.set(after),
      }),
    }),
    async flush() {
      handle.get()
      await database.flush()
    },
    async stats() {
      handle.get()
      const { name, bytes, durability, durabilityReason } = database
      return { name, bytes, durability, durabilityReason, opening: [] }
    },
    async close() {
      if (!handle.isOpen) return
      await handle.close(async () => {
        try {
          await database.flush()
        } finally {
          release()
        }
      })
    },
  }
}

/** One commit as one transaction. A removal drops the checkpoint, which may hold what was removed. */
function commit(
  database: SqliteDatabase,
  tables: Tables,
  checkpoints: CheckpointTable,
  states: StateTable,
  before: State,
  changes: readonly StorageChange[],
): State {
  const commits = before.commits + 1
  const checkpoint = changes.some(({ op }) => op === 'remove') ? undefined : before.checkpoint
  return database.transaction(() => {
    states.expect(before)
    const after = { ...before, commits, checkpoint, nextSlot: tables.apply(changes, commits, before.nextSlot) }
    if (checkpoint !== before.checkpoint) checkpoints.keepOnly(checkpoint)
    states.write(after, before)
    return after
  })
}

/** What a driver throws becomes an error with a code. */
function writing<T>(database: SqliteDatabase, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof AgidbError ? error : failed(database, error)
  }
}

function failed({ name }: SqliteDatabase, cause: unknown): AgidbError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const isFull = /full|quota|limit|SQLITE_TOOBIG/i.test(reason)
  const code = isFull ? 'AGIDB_QUOTA' : 'AGIDB_STORAGE'
  return new AgidbError(code, `writing to ${name} failed: ${reason}; nothing of it took effect`, {}, { cause })
}

function readOnlyError({ name }: SqliteDatabase): AgidbError {
  return new AgidbError(
    'AGIDB_READ_ONLY',
    `the memory in ${name} was opened with readOnly: true; open it without to write`,
  )
}
