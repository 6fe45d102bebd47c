import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LearningEvent } from '../../../../src/api/learning.js'
import { runs } from '../../../runs.js'
import { NOW } from '../../../unit/engine/open.js'
import { Rederiving } from '../../../unit/memory/rederiving.js'

const PEOPLE = ['Ann', 'Tom']
const PLACES = ['Rome', 'Oslo']
const VERBS = ['lives in', 'does not live in', 'likes', 'guards']
const TEXTS = [
  'The oxygen tank of the service module is empty again today.',
  'The oxygen tank of the service module is empty again.',
  'Again the oxygen tank of the service module is empty today.',
  'Water leaks from the blue bottle under the kitchen table.',
  'Water leaks from the blue bottle under the kitchen table now.',
]

type Step =
  | { readonly do: 'state'; readonly a: number; readonly b: number; readonly c: number }
  | { readonly do: 'say'; readonly a: number }
  | { readonly do: 'supersede'; readonly a: number; readonly b: number }
  | { readonly do: 'consolidate'; readonly a: number; readonly b: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('state' as const), a: fc.nat(1), b: fc.nat(3), c: fc.nat(1) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('say' as const), a: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('supersede' as const), a: fc.nat(40), b: fc.nat(40) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('consolidate' as const), a: fc.nat(2), b: fc.nat(3) }) },
)

/** Takes the steps; none that is about an episode which never came. */
async function take(memory: Rederiving, steps: readonly Step[], start: number, gone: ReadonlySet<string>) {
  const { db } = memory
  for (const [i, step] of steps.entries()) {
    memory.time = NOW + 1_000 * (start + i)
    const id = `e${start + i}`
    if (step.do === 'consolidate') {
      const options = {
        ...(step.a > 0 && { minSupport: 2 }),
        ...(step.b === 0 && { functionalPredicates: ['guards'] }),
      }
      await db.consolidate(options)
    } else if (step.do === 'supersede') {
      const [old, by] = [`e${step.a % (start + i + 1)}`, `e${step.b % (start + i + 1)}`]
      if (gone.has(old) || gone.has(by)) continue
      await db.supersede(old, by, NOW + 1_000 * step.b).catch(() => {})
    } else if (gone.has(id)) continue
    else if (step.do === 'say') await db.observe(TEXTS[step.a], { id })
    else {
      const triple = { subject: PEOPLE[step.a], predicate: VERBS[step.b], object: PLACES[step.c] }
      await db.observe('so it is', { id, triples: [triple] })
    }
  }
}

/** What is told of an event where ids and places are not compared. */
function shown({ id: _, ...event }: LearningEvent): unknown {
  if (!('upTo' in event)) return event
  const { upTo: __, ...rest } = { ...event, decays: 0 }
  return rest
}

/** What is asked of the atoms and the self-vector. */
async function answers({ db, time }: Rederiving) {
  const times = [NOW + 5_000, NOW + 12_000, NOW + 25_000]
  const kinds = ['semanticAtomFormed', 'semanticAtomRevised', 'contradictionDetected', 'consolidationRun'] as const
  const events = await db.whatDidILearn(0, { kinds: [...kinds, 'selfVectorUpdated'] })
  return {
    atoms: await db.semanticAtoms(),
    atEnd: await db.semanticAtoms({ validAsOf: time }),
    then: await Promise.all(times.map((time) => db.semanticAtoms({ transactionAsOf: time }))),
    cued: await Promise.all(['Ann lives in Rome', TEXTS[0]].map((cue) => db.semanticAtoms({ cue }))),
    vector: await db.selfVector(),
    vectorThen: await Promise.all(times.map((time) => db.selfVectorAt(time))),
    drift: await db.introspect({ question: 'how much did I drift' }).then(({ summary }) => summary),
    like: await db.introspect({ question: 'what am I most like' }).then(({ summary }) => summary),
    size: (await db.stats()).atoms,
    events: events
      .filter((event) => !('isIdle' in event))
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
      .map(shown),
  }
}

test('a memory that forgot episodes knows what one does that never had them, and again all when they are back', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 6, maxLength: 40, size: 'max' }),
      fc.uniqueArray(fc.nat(39), { minLength: 1, maxLength: 8 }),
      fc.array(step, { maxLength: 8 }),
      async (steps, chosen, more) => {
        const memory = await new Rederiving().open()
        await take(memory, steps, 0, new Set())
        const all = (await memory.db.whatDidILearn(0, { kinds: ['episodeStored'] })) as LearningEvent<'episodeStored'>[]
        const gone = all.map(({ episode }) => episode).filter((id) => chosen.includes(Number(id.slice(1))))
        const half = Math.ceil(gone.length / 2)
        const whole = await answers(memory)
        await memory.forget(gone.slice(0, half))
        await memory.forget(gone.slice(half))
        const twin = await new Rederiving().open()
        await take(twin, steps, 0, new Set(gone))
        twin.time = memory.time
        const without = await answers(twin)
        expect(await answers(memory)).toEqual(without)
        await memory.restore()
        expect(await answers(memory)).toEqual(whole)
        await memory.forget(gone)
        expect(await answers(memory)).toEqual(without)
        for (const one of [memory, twin]) {
          await take(one, more, 200, new Set(gone))
          await one.db.consolidate()
        }
        expect(await answers(memory)).toEqual(await answers(twin))
        await Promise.all([memory.db.close(), twin.db.close()])
      },
    ),
    { numRuns: runs(30), ...(process.env.AGIDB_RUNS === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
  )
})
