import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { runs } from '../../../runs.js'
import { openMemory, withFolder } from '../../engine/open.js'
import { type Place, planned, Told } from './history.js'
import { probes } from './probes.js'
import { COMPARED, forgottenAndUnseen, histories, LATER, trials } from './twins.js'

const RUNS = runs(8)

const folder =
  (path: string): Place =>
  (clock) =>
    openMemory({ storage: nodeStorage(path), clock })
const mainMemory: Place = (clock) => openMemory({ storage: memoryStorage(), clock })

test(
  'a memory that forgot a session answers as a twin that never saw it, whatever came before and after',
  async () => {
    await fc.assert(
      fc.asyncProperty(trials, (trial) =>
        withFolder(async (path) => {
          const [forgotten, unseen] = await forgottenAndUnseen(trial, folder(path), mainMemory)
          expect(forgotten).toEqual(unseen)
        }),
      ),
      { numRuns: RUNS, ...(process.env.AGIDB_RUNS === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
    )
  },
  60_000 + 3_000 * RUNS,
)

test(
  'a memory that restored a session answers as before it forgot it, opened again or not',
  async () => {
    await fc.assert(
      fc.asyncProperty(histories(...COMPARED, 'believe'), fc.boolean(), ([before], reopens) =>
        withFolder(async (path) => {
          const calls = planned(before, 0)
          const told = await new Told(folder(path)).open()
          await told.run(calls)
          told.now = LATER
          const was = await probes(told.db, told.known)
          const { auditId } = await told.db.unlearn({ session: 's1' }, 'r')
          if (reopens) await told.reopened()
          if (auditId !== undefined) await told.db.restoreWithinWindow(auditId)
          if (reopens) await told.reopened()
          expect(await probes(told.db, told.known)).toEqual(was)
          await told.db.close()
        }),
      ),
      { numRuns: RUNS, ...(process.env.AGIDB_RUNS === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
    )
  },
  60_000 + 3_000 * RUNS,
)

test(
  'erasing what was forgotten changes no answer',
  async () => {
    await fc.assert(
      fc.asyncProperty(histories(...COMPARED, 'believe'), fc.boolean(), ([before], reopens) =>
        withFolder(async (path) => {
          const told = await new Told(folder(path)).open()
          await told.run(planned(before, 0))
          told.now = LATER
          await told.db.unlearn({ session: 's1' }, 'r')
          const was = await probes(told.db, told.known)
          await told.db.expire(LATER + 31 * 86_400_000)
          if (reopens) await told.reopened()
          expect(await probes(told.db, told.known)).toEqual(was)
          expect((await told.db.stats()).tombstones).toBe(0)
          await told.db.close()
        }),
      ),
      { numRuns: RUNS, ...(process.env.AGIDB_RUNS === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
    )
  },
  60_000 + 3_000 * RUNS,
)
