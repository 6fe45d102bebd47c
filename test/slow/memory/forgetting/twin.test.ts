import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Agidb as Memory } from '../../../../src/api/agidb.js'
import type { UnlearnTarget } from '../../../../src/api/forgetting.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { runs } from '../../../runs.js'
import { openMemory, withFolder } from '../../../unit/engine/open.js'
import { type Place, planned, Told } from '../../../unit/memory/forgetting/history.js'
import { probes } from '../../../unit/memory/forgetting/probes.js'
import {
  COMPARED,
  conceptTrials,
  forgottenAndUnseen,
  histories,
  LATER,
  personForgottenAndUnknown,
  trials,
} from '../../../unit/memory/forgetting/twins.js'

const RUNS = runs(8)

const folder =
  (path: string): Place =>
  (clock, options) =>
    openMemory({ storage: nodeStorage(path), clock, autoBelieve: 0.8, ...options })
const mainMemory: Place = (clock, options) =>
  openMemory({ storage: memoryStorage(), clock, autoBelieve: 0.8, ...options })

/** What is forgotten and restored, or erased. */
const targets = fc.constantFrom<UnlearnTarget>({ session: 's1' }, { concept: 'Bo' }, { all: true })

/** A scope of a memory in a folder, and another one that is told the same and forgets nothing. */
const scope =
  (path: string): Place =>
  async (clock, options) => {
    const whole = { codebook: 'none', extract: 'none', autoConsolidate: false, autoBelieve: 0.8 } as const
    const db = await Agidb.open({ path, clock, seed: 1, ...whole, ...options })
    return besides(db.scope({ user: 'ann' }), db.scope({ user: 'bob' }), () => db.close())
  }

/** What changes a memory, and what the other one is told, too. */
const TOLD: ReadonlySet<PropertyKey> = new Set(['observe', 'observeSensory', 'update', 'supersede', 'consolidate'])

/** The arguments of `observe` for a memory that has neither the goal nor the beliefs of the other one. */
function withoutLinks([text, context]: unknown[]): unknown[] {
  const { goal: _, beliefs: __, ...rest } = (context ?? {}) as Record<string, unknown>
  return [text, rest]
}

/** A memory beside which another one is told the same. */
function besides(own: Memory, other: Memory, close: () => Promise<void>): Memory {
  return new Proxy({} as Memory, {
    get(_, name) {
      if (name === 'close') return close
      const method: unknown = own[name as keyof Memory]
      if (typeof method !== 'function') return method
      if (!TOLD.has(name)) return method.bind(own) as unknown
      return async (...args: unknown[]) => {
        const told = (other[name as keyof Memory] as (...args: unknown[]) => Promise<unknown>)(
          ...(name === 'observe' ? withoutLinks(args) : args),
        )
        // It forgets nothing: what this one may supersede anew is superseded there still.
        await told.catch((error: unknown) => {
          if (name !== 'supersede' || (error as { code?: string }).code !== 'AGIDB_INVALID_ARGUMENT') throw error
        })
        return (method as (...args: unknown[]) => Promise<unknown>).apply(own, args)
      }
    },
  })
}

test(
  'a memory that forgot a session answers as a twin that never saw it, whatever came before and after',
  async () => {
    await fc.assert(
      fc.asyncProperty(trials, fc.constantFrom(folder, folder, scope), (trial, place) =>
        withFolder(async (path) => {
          const [forgotten, unseen] = await forgottenAndUnseen(trial, place(path), mainMemory)
          expect(forgotten).toEqual(unseen)
        }),
      ),
      { numRuns: RUNS, ...(process.env.AGIDB_RUNS === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
    )
  },
  60_000 + 3_000 * RUNS,
)

test(
  'a memory that forgot a person as a concept answers as a twin that never heard of them',
  async () => {
    await fc.assert(
      fc.asyncProperty(conceptTrials, (trial) =>
        withFolder(async (path) => {
          const [forgotten, unknown] = await personForgottenAndUnknown(trial, folder(path), mainMemory)
          expect(forgotten).toEqual(unknown)
        }),
      ),
      { numRuns: RUNS, ...(process.env.AGIDB_RUNS === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
    )
  },
  60_000 + 3_000 * RUNS,
)

test(
  'a memory that restored something answers as before it forgot it, opened again or not',
  async () => {
    await fc.assert(
      fc.asyncProperty(histories(...COMPARED, 'believe'), fc.boolean(), targets, ([before], reopens, target) =>
        withFolder(async (path) => {
          const calls = planned(before, 0)
          const told = await new Told(folder(path)).open()
          await told.run(calls)
          told.now = LATER
          const was = await probes(told.db, told.known)
          const { auditId } = await told.db.unlearn(target, 'r')
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
      fc.asyncProperty(histories(...COMPARED, 'believe'), fc.boolean(), targets, ([before], reopens, target) =>
        withFolder(async (path) => {
          const told = await new Told(folder(path)).open()
          await told.run(planned(before, 0))
          told.now = LATER
          await told.db.unlearn(target, 'r')
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
