import fc from 'fast-check'
import { NOW } from '../../engine/now.js'
import { namedBy, type Place, planned, type Step, stepOf, Told } from './history.js'
import { lastingProbes } from './probes.js'

/** When it is asked. */
export const LATER = NOW + 3_600_000
/** Milliseconds between looks whether something has expired. */
const PAUSE_MS = 2

/** Floors that are compared with a twin. Beliefs have their own twin test. */
export const COMPARED: readonly Step['do'][] = [
  'observe',
  'observe',
  'observe',
  'supersede',
  'update',
  'replace',
  'perceive',
  'glimpse',
  'attend',
  'goal',
  'complete',
  'procedure',
  'execute',
  'associate',
  'relate',
  'part',
  'page',
  'page',
  'link',
  'show',
  'seek',
  'define',
  'consolidate',
]

/** By what a session is forgotten. */
const MEANS = ['session', 'source', 'filter', 'episodes', 'expiry', 'retention'] as const
/** For how long a rule of retention keeps what the second session said. */
const DAY_MS = 86_400_000

/** Forgets what the second session said. */
async function forget(told: Told, means: (typeof MEANS)[number]): Promise<void> {
  const { db } = told
  const documents = (await db.entries.sources()).map(({ source }) => source).filter((source) => source.startsWith('s1'))
  const session = ['s1', ...documents]
  const targets = {
    session: { session },
    source: { source: ['from s1', ...documents] },
    filter: { filter: { session } },
  }
  if (means === 'episodes') {
    const ids: string[] = []
    for await (const page of db.episodes({ session })) ids.push(...page.map(({ id }) => id))
    if (ids.length > 0) await db.unlearn({ episode: ids }, 'r')
  } else if (means === 'expiry') {
    await told.reopened()
    if (told.expires) await forgottenBy(told, 'expired')
  } else if (means === 'retention') {
    told.options = { retention: [{ filter: { session: 's1' }, days: 1 }] }
    const isKept = (await told.db.count({ session: 's1' })) > 0
    await told.reopened()
    if (isKept) await forgottenBy(told, 'kept for 1 day')
  } else await db.unlearn(targets[means], 'r')
}

/** Waits until the memory has forgotten something by itself. */
async function forgottenBy({ db }: Told, why: string): Promise<void> {
  while (!(await db.unlearnHistory(0)).some(({ reason }) => reason === why))
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}

/** What happens before something is forgotten, and after it. */
export const histories = (...kinds: readonly Step['do'][]) =>
  fc.tuple(
    fc.array(stepOf(...kinds), { minLength: 1, maxLength: 14, size: 'max' }),
    fc.array(stepOf(...kinds), { maxLength: 6, size: 'max' }),
  )

/** A history, by what its second session is forgotten, and whether the memory is opened again then. */
export type Trial = readonly [
  history: readonly [before: readonly Step[], after: readonly Step[]],
  means: (typeof MEANS)[number],
  reopens: boolean,
]

export const trials: fc.Arbitrary<Trial> = fc.tuple(histories(...COMPARED), fc.constantFrom(...MEANS), fc.boolean())

/**
 * What a memory answers that forgot its second session, and what a twin answers that never saw it.
 *
 * @param kept where the memory is kept.
 * @param fresh opens the twin.
 */
export async function forgottenAndUnseen(
  [[before, after], means, reopens]: Trial,
  kept: Place,
  fresh: Place,
): Promise<[forgotten: unknown, unseen: unknown]> {
  // A frame that is no episode belongs to its session and source alone, and none expires.
  // Pages neither expire nor go by the rule of retention of the session.
  const elsewhere = (kind: Step['do']) =>
    (kind === 'glimpse' && means !== 'session' && means !== 'source') ||
    (kind === 'perceive' && means === 'expiry') ||
    (kind === 'page' && (means === 'expiry' || means === 'retention'))
  const all = [...before, ...after].map((step) => (elsewhere(step.do) ? { ...step, session: 0 } : step))
  const steps = decidable(all)
  const calls = planned(steps, before.length)
  const end = NOW + 60_000 * before.length + 30_000
  const full = await new Told(kept, undefined, means === 'expiry' ? end : undefined).open()
  const twin = await new Told(fresh, (at) => at < before.length && steps[at].session === 1).open()
  const earlier = calls.filter(({ at }) => at < before.length)
  const later = calls.filter(({ at }) => at >= before.length)
  await full.run(earlier)
  await twin.run(earlier)
  if (means === 'retention') full.delay = twin.delay = DAY_MS
  full.now = twin.now = end + full.delay
  await forget(full, means)
  if (reopens) await full.reopened()
  await full.run(later)
  await twin.run(later)
  full.now = twin.now = LATER + full.delay
  const answers = [full, twin].map(({ db, known, nameOf }) => lastingProbes(db, known, nameOf))
  const [forgotten, unseen] = await Promise.all(answers)
  await full.db.close()
  await twin.db.close()
  return [forgotten, unseen]
}

/** Steps without frames that may bear on a goal, which is decided by the words that are known then. */
function decidable(steps: readonly Step[]): Step[] {
  const hasGoal = steps.some((step) => step.do === 'goal')
  return steps.map((step) => (step.do === 'glimpse' && hasGoal ? { ...step, do: 'attend' } : step))
}

/** What names a person in words, or nobody. What is updated or stands in a document names several. */
const NAMING: readonly Step['do'][] = [
  'observe',
  'observe',
  'observe',
  'supersede',
  'glimpse',
  'attend',
  'goal',
  'complete',
  'procedure',
  'execute',
  'associate',
  'relate',
  'consolidate',
]
/** The person who is forgotten. */
const PERSON = 'Bo'

/** A history, and whether the memory is opened again once the person is forgotten. */
export type ConceptTrial = readonly [history: Trial[0], reopens: boolean]

export const conceptTrials: fc.Arbitrary<ConceptTrial> = fc.tuple(histories(...NAMING), fc.boolean())

/** What a memory answers that forgot a person, and what a twin answers that never heard of them. */
export async function personForgottenAndUnknown(
  [[before, after], reopens]: ConceptTrial,
  kept: Place,
  fresh: Place,
): Promise<[forgotten: unknown, unknown: unknown]> {
  // What is observed in the second session is what the twin never sees.
  const steps = decidable([...before, ...after]).map((step) => ({
    ...step,
    session: Number(step.do === 'observe' && namedBy(step) === PERSON),
  }))
  const isUntold = (at: number) => at < before.length && namedBy(steps[at]) === PERSON && TOLD.has(steps[at].do)
  const calls = planned(steps, before.length)
  const full = await new Told(kept).open()
  const twin = await new Told(fresh, (at) => at < before.length && steps[at].session === 1, undefined, isUntold).open()
  for (const one of [full, twin]) await one.run(calls.filter(({ at }) => at < before.length))
  full.now = twin.now = NOW + 60_000 * before.length + 30_000
  await full.db.unlearn({ concept: PERSON }, 'r')
  if (reopens) await full.reopened()
  for (const one of [full, twin]) await one.run(calls.filter(({ at }) => at >= before.length))
  full.now = twin.now = LATER
  const [forgotten, unknown] = await Promise.all(
    [full, twin].map(({ db, known, nameOf }) => lastingProbes(db, known, nameOf)),
  )
  await full.db.close()
  await twin.db.close()
  return [forgotten, unknown]
}

/** Steps whose words name a person. */
const TOLD: ReadonlySet<Step['do']> = new Set<Step['do']>(['goal', 'procedure', 'relate'])
