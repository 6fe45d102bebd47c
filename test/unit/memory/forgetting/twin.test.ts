import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../runs.js'
import { NOW, withFolder } from '../../engine/open.js'
import { planned, type Step, stepOf, Told } from './history.js'
import { probes } from './probes.js'

const RUNS = runs(8)
const LATER = NOW + 3_600_000

/** Floors that are compared with a twin. Beliefs have their own twin test. */
const COMPARED: readonly Step['do'][] = [
  'observe',
  'observe',
  'observe',
  'supersede',
  'goal',
  'complete',
  'procedure',
  'execute',
  'consolidate',
]

const histories = (...kinds: readonly Step['do'][]) =>
  fc.tuple(
    fc.array(stepOf(...kinds), { minLength: 1, maxLength: 14, size: 'max' }),
    fc.array(stepOf(...kinds), { maxLength: 6, size: 'max' }),
  )

test(
  'a memory that forgot a session answers as a twin that never saw it, whatever came before and after',
  async () => {
    await fc.assert(
      fc.asyncProperty(histories(...COMPARED), fc.boolean(), ([before, after], reopens) =>
        withFolder(async (path) => {
          const calls = planned([...before, ...after], before.length)
          const full = await new Told(path).open()
          const twin = await new Told(undefined, (at) => at < before.length && before[at].session === 1).open()
          const earlier = calls.filter(({ at }) => at < before.length)
          const later = calls.filter(({ at }) => at >= before.length)
          await full.run(earlier)
          await twin.run(earlier)
          await full.db.unlearn({ session: 's1' }, 'r')
          if (reopens) await full.reopened()
          await full.run(later)
          await twin.run(later)
          full.now = twin.now = LATER
          expect(await probes(full.db, full.known, full.nameOf)).toEqual(await probes(twin.db, twin.known, twin.nameOf))
          await full.db.close()
          await twin.db.close()
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
          const told = await new Told(path).open()
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
          const told = await new Told(path).open()
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
