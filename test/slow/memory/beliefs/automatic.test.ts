import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Observation } from '../../../../src/api/episode.js'
import type { EngineOptions } from '../../../../src/engine/options.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { runs } from '../../../runs.js'
import { NOW, withFolder } from '../../../unit/engine/open.js'
import { Believing, said } from '../../../unit/memory/beliefs/believing.js'

const RUNS = runs(12)

const SUBJECTS = ['Rex', 'Karla', 'the Shop']
const SPEAKERS = ['Ann', 'Tom', 'Bo', undefined]
const PREDICATES = [
  'lives in',
  'does not live in',
  'resides in',
  'likes',
  'hates',
  'married to',
  'employs',
  'works for',
]
const OBJECTS = ['Oslo', 'Rome', 'Karla']

type Step =
  | {
      readonly do: 'state'
      readonly statements: readonly (readonly [subject: number, predicate: number, object: number])[]
      readonly speaker: number
      readonly at: number
      /** Whether it comes in the commit of the one before. */
      readonly joins: boolean
    }
  | { readonly do: 'supersede' | 'update' | 'assert' | 'withdraw' | 'revise'; readonly a: number; readonly b: number }

/** Most often the first one, so that much is stated twice. */
const predicate = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 4, arbitrary: fc.nat(7) })
const stated: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('state' as const),
  statements: fc.array(fc.tuple(fc.nat(2), predicate, fc.nat(2)), { minLength: 1, maxLength: 2 }),
  speaker: fc.nat(3),
  at: fc.nat(3),
  joins: fc.boolean(),
})
const stepsWith = (...others: Exclude<Step['do'], 'state'>[]) =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: stated },
      {
        weight: Math.ceil(others.length / 2),
        arbitrary: fc.record({ do: fc.constantFrom(...others), a: fc.nat(40), b: fc.nat(40) }),
      },
    ),
    { minLength: 3, maxLength: 18, size: 'max' },
  )

function observed(step: Extract<Step, { readonly do: 'state' }>, i: number): Observation & { readonly id: string } {
  const speaker = SPEAKERS[step.speaker]
  const triples = step.statements.map(([a, b, c]) => ({
    subject: SUBJECTS[a]!,
    predicate: PREDICATES[b]!,
    object: OBJECTS[c]!,
  }))
  return {
    id: `e${i}`,
    text: `so it is ${i}`,
    triples,
    at: NOW + 1_000 * (i - 4 * step.at),
    ...(speaker && { speaker }),
  } as Observation & { readonly id: string }
}

/** Takes the steps, but for those about episodes that never come. */
async function take(
  all: readonly Step[],
  unseen: ReadonlySet<string>,
  options?: Partial<EngineOptions>,
): Promise<Believing> {
  const memory = await new Believing(options).open()
  const { db } = memory
  const nth = (by: number, i: number) => `e${by % (i + 1)}`
  const isThere = (id: string) => all[Number(id.slice(1))]?.do === 'state' && !unseen.has(id)
  for (const [i, step] of all.entries()) {
    memory.time = NOW + 1_000 * i
    if (step.do === 'state') {
      if (i > 0 && step.joins && all[i - 1]!.do === 'state') continue
      const commit = [observed(step, i)]
      for (let j = i + 1; j < all.length; j++) {
        const next = all[j]!
        if (next.do !== 'state' || !next.joins) break
        commit.push(observed(next, j))
      }
      const there = commit.filter(({ id }) => !unseen.has(id))
      if (there.length > 0) await db.observeMany(there as never)
    } else if (step.do === 'supersede') {
      const [a, b] = [nth(step.a, i), nth(step.b, i)]
      if (isThere(a) && isThere(b)) await db.supersede(a, b).catch(() => {})
    } else if (step.do === 'assert') {
      const evidence = [nth(step.b, i)].filter(isThere)
      const triple = { subject: SUBJECTS[step.a % 3]!, predicate: 'lives in', object: OBJECTS[step.b % 3]! }
      await db.assertBelief({ claim: `${triple.subject} lives in ${triple.object}`, ...triple, evidence })
    } else if (step.do === 'withdraw' || step.do === 'revise') {
      const believed = await db.whatDoIBelieve(SUBJECTS[step.a % 3]!)
      const { id } = believed[step.b % Math.max(1, believed.length)] ?? {}
      if (id === undefined) continue
      if (step.do === 'withdraw') await db.withdrawBelief(id, 'it was a joke').catch(() => {})
      else if (isThere(nth(step.b, i))) await db.reviseBelief(id, nth(step.b, i)).catch(() => {})
    } else if (isThere(nth(step.a, i))) {
      const triples = [{ subject: SUBJECTS[step.b % 3]!, predicate: PREDICATES[step.b % 8]!, object: 'Oslo' }]
      await db.update(nth(step.a, i), { triples }, { keep: false })
    }
  }
  memory.time = NOW + 1_000 * all.length
  return memory
}

