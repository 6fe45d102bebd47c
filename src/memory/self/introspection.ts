import { checkChoice, checkId, checkKeys, invalid } from '../../api/check.js'
import type { Limits } from '../../api/open-options.js'
import { AgidbError } from '../../base/errors.js'
import type { GoalChange } from '../../api/goal.js'
import type { Introspection, IntrospectionQuery, IntrospectionQuestion } from '../../api/introspection.js'
import type { BeliefRevision } from '../../api/belief.js'
import type { LearningEvent, LearningKind } from '../../api/learning.js'
import { toChange } from '../goals/projection.js'
import { LEARNING_KINDS } from '../../records/events/registry.js'
import { type ChangeOfEpisode, learned, toPeriod, within, type Period } from '../history.js'
import type { Logged } from '../../records/event-log.js'
import type { MemoryContext } from '../context.js'
import { attended, changed, drifted, learnedThat, moved, resembled } from './summary.js'

/** What the answers are read from. */
export interface Sources extends Pick<MemoryContext, 'indexes' | 'told' | 'limits'> {
  /** The events that count, in the order in which they were learned. */
  readonly events: () => readonly Logged[]
  /** That episodes were superseded or updated, in order; asked for by the question what was learned alone. */
  readonly changesOfEpisodes: readonly ChangeOfEpisode[]
  /** Bits by which the self-vector after a time differs from that before it. */
  readonly drift: (period: Period) => number
  /** The atoms that the self-vector is most like at the end of a time. */
  readonly like: (period: Period) => Answer<'what am I most like'>['atoms']
}

type Answer<Q extends IntrospectionQuestion> = Omit<Extract<Introspection, { question: Q }>, 'question'>
type Answering<Q extends IntrospectionQuestion> = (sources: Sources, period: Period, about?: string) => Answer<Q>

const ANSWERS: { readonly [Q in IntrospectionQuestion]: Answering<Q> } = {
  'what did I learn': whatILearned,
  'what was I attending to': whatIAttendedTo,
  'what changed my mind': whatChangedMyMind,
  'which goals moved': whichGoalsMoved,
  'how much did I drift': howMuchIDrifted,
  'what am I most like': whatIAmMostLike,
}
const QUESTIONS = Object.keys(ANSWERS) as IntrospectionQuestion[]

/** What each question can be about, by the event with which such a thing begins. */
const ABOUT: { readonly [Q in IntrospectionQuestion]: readonly ('belief' | 'goal')[] } = {
  'what did I learn': ['belief', 'goal'],
  'what was I attending to': [],
  'what changed my mind': ['belief'],
  'which goals moved': ['goal'],
  'how much did I drift': [],
  'what am I most like': [],
}

/** Answers a question about oneself from the learning events. @throws AgidbError with the code of what is wrong. */
export function introspect(sources: Sources, query: IntrospectionQuery): Introspection {
  checkKeys('query', query, ['question', 'since', 'until', 'about'])
  if (query === undefined)
    throw invalid(`query is undefined; expected { question }, one of ${QUESTIONS.join(', ')}`, { what: 'query' })
  const { question, about, since, until } = query
  checkChoice('question', question, QUESTIONS)
  const period = toPeriod({ since, until })
  if (about !== undefined) checkAbout(sources, question, about, sources.limits)
  return { question, ...ANSWERS[question](sources, period, about) } as Introspection
}

function checkAbout({ events: all }: Sources, question: IntrospectionQuestion, about: string, limits: Limits): void {
  checkId('about', about, limits)
  const kinds = ABOUT[question]
  if (kinds.length === 0)
    throw invalid(`"${question}" is about nothing in particular; leave about out`, { what: 'about', question })
  const isKnown = all().some(
    ({ event }) =>
      (event.kind === 'beliefAsserted' && kinds.includes('belief') && event.belief === about) ||
      (event.kind === 'goalSet' && kinds.includes('goal') && event.goal === about),
  )
  if (!isKnown)
    throw new AgidbError('AGIDB_NOT_FOUND', `there is no ${kinds.join(' or ')} with the id ${JSON.stringify(about)}`, {
      about,
    })
}

