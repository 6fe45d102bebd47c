import type { ImportReport } from '../api/portable.js'
import { refusedToWrite } from '../api/registry.js'
import type { OpenedStorage } from '../api/storage.js'
import { AgidbError } from '../base/errors.js'
import type { Caller } from '../api/caller.js'
import type { Fill } from './apply-changes.js'
import type { EngineBuilder } from './builder.js'
import type { Engine } from './engine.js'
import type { EngineParts } from './parts.js'
import type { Apply, Replace } from './replaceable.js'

/** Reads an import into a storage, in one commit, and builds the engine of it. */
export function replacementIn(storage: OpenedStorage, builder: EngineBuilder, parts: EngineParts): Replace {
  const { caller, clock, limits, recordKinds } = builder
  return async (before, by, source, imported) => {
    const { readExportInto } = await parts.portable()
    return before.still(async () => {
      if (caller.readOnly) throw refusedToWrite('import')
      if (imported.replace !== true && (await before.slots()).length > 0) {
        throw new AgidbError(
          'AGIDB_NOT_EMPTY',
          'the memory holds something, which an import would take the place of; import into an empty one, ' +
            'or pass { replace: true }',
        )
      }
      const restorer = builder.restorer()
      let engine: Engine | undefined
      let report: ImportReport | undefined
      try {
        await storage.rows.replace(async (add) => {
          report = await readExportInto(
            {
              restorer,
              recordKinds,
              limits,
              clock,
              makeId: builder.idsFrom(0),
              writer: by.writer,
              add,
              sealed: storage.sealed,
            },
            source,
            imported,
          )
          const { episodes, records } = report
          // In the same commit, so that whoever asks again is told.
          const receipts = before.idempotencyLog.rowsForReplacement(episodes + records, { caller: by, answer: report })
          if (receipts.length > 0) await add(receipts)
          for (const row of receipts) restorer.visit(row)
          engine = await checked(() => builder.build(restorer, storage, episodes + records + receipts.length))
        })
        builder.adopt(restorer)
      } catch (error) {
        builder.discard(restorer)
        throw error
      }
      before.release()
      engine!.start()
      builder.tell('memoryImported', by)
      return { engine: engine!, report: report! }
    })
  }
}

/** Applies changes of other devices to what a storage holds. */
export function applicationIn(storage: OpenedStorage, builder: EngineBuilder, parts: EngineParts): Apply {
  return async (before, { writer, from, readOnly }, given) => {
    if (readOnly || builder.caller.readOnly) throw refusedToWrite('apply')
    const { applyChanges } = await parts.sync()
    // Applied twice, changes do nothing: what call it was need not be known.
    const by = { writer, from }
    let engine = before
    const replace = async (prepare: () => Promise<Fill>) => {
      engine = await before.still(async () => refilled(storage, builder, before, by, await prepare()))
      return engine.inside()
    }
    const report = await applyChanges({ ...(await before.inside()), by, given, replace })
    if (engine === before) before.noticed()
    else builder.tell('changesApplied', by)
    return { engine, report }
  }
}

/** The engine of other rows, which take the place of those that there are. */
async function refilled(
  storage: OpenedStorage,
  builder: EngineBuilder,
  before: Engine,
  caller: Caller,
  fill: Fill,
): Promise<Engine> {
  const restorer = builder.restorer()
  let engine: Engine | undefined
  try {
    await storage.rows.replace(async (add) => {
      const next = await fill(restorer, add)
      const receipts = before.idempotencyLog.rowsForReplacement(next, { caller })
      if (receipts.length > 0) await add(receipts)
      for (const row of receipts) restorer.visit(row)
      engine = await builder.build(restorer, storage, next + receipts.length)
    })
    builder.adopt(restorer)
  } catch (error) {
    builder.discard(restorer)
    throw error
  }
  before.release()
  engine!.start()
  return engine!
}

/**
 * Builds the engine of imported rows. Rows that passed every check and cannot be opened all the same are refused, too.
 */
async function checked(build: () => Promise<Engine>): Promise<Engine> {
  try {
    return await build()
  } catch (cause) {
    if (cause instanceof AgidbError) throw cause
    throw new AgidbError(
      'AGIDB_CORRUPT',
      `the rows of the export do not fit each other: ${String(cause)}; nothing was imported`,
      {},
      { cause },
    )
  }
}
