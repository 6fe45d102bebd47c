import type { StorageMaintenance, VerifyVisitor } from '../../../api/storage.js'
import { AgidbError } from '../../../base/errors.js'
import { pace } from '../../../base/pace.js'
import { type Directory, verifyParts } from '../../checkpoint/pieces.js'
import type { CheckpointTable } from './checkpoint.js'
import type { SqliteDatabase } from './database.js'
import type { State } from './state.js'
import type { Tables } from './tables.js'

/** Episodes that are copied at a time. */
const PAGE = 1024

/** What the maintenance needs of an open memory. */
interface OpenMemory {
  /** Runs when no change is under way. */
  still<T>(work: (state: State) => Promise<T>): Promise<T>
  /** Likewise; refused where the memory is read only. */
  change<T>(work: (state: State) => Promise<T>): Promise<T>
  /** The tables of what is to take the place of the memory. */
  staged(): Tables
  /** Writes another state, as part of a transaction. */
  write(after: State): void
  /** Goes on from another state, once that is stored. */
  set(after: State): void
}

/** The compaction and the verification of a memory. */
export function maintenanceOf(
  database: SqliteDatabase,
  tables: Tables,
  checkpoints: CheckpointTable,
  { still, change, staged, write, set }: OpenMemory,
): StorageMaintenance {
  /** Drops the checkpoint, in one transaction with `work`. */
  const dropCheckpoint = (before: State, work?: () => void): void => {
    const after: State = { ...before, checkpoint: undefined }
    database.transaction(() => {
      work?.()
      write(after)
      checkpoints.drop()
      checkpoints.create()
    })
    set(after)
  }
  return {
    compact: () =>
      change(async (before) => {
        const others = staged()
        others.drop()
        others.create()
        try {
          await copyAll(database, tables, others)
          dropCheckpoint(before, () => others.replace(tables))
        } catch (error) {
          others.drop()
          throw error
        }
        database.scrub?.()
      }),
    garbage: () => undefined,
    verify: (visitor) => still(({ checkpoint }) => verify(database, tables, checkpoints, checkpoint, visitor)),
    repair: (codes) =>
      change(async (before) => {
        if (codes.includes('image-damaged')) dropCheckpoint(before)
      }),
  }
}

/**
 * Copies the content in steps, so that reads go on meanwhile. SQLite overwrites what is freed (`secure_delete`), but a
 * row that moved to another page may have left its bytes in the free space of the first: all pages of the tables are
 * freed, which overwrites them as a whole.
 */
async function copyAll(database: SqliteDatabase, tables: Tables, others: Tables): Promise<void> {
  const slots = tables.slots()
  const rest = pace()
  for (let at = 0, first = 0; first < Number.MAX_SAFE_INTEGER; at += PAGE) {
    const last = slots[at + PAGE - 1] ?? Number.MAX_SAFE_INTEGER
    database.transaction(() => others.copy(tables, first, last))
    first = last + 1
    await rest()
  }
}

async function verify(
  database: SqliteDatabase,
  tables: Tables,
  checkpoints: CheckpointTable,
  checkpoint: Directory | undefined,
  visitor: VerifyVisitor,
): Promise<void> {
  const { findings, visit } = visitor
  findings.checked.bytes += database.bytes
  const rest = pace()
  for (const slot of tables.slots()) {
    try {
      visit(tables.episode(slot)!)
      findings.checked.rows++
    } catch (error) {
      if (!isDamage(error)) throw error
      findings.add('row-unreadable', 'loss', error.message, { slot })
    }
    await rest()
  }
  if (checkpoint !== undefined) await verifyParts(checkpoints, checkpoint, visitor)
}

function isDamage(error: unknown): error is AgidbError {
  return error instanceof AgidbError && error.code === 'AGIDB_CORRUPT'
}