function whatILearned(sources: Sources, period: Period, about?: string): Answer<'what did I learn'> {
  const events = learned(
    sources,
    { ...period, kinds: new Set(LEARNING_KINDS), subject: about, limit: Infinity },
    sources.changesOfEpisodes,
  )
  const counts: Partial<Record<LearningKind, number>> = {}
  for (const { kind } of events) counts[kind] = (counts[kind] ?? 0) + 1
  return { summary: learnedThat(period, counts), events: idsOfEvents(events), counts }
}

function whatIAttendedTo({ events: all }: Sources, period: Period): Answer<'what was I attending to'> {
  const events = all().flatMap(({ event }) =>
    event.kind === 'attentionTraced' && within(period, event) ? [event] : [],
  )
  const recalls = events.map(({ recall, at, cue, episodes }) => ({ recall, at, cue, episodes: [...episodes] }))
  return {
    summary: attended(
      period,
      recalls.map(({ cue }) => cue),
    ),
    events: idsOfEvents(events),
    recalls,
  }
}

function whatChangedMyMind({ events: all }: Sources, period: Period, about?: string): Answer<'what changed my mind'> {
  const claims = new Map<string, string>()
  const beliefs = new Map<string, { belief: string; claim: string; revisions: BeliefRevision[] }>()
  const events: LearningEvent[] = []
  for (const { event } of all()) {
    if (event.kind === 'beliefAsserted') claims.set(event.belief, event.claim)
    if (event.kind !== 'beliefRevised' && event.kind !== 'beliefWithdrawn') continue
    const { belief, revision } = event
    if (revision.verdict === 'neutral' || !within(period, event) || (about !== undefined && belief !== about)) continue
    events.push(event)
    const entry = beliefs.get(belief) ?? { belief, claim: claims.get(belief)!, revisions: [] }
    beliefs.set(belief, entry)
    entry.revisions.push({ ...revision })
  }
  const changes = [...beliefs.values()]
  return { summary: changed(period, changes), events: idsOfEvents(events), beliefs: changes }
}

function whichGoalsMoved({ events: all }: Sources, period: Period, about?: string): Answer<'which goals moved'> {
  const descriptions = new Map<string, string>()
  const goals = new Map<string, { goal: string; description: string; changes: GoalChange[] }>()
  const events: LearningEvent<'goalSet' | 'goalStateChanged'>[] = []
  for (const { event } of all()) {
    if (event.kind === 'goalSet') descriptions.set(event.goal, event.description)
    if (event.kind === 'goalRevised' && event.changes.description !== undefined)
      descriptions.set(event.goal, event.changes.description)
    if (event.kind !== 'goalSet' && event.kind !== 'goalStateChanged') continue
    if (!within(period, event) || (about !== undefined && event.goal !== about)) continue
    events.push(event)
    // What it said when it last moved, not what it says today.
    const entry = {
      goal: event.goal,
      description: descriptions.get(event.goal)!,
      changes: goals.get(event.goal)?.changes ?? [],
    }
    goals.set(event.goal, entry)
    if (event.kind === 'goalStateChanged') entry.changes.push(structuredClone(toChange(event)))
  }
  return { summary: moved(period, events), events: idsOfEvents(events), goals: [...goals.values()] }
}

function howMuchIDrifted({ events: all, drift }: Sources, period: Period): Answer<'how much did I drift'> {
  const events = all().flatMap(({ event }) =>
    event.kind === 'selfVectorUpdated' && within(period, event) ? [event] : [],
  )
  const bits = drift(period)
  return {
    summary: drifted(period, bits, events.length),
    events: idsOfEvents(events),
    bits,
    epochs: events.map(({ epoch, at, drift }) => ({ epoch, at, drift })),
  }
}

function whatIAmMostLike({ events: all, like }: Sources, period: Period): Answer<'what am I most like'> {
  const events = all().flatMap(({ event }) =>
    event.kind === 'selfVectorUpdated' && within(period, event) ? [event] : [],
  )
  const atoms = events.length === 0 ? [] : like(period)
  return {
    summary: resembled(
      period,
      atoms.map(({ statement }) => statement),
    ),
    events: idsOfEvents(events),
    atoms,
  }
}

function idsOfEvents(events: readonly LearningEvent[]): string[] {
  return events.map(({ id }) => id)
}
