import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Agidb } from '../../../../src/api/agidb.js'
import type { UnlearnTarget } from '../../../../src/api/forgetting.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { runs } from '../../../runs.js'
import { listed, NOW, openMemory, withFolder } from '../../../unit/engine/open.js'
import { namedBy, type Place, planned, type Step, Told } from '../../../unit/memory/forgetting/history.js'
import { histories } from '../../../unit/memory/forgetting/twins.js'

const RUNS = runs(40)

/** What links lead from and to. */
const LINKED: readonly Step['do'][] = ['observe', 'observe', 'goal', 'complete', 'believe', 'believe']

/** By what is forgotten what the twin never saw. */
const targets = fc.constantFrom<UnlearnTarget>({ session: 's1' }, { source: 'from s1' }, { concept: 'Bo' })

const folder =
  (path: string): Place =>
  (clock, options) =>
    openMemory({ storage: nodeStorage(path), clock, ...options })
const mainMemory: Place = (clock, options) => openMemory({ storage: memoryStorage(), clock, ...options })

/** The links of each episode and those that are told, by what goals and beliefs say. */
async function links(db: Agidb): Promise<unknown> {
  const said = async (id: string) => (await db.getGoal(id))?.description ?? (await db.getBelief(id))!.claim
  const shown = async (id: string) => {
    const { goal, beliefs = [] } = (await db.getEpisode(id))!
    return [id, ...(await Promise.all([...(goal === undefined ? [] : [goal]), ...beliefs].map(said)))]
  }
  const told = await db.whatDidILearn(0, { kinds: ['episodeLinked'] })
  const { matches } = await db.recall('who likes tea?', { k: 20 })
  return {
    shown: await Promise.all((await listed(db)).map(({ id }) => shown(id))),
    told: await Promise.all(
      told.map(async (event) => {
        return event.kind === 'episodeLinked' ? [event.episode, event.at, await said(event.goal ?? event.belief!)] : []
      }),
    ),
    lifted: matches.filter(({ signals }) => signals.goal === 0.3).map(({ id }) => id),
  }
}

/** What one of two twins never sees and is never told of, by the number of a step. */
function unseen(steps: readonly Step[], before: number, target: UnlearnTarget) {
  const isConcept = 'concept' in target
  const isUnseen = (at: number) => at < before && steps[at].session === 1
  // The other session of a concept is what names it.
  const isNamed = ({ do: kind }: Step) => kind === 'goal' || kind === 'believe'
  const isUntold = (at: number) => isConcept && at < before && isNamed(steps[at]) && namedBy(steps[at]) === 'Bo'
  return { isUnseen, isUntold }
}

test(
  'the links of a memory that forgot something are those of a twin that never had it, and come back with it',
  async () => {
    const trials = fc.tuple(histories(...LINKED), targets, fc.boolean(), fc.boolean())
    await fc.assert(
      fc.asyncProperty(trials, ([[before, after], target, reopens, erases]) =>
        withFolder(async (path) => {
          const named = (step: Step) => ({ ...step, session: Number(namedBy(step) === 'Bo') })
          const steps = [...before, ...after].map((step) => ('concept' in target ? named(step) : step))
          const calls = planned(steps, before.length)
          const { isUnseen, isUntold } = unseen(steps, before.length, target)
          const full = await new Told(folder(path)).open()
          const twin = await new Told(mainMemory, isUnseen, undefined, isUntold).open()
          const earlier = calls.filter(({ at }) => at < before.length)
          for (const one of [full, twin]) await one.run(earlier)
          full.now = twin.now = NOW + 60_000 * before.length + 30_000
          const was = await links(full.db)
          const first = await full.db.unlearn(target, 'r')
          if (first.auditId !== undefined) await full.db.restoreWithinWindow(first.auditId)
          expect(await links(full.db)).toEqual(was)
          await full.db.unlearn(target, 'r')
          if (erases) await full.db.expire(full.now + 31 * 86_400_000)
          if (reopens) await full.reopened()
          for (const one of [full, twin]) await one.run(calls.filter(({ at }) => at >= before.length))
          full.now = twin.now = NOW + 3_600_000
          expect(await links(full.db)).toEqual(await links(twin.db))
          for (const { db } of [full, twin]) await db.close()
        }),
      ),
      { numRuns: RUNS, ...(process.env.AGIDB_RUNS === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
    )
  },
  60_000 + 3_000 * RUNS,
)
