import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LearningEvent } from '../../../../src/api/learning.js'
import { without } from '../../../../src/memory/beliefs/bayes.js'
import { runs } from '../../../runs.js'
import { NOW } from '../../../unit/engine/open.js'
import { Rederiving } from '../../../unit/memory/rederiving.js'

const PEOPLE = ['Ann', 'Tom']
const NAMES = [...PEOPLE, 'Annie']
const PLACES = ['Rome', 'Oslo']
const VERBS = ['lives in', 'does not live in', 'likes']

type Step =
  /** An observation; one that joins comes in the commit of the one before. */
  | { readonly do: 'state'; readonly a: number; readonly b: number; readonly c: number; readonly joins: boolean }
  | { readonly do: 'name'; readonly a: number; readonly joins: boolean }
  | { readonly do: 'supersede'; readonly a: number; readonly b: number }
  | {
      readonly do: 'assert'
      readonly a: number
      readonly c: number
      readonly of: readonly number[]
      readonly by: number
    }
  | { readonly do: 'revise'; readonly a: number; readonly b: number }
  | { readonly do: 'withdraw'; readonly a: number }

const joins = fc.integer({ min: 0, max: 2 }).map((one) => one === 2)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('state' as const), a: fc.nat(2), b: fc.nat(2), c: fc.nat(1), joins }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('name' as const), a: fc.nat(1), joins }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('supersede' as const), a: fc.nat(40), b: fc.nat(40) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('assert' as const),
      a: fc.nat(1),
      c: fc.nat(1),
      of: fc.array(fc.nat(40), { maxLength: 2 }),
      by: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revise' as const), a: fc.nat(9), b: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const), a: fc.nat(9) }) },
)

/** The ids of the episodes that an assertion names. */
function named(steps: readonly Step[], i: number): string[] {
  const step = steps[i]
  const before = step.do === 'assert' ? step.of.map((by) => by % (i + 1)) : []
  return [...new Set(before)].filter((at) => ['state', 'name'].includes(steps[at].do)).map((at) => `e${at}`)
}

/** Whether an observation comes in the commit of the one before. */
function joined(steps: readonly Step[], i: number): boolean {
  const [step, before] = [steps[i], steps[i - 1]]
  return 'joins' in step && step.joins && before !== undefined && 'joins' in before
}

/** The observations that come in one commit, from the first of them on. */
function together(steps: readonly Step[], first: number) {
  let end = first + 1
  while (end < steps.length && joined(steps, end)) end++
  return steps.slice(first, end).flatMap((step, i) => {
    if (step.do !== 'state' && step.do !== 'name') return []
    const triple =
      step.do === 'name'
        ? { subject: PEOPLE[step.a], predicate: 'is also known as', object: 'Annie' }
        : { subject: NAMES[step.a], predicate: VERBS[step.b], object: PLACES[step.c] }
    return { text: 'so it is', id: `e${first + i}`, triples: [triple] }
  })
}

/**
 * Takes the steps, none that is about an episode which never came. Beliefs are revised and withdrawn by hand that were
 * asserted in both memories. Answers the steps that were refused.
 *
 * @param forgotten the episodes that one of the memories never has.
 */
async function take(
  memory: Rederiving,
  steps: readonly Step[],
  forgotten: ReadonlySet<string>,
  isTwin: boolean,
): Promise<Set<number>> {
  const { db } = memory
  const beliefs = new Map<number, string>()
  const refused = new Set<number>()
  const refuse = (i: number) => () => void refused.add(i)
  // What is decided by hand counts as it was decided, by the names and the ends that were known then.
  const isOther =
    [...forgotten].some((id) => steps[Number(id.slice(1))].do === 'name') ||
    steps.some((step, i) => step.do === 'supersede' && forgotten.has(`e${step.b % (i + 1)}`))
  const isGone = (id: string) => isTwin && forgotten.has(id)
  for (const [i, step] of steps.entries()) {
    memory.time = NOW + 1_000 * i
    const nth = (by: number) => `e${by % (i + 1)}`
    if (step.do === 'state' || step.do === 'name') {
      if (joined(steps, i)) continue
      const items = together(steps, i).filter(({ id }) => !isGone(id))
      if (items.length > 0) await db.observeMany(items)
    } else if (step.do === 'supersede') {
      if (isGone(nth(step.a)) || isGone(nth(step.b))) continue
      await db.supersede(nth(step.a), nth(step.b)).catch(() => {})
    } else if (step.do === 'assert') {
      const stated = named(steps, i)
      const evidence = stated.filter((one) => !isGone(one))
      if (stated.length > 0 && evidence.length === 0) continue
      const given = [undefined, 0.2, 0.6, 0.9][step.by]
      // What is stated without a confidence has one half, which includes the evidence.
      const whole = given ?? (stated.length > evidence.length && !(await isHeld(memory, step)) ? 0.5 : undefined)
      const confidence =
        whole === undefined
          ? undefined
          : stated.reduce((sum, one) => (isGone(one) ? without(sum, 'supports', 0.75) : sum), whole)
      const triple = { subject: PEOPLE[step.a], predicate: 'lives in', object: PLACES[step.c] }
      const claim = `${triple.subject} lives in ${triple.object}`
      const assertion = { claim, ...triple, evidence, ...(confidence !== undefined && { confidence }) }
      const belief = await db.assertBelief(assertion)
      if (stated.length === 0 || stated.some((one) => !forgotten.has(one))) beliefs.set(i, belief)
    } else {
      const asserted = [...beliefs.values()]
      const belief = asserted[step.a % Math.max(1, asserted.length)]
      if (belief === undefined) continue
      if (step.do === 'withdraw') await db.withdrawBelief(belief, 'it was a joke').catch(refuse(i))
      else if (!isOther && !isGone(nth(step.b))) await db.reviseBelief(belief, nth(step.b)).catch(refuse(i))
    }
  }
  return refused
}