/** All that is told of beliefs; ids of events are drawn anew in each memory. */
async function told({ db }: Believing): Promise<unknown> {
  const believed = await Promise.all([...SUBJECTS, ...OBJECTS].map((about) => db.whatDoIBelieve(about, { k: 50 })))
  const ids = [...new Set(believed.flat().map(({ id }) => id))].sort()
  const learned = await db.whatDidILearn(0)
  return {
    believed,
    histories: await Promise.all(ids.map((id) => db.beliefHistory(id))),
    then: await db.whatDoIBelieve('Rex', { transactionAsOf: NOW + 5_000, validAsOf: NOW + 4_000, k: 50 }),
    // Events of one time come in the order in which they are stored.
    learned: learned
      .filter(({ kind }) => kind.startsWith('belief'))
      .map((event) => JSON.stringify({ ...event, id: '' }))
      .sort(),
    candidates: await db.beliefCandidates(),
    recalled: (await db.recall('Where does Rex live?')).beliefs,
  }
}

test(
  'a memory that believes by itself and unlearned some episodes believes what a twin does that never saw them',
  async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        stepsWith('supersede', 'update'),
        fc.infiniteStream(fc.boolean()),
        fc.boolean(),
        async (all, stream, goesOn) => {
          const half = goesOn ? Math.ceil(all.length / 2) : all.length
          // Episodes of the second half are seen by both.
          const unseen = new Set(
            all.flatMap((step, i) => (i < half && step.do === 'state' && stream.next().value === true ? `e${i}` : [])),
          )
          const memory = await take(all, new Set())
          const before = await told(memory)
          const twin = await take(all, unseen)
          const { auditId } = unseen.size === 0 ? {} : await memory.db.unlearn({ episode: [...unseen] }, 'asked')
          expect(await told(memory)).toEqual(await told(twin))
          const more = [said('Zoe', 'Rex', 'lives in', 'Oslo'), said('Yan', 'Karla', 'likes', 'Rome')]
          if (auditId !== undefined) {
            await memory.db.restoreWithinWindow(auditId)
            expect(await told(memory)).toEqual(before)
            await memory.db.unlearn({ episode: [...unseen] }, 'asked')
          }
          for (const one of [memory, twin]) await one.tell({ id: 'm0', ...more[0]! }, { id: 'm1', ...more[1]! })
          expect(await told(memory)).toEqual(await told(twin))
          found += (await memory.db.stats()).beliefs
          await Promise.all([memory.db.close(), twin.db.close()])
        },
      ),
      { numRuns: RUNS, ...(process.env['AGIDB_RUNS'] === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
    )
    expect(found).toBeGreaterThan(RUNS / 4)
  },
  60_000 + 3_000 * RUNS,
)

test(
  'a memory that believes by itself is as it was once what it unlearned is back, opened again or not',
  async () => {
    const all = stepsWith('supersede', 'update', 'assert', 'withdraw', 'revise')
    await fc.assert(
      fc.asyncProperty(all, fc.infiniteStream(fc.boolean()), (all, stream) =>
        withFolder(async (path) => {
          const options = () => ({ storage: nodeStorage(path) })
          const memory = await take(all, new Set(), options())
          const before = await told(memory)
          const ids = all.flatMap((step, i) => (step.do === 'state' && stream.next().value === true ? `e${i}` : []))
          if (ids.length === 0) return memory.db.close()
          const { auditId } = await memory.db.unlearn({ episode: ids }, 'asked')
          const without = await told(memory)
          await memory.db.close()
          const again = new Believing(options())
          again.time = memory.time
          await again.open()
          expect(await told(again)).toEqual(without)
          await again.db.restoreWithinWindow(auditId!)
          expect(await told(again)).toEqual(before)
          await again.db.close()
        }),
      ),
      { numRuns: RUNS, ...(process.env['AGIDB_RUNS'] === undefined && { seed: 1 }) }, // at random with AGIDB_RUNS
    )
  },
  60_000 + 3_000 * RUNS,
)
