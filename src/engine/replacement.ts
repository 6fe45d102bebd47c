import type { Caller } from '../api/caller.js'
import type { ChangeKind } from '../api/change.js'
import type { Limits } from '../api/open-options.js'
import type { ExportSource, ImportOptions, ImportReport } from '../api/portable.js'
import { refusedToWrite } from '../api/registry.js'
import type { AddEpisodes, OpenedStorage } from '../api/storage.js'
import type { ApplyReport, Changes } from '../api/sync.js'
import { AgidbError } from '../base/errors.js'
import type { IdMaker } from '../base/ids.js'
import type { Floors } from '../memory/memory.js'
import type { RecordKinds } from '../records/record-kind.js'
import type { IdempotencyLog, Receipt } from '../write/idempotency-log.js'
import type { Fill } from './apply-changes.js'
import type { EngineContext } from './context.js'
import type { Followed } from './follow.js'
import type { Portable } from './portable.js'
import type { Restorer } from './restore.js'
import type { Sync } from './sync.js'

/** What is replaced: an engine, as far as it matters here. */
export interface Replaceable extends Followed {
  readonly idempotencyLog: IdempotencyLog
  slots(): Promise<number[]>
  inside(): Promise<{ readonly context: EngineContext; readonly floors: Floors }>
  noticed(): void
  start(): void
}

/** What builds the engine of new rows: see `EngineBuilder`. */
export interface Rebuilding<E> {
  readonly caller: Caller
  readonly limits: Limits
  readonly recordKinds: RecordKinds
  readonly clock: () => number
  idsFrom(start: number): IdMaker
  tell(kind: ChangeKind, by: Caller): void
  restorer(): Restorer
  build(restored: Restorer, storage: OpenedStorage, nextSlot: number): Promise<E>
  adopt(restored: Restorer): void
  discard(restored: Restorer | E): void
}

/** What reads imports and changes, loaded when it is first asked for. */
interface Readers {
  readonly portable: () => Promise<Portable>
  readonly sync: () => Promise<Sync>
}

/**
 * Imports for a caller and makes the engine of the new content. If it rejects, the engine before stays in use. No other
 * call runs meanwhile.
 */
export type Replace<E> = (
  before: E,
  by: Caller,
  source: ExportSource,
  options: ImportOptions,
) => Promise<{ readonly engine: E; readonly report: ImportReport }>

/** Applies changes of another device for a caller, as {@link Replace} imports. */
export type Apply<E> = (
  before: E,
  by: Caller,
  changes: Changes | Uint8Array,
) => Promise<{ readonly engine: E; readonly report: ApplyReport }>

/** Reads an import into a storage, in one commit, and builds the engine of it. */
export function replacementIn<E extends Replaceable>(
  storage: OpenedStorage,
  builder: Rebuilding<E>,
  parts: Readers,
): Replace<E> {
  const { caller, clock, limits, recordKinds } = builder
  return async (before, by, source, imported) => {
    const { readExportInto } = await parts.portable()
    return before.still(async () => {
      if (caller.readOnly) throw refusedToWrite('import')
      if (imported.replace !== true && (await before.slots()).length > 0) {
        throw new AgidbError(
          'AGIDB_NOT_EMPTY',
          'the memory is not empty, and an import replaces all that it holds; import into an empty one, ' +
            'or pass { replace: true }',
        )
      }
      let report: ImportReport | undefined
      const engine = await refilled(storage, builder, before, async (restorer, add) => {
        const read = { restorer, recordKinds, limits, clock, add, makeId: builder.idsFrom(0), sealed: storage.sealed }
        report = await readExportInto({ ...read, writer: by.writer }, source, imported)
        return { rows: report.episodes + report.records, receipt: { caller: by, answer: report } }
      })
      builder.tell('memoryImported', by)
      return { engine, report: report! }
    })
  }
}

/** Applies changes of other devices to what a storage holds. */
export function applicationIn<E extends Replaceable>(
  storage: OpenedStorage,
  builder: Rebuilding<E>,
  parts: Readers,
): Apply<E> {
  return async (before, { writer, from, readOnly }, given) => {
    if (readOnly || builder.caller.readOnly) throw refusedToWrite('apply')
    const { applyChanges } = await parts.sync()
    // Changes that are applied twice do nothing, so the number of the call need not be kept.
    const by = { writer, from }
    let engine = before
    const replace = async (prepare: () => Promise<Fill>) => {
      engine = await before.still(async () => {
        const fill = await prepare()
        return refilled(storage, builder, before, async (restorer, add) => ({
          rows: await fill(restorer, add),
          receipt: { caller: by },
        }))
      })
      return engine.inside()
    }
    const report = await applyChanges({ ...(await before.inside()), by, given, replace })
    if (engine === before) before.noticed()
    else builder.tell('changesApplied', by)
    return { engine, report }
  }
}

/** What was filled in: how many rows, and the call that is answered by them. */
interface Filled {
  readonly rows: number
  readonly receipt: Receipt
}

/**
 * Replaces all rows of a storage in one commit and builds the engine of the new ones. If anything fails, the rows and
 * the engine before stay as they are.
 */
async function refilled<E extends Replaceable>(
  storage: OpenedStorage,
  builder: Rebuilding<E>,
  before: E,
  fill: (restorer: Restorer, add: AddEpisodes) => Promise<Filled>,
): Promise<E> {
  const restorer = builder.restorer()
  let engine: E | undefined
  try {
    await storage.rows.replace(async (add) => {
      const { rows, receipt } = await fill(restorer, add)
      // In the same commit, so that a caller who repeats the call gets the answer of this one.
      const receipts = before.idempotencyLog.rowsForReplacement(rows, receipt)
      if (receipts.length > 0) await add(receipts)
      for (const row of receipts) restorer.visit(row)
      engine = await checked(() => builder.build(restorer, storage, rows + receipts.length))
    })
    builder.adopt(restorer)
  } catch (error) {
    builder.discard(engine ?? restorer)
    throw error
  }
  before.release()
  engine!.start()
  return engine!
}

/** Builds the engine of new rows. Rows that passed every check and cannot be opened all the same are refused, too. */
async function checked<E>(build: () => Promise<E>): Promise<E> {
  try {
    return await build()
  } catch (cause) {
    if (cause instanceof AgidbError) throw cause
    throw new AgidbError(
      'AGIDB_CORRUPT',
      `the new rows do not fit each other: ${String(cause)}; the memory stays as it was`,
      {},
      { cause },
    )
  }
}