async function isHeld({ db }: Rederiving, { a, c }: { readonly a: number; readonly c: number }): Promise<boolean> {
  const held = await db.whatDoIBelieve(PEOPLE[a])
  return held.some(({ subject, object }) => subject === PEOPLE[a] && object === PLACES[c])
}

/**
 * Whether a claim was asserted anew after its belief was contradicted away. Whether such an assertion makes another
 * belief depends on what was withdrawn then, so a memory that forgets a contradiction has two where its twin has one.
 */
async function isAnew({ db }: Rederiving): Promise<boolean> {
  const claims = new Map<string, string>()
  const withdrawn = new Set<string>()
  for (const event of await db.whatDidILearn(0)) {
    if (event.kind === 'beliefAsserted' || event.kind === 'beliefReasserted') {
      if (withdrawn.has(event.claim)) return true
      claims.set(event.belief, event.claim)
    } else if (event.kind === 'beliefWithdrawn' && event.revision.evidence !== undefined)
      withdrawn.add(claims.get(event.belief)!)
  }
  return false
}

/** What is asked of the beliefs, with ids that are the same in both memories. */
async function answers(memory: Rederiving) {
  const { db } = memory
  const kinds = ['beliefAsserted', 'beliefReasserted', 'beliefRevised', 'beliefWithdrawn'] as const
  const events = memory.told(await db.whatDidILearn(0, { kinds: [...kinds] })) as LearningEvent<
    (typeof kinds)[number]
  >[]
  const times = [NOW + 5_000, NOW + 15_000]
  const ids = [...new Set(events.map(({ belief }) => belief))]
  const claims = new Map(events.flatMap((event) => ('claim' in event ? [[event.belief, event.claim]] : [])))
  // Events of one time are compared by what they tell, whatever their order.
  const key = ({ id: _, ...event }: (typeof events)[number]) =>
    event.at + JSON.stringify({ ...event, belief: claims.get(event.belief) })
  const shown = events.sort((a, b) => (key(a) < key(b) ? -1 : 1)).map(({ id: _, ...event }) => event)
  const all = {
    beliefs: await Promise.all(ids.map((id) => db.getBelief(id))),
    histories: await Promise.all(ids.map((id) => db.beliefHistory(id))),
    about: await Promise.all(NAMES.map((name) => db.whatDoIBelieve(name))),
    then: await Promise.all(times.map((time) => db.whatDoIBelieve('Ann', { transactionAsOf: time, validAsOf: time }))),
    found: (await db.recall('Who lives in Rome?')).beliefs,
    size: (await db.stats()).beliefs,
    events: shown,
  }
  const text = JSON.stringify(all)
  const named = new Map([...new Set(text.match(/be_[0-9A-Z]+/g))].map((id, i) => [id, `be_${i}`]))
  return JSON.parse(text.replace(/be_[0-9A-Z]+/g, (id) => named.get(id)!)) as unknown
}

test('a memory that forgot episodes believes what one does that never had them, and again all when they are back', {
  timeout: 60_000 + 3_000 * runs(30),
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 30, size: 'max' }),
      fc.uniqueArray(fc.nat(29), { minLength: 1, maxLength: 5 }),
      async (steps, chosen) => {
        const memory = await new Rederiving().open()
        const gone = chosen
          .filter((i) => i < steps.length && ['state', 'name'].includes(steps[i].do))
          .map((i) => `e${i}`)
        const refused = await take(memory, steps, new Set(gone), false)
        const whole = await answers(memory)
        const isOther = await isAnew(memory)
        const half = Math.ceil(gone.length / 2)
        await memory.forget(gone.slice(0, half))
        await memory.forget(gone.slice(half))
        const twin = await new Rederiving().open()
        const refusedThere = await take(twin, steps, new Set(gone), true)
        // A call that was refused left nothing by which it could count later.
        const counts = [...refused].some((i) => !refusedThere.has(i))
        twin.time = memory.time
        if (!counts && !isOther && !(await isAnew(twin))) {
          expect(await answers(memory)).toEqual(await answers(twin))
          await memory.restore()
          expect(await answers(memory)).toEqual(whole)
        }
        await Promise.all([memory.db.close(), twin.db.close()])
      },
    ),
    { numRuns: runs(30), ...(process.env.AGIDB_RUNS === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
  )
})

test('evidence that a forgotten episode superseded had not ended when the claim was asserted again on it', async () => {
  const lives = { subject: 'Ann', predicate: 'lives in', object: 'Rome' }
  const told = async (isTwin: boolean) => {
    const memory = await new Rederiving().open()
    const { db } = memory
    await db.observe('so it is', { id: 'e0', triples: [lives] })
    if (!isTwin) {
      await db.observe('so it was', { id: 'e1', triples: [lives] })
      await db.supersede('e0', 'e1')
    }
    memory.time += 1_000
    await db.assertBelief({ claim: 'Ann lives in Rome', ...lives })
    memory.time += 1_000
    await db.assertBelief({ claim: 'Ann lives in Rome', ...lives, evidence: ['e0'] })
    return memory
  }
  const [memory, twin] = [await told(false), await told(true)]
  const whole = await answers(memory)
  expect(whole).toMatchObject({ events: [{}, { superseded: ['e0'] }, { superseded: ['e0'] }] })
  await memory.forget(['e1'])
  expect(await answers(memory)).toEqual(await answers(twin))
  await memory.restore()
  expect(await answers(memory)).toEqual(whole)
  await Promise.all([memory.db.close(), twin.db.close()])
})

test('an episode contradicts a belief that support keeps from ending, once something is forgotten', async () => {
  const told = async (isTwin: boolean) => {
    const memory = await new Rederiving().open()
    const { db } = memory
    const observe = async (id: string, object: string) => {
      memory.time += 1_000
      await db.observe('so it is', { id, triples: [{ subject: 'Ann', predicate: 'lives in', object }] })
    }
    await observe('stated', 'Oslo')
    const claim = { claim: 'Ann lives in Oslo', subject: 'Ann', predicate: 'lives in', object: 'Oslo' }
    await db.assertBelief({ ...claim, evidence: ['stated'], confidence: 0.5 })
    if (!isTwin) await observe('forgotten', 'Rome')
    else memory.time += 1_000
    await observe('first', 'Rome')
    await observe('second', 'Rome') // with the one that is forgotten it withdraws the belief
    memory.time += 1_000
    await db.supersede('stated', 'second')
    await observe('support', 'Oslo')
    await observe('third', 'Rome')
    return memory
  }
  const [memory, twin] = [await told(false), await told(true)]
  await memory.forget(['forgotten'])
  const expected = await answers(twin)
  expect(JSON.stringify(expected)).toContain('"third"')
  expect(await answers(memory)).toEqual(expected)
  await Promise.all([memory.db.close(), twin.db.close()])
})

test('episodes of one commit do to beliefs what they would do one after the other', async () => {
  const lives = (subject: string, object: string) => ({ subject, predicate: 'lives in', object })
  const items = [
    { id: 'name', text: 'so it is', triples: [{ subject: 'Tom', predicate: 'is also known as', object: 'Annie' }] },
    { id: 'support', text: 'so it is', triples: [lives('Annie', 'Oslo')] },
    { id: 'against', text: 'so it is', triples: [lives('Annie', 'Rome')] },
  ]
  const told = async (isOneCommit: boolean) => {
    const memory = await new Rederiving().open()
    const { db } = memory
    await db.observe('so it was', { id: 'stated', triples: [lives('Tom', 'Oslo')], at: NOW - 2_000 })
    await db.observe('so it will be', { id: 'later', triples: [lives('Tom', 'Pune')], at: NOW - 1_000 })
    await db.assertBelief({ claim: 'Tom lives in Oslo', ...lives('Tom', 'Oslo'), evidence: ['stated'] })
    await db.supersede('stated', 'later')
    memory.time += 1_000
    if (isOneCommit) await db.observeMany(items)
    else for (const item of items) await db.observeMany([item])
    return memory
  }
  const [one, other] = [await told(true), await told(false)]
  const expected = await answers(other)
  expect(JSON.stringify(expected)).toContain('"evidence":"against"')
  expect(await answers(one)).toEqual(expected)
  await Promise.all([one.db.close(), other.db.close()])
})

test('a belief was withdrawn at another confidence where its support had not ended by what is forgotten', async () => {
  const lives = { subject: 'Ann', predicate: 'lives in', object: 'Rome' }
  const told = async (isTwin: boolean) => {
    const memory = await new Rederiving().open()
    const { db } = memory
    const belief = await db.assertBelief({ claim: 'Ann lives in Rome', ...lives })
    memory.time += 1_000
    if (!isTwin) await db.observe('it was so', { id: 'forgotten', triples: [{ ...lives, predicate: 'likes' }] })
    memory.time += 1_000
    await db.observe('so it is', { id: 'support', triples: [lives] })
    memory.time += 1_000
    if (!isTwin) await db.supersede('support', 'forgotten', memory.time)
    memory.time += 1_000
    await db.withdrawBelief(belief, 'it was a joke')
    return memory
  }
  const [memory, twin] = [await told(false), await told(true)]
  const whole = await answers(memory)
  await memory.forget(['forgotten'])
  expect(await answers(memory)).toEqual(await answers(twin))
  await memory.restore()
  expect(await answers(memory)).toEqual(whole)
  await Promise.all([memory.db.close(), twin.db.close()])
})
