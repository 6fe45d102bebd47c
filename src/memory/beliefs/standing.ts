import type { Belief, BeliefId, BeliefRevision, Verdict } from '../../api/belief.js'
import type { EpisodeId } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import { toIso } from '../../api/time.js'
import { DEFAULT_TRUST, posterior, trustOf, without } from './bayes.js'

/**
 * When an episode ceases to be true (valid time), and when that was recorded, epoch milliseconds; `Infinity` if never.
 */
export interface Fate {
  readonly endsAt: number
  readonly knownAt: number
}

/**
 * Tells the fate, as it was known at a time, of the episode that had an id before a slot; `undefined` if it was
 * removed.
 */
export type FateOf = (episode: EpisodeId, slot: number, known: number) => Fate | undefined

/** One revision of a belief, and the episodes that count from it on. */
export interface Entry {
  readonly revision: BeliefRevision
  /** Transaction time, epoch milliseconds. */
  readonly at: number
  /** The slot of its event: an episode that came after it under the same id is another. */
  readonly slot: number
  /** The key of its order: its slot; for an event that is derived from an episode the slot of that, or right after. */
  readonly order: number
  readonly counted: readonly Counted[]
}

/** An episode that counts for or against a belief. */
export interface Counted {
  readonly episode: EpisodeId
  readonly verdict: Verdict
  readonly trust: number
  /** Whether it had ceased to be true before it was counted, so that this takes nothing from it. */
  readonly hadEnded: boolean
}

/**
 * What is known of a belief by the episodes that are there: how it came, and its log, as they would be if no others had
 * ever come. Its place is the slot of its assertion, by which beliefs are ordered.
 */
export interface Held {
  readonly id: BeliefId
  readonly place: number
  readonly asserted: LearningEvent<'beliefAsserted'>
  readonly log: readonly Entry[]
}

/** A belief as it stands by itself, whatever else is believed. */
export type Standing = Omit<Belief, 'conflictsWith'>

/** The times at which a belief is looked at, epoch milliseconds. */
export interface Times {
  readonly now: number
  /** Of this time. Absent: of now, or of the last moment of which it was held if that is past. */
  readonly valid?: number
  /** As it was known at this time. Absent: by all that is known. */
  readonly known?: number
}

/** The entry of an assertion, the first or a later one. */
export function assertion(event: LearningEvent<'beliefAsserted'>, slot: number, order = slot): Entry {
  const { at, confidence, evidence, trust, superseded = [] } = event
  const revision: BeliefRevision = { revision: 0, at, kind: 'asserted', after: confidence, reason: 'asserted' }
  const counted = evidence.map(
    (episode, i): Counted => ({
      episode,
      verdict: 'supports',
      trust: trust?.[i] ?? DEFAULT_TRUST,
      hadEnded: superseded.includes(episode),
    }),
  )
  return { revision, at: Date.parse(at), slot, order, counted }
}

/** The entry of a revision, a flag or a withdrawal. */
export function revising(event: LearningEvent<'beliefRevised' | 'beliefWithdrawn'>, slot: number, order = slot): Entry {
  const { revision, at } = event
  const { kind, evidence: episode, verdict } = revision
  const counts = kind === 'revised' && episode !== undefined && verdict !== undefined && verdict !== 'neutral'
  const hadEnded = 'superseded' in event && event.superseded !== undefined
  const counted = counts ? [{ episode, verdict, trust: trustOf(revision), hadEnded }] : []
  return { revision, at: Date.parse(at), slot, order, counted }
}

/** From when on an episode that an entry counts does not count any more: valid time, epoch milliseconds. */
export function countsUntil(counted: Counted, { at, slot }: Entry, fateOf: FateOf, known = Infinity): number {
  const fate = fateOf(counted.episode, slot, known)
  if (fate === undefined) return -Infinity
  const { endsAt, knownAt } = fate
  if (counted.hadEnded) return Infinity
  // Logs of older versions do not say what had ended before.
  return endsAt <= at && knownAt < at ? Infinity : endsAt
}

/**
 * A belief as it stands: by the revisions that were known at a time, and by the episodes that are there and true at the
 * time that is asked about. A belief that was asserted with evidence ends when the last episode that supports it does.
 * `undefined` before it was asserted. Each answer is a new object.
 */
export function beliefAt(
  { id, asserted, log }: Held,
  { now, valid, known = Infinity }: Times,
  fateOf: FateOf,
): Standing | undefined {
  const entries = known === Infinity ? log : log.filter(({ at }) => at <= known)
  if (entries[0]?.revision.kind !== 'asserted') return undefined
  const until = (counted: Counted, entry: Entry) => countsUntil(counted, entry, fateOf, known)
  const { claim, subject, predicate, object, validFrom, at, provenance } = asserted
  const [from, to] = [Date.parse(validFrom), endOf(asserted, entries, until)]
  const moment = valid ?? Math.min(now, to - 1)
  const counts = (counted: Counted, entry: Entry) => moment < until(counted, entry)
  const episodes = (verdict: Verdict) =>
    entries.flatMap((entry) =>
      entry.counted
        .filter((counted) => counted.verdict === verdict && counts(counted, entry))
        .map(({ episode }) => episode),
    )
  const evidence = episodes('supports')
  const withdrawn = entries.find(({ revision }) => revision.kind === 'withdrawn')?.revision
  return {
    id,
    claim,
    ...(subject !== undefined && { subject, predicate, object }),
    confidence: confidenceOf(entries, counts),
    evidence,
    contradictions: episodes('contradicts'),
    unsettled: unsettledOf(entries, fateOf, known),
    validFrom,
    ...(to < Infinity && { validTo: toIso(Math.max(from, to)) }),
    recordedAt: at,
    ...(withdrawn !== undefined && { withdrawn: { at: withdrawn.at, reason: withdrawn.reason } }),
    revisions: entries.filter(({ revision }) => revision.kind === 'revised').length,
    provenance: { ...provenance, episodes: [...evidence] },
  }
}

/** The belief as it was known, if it was held to be true of the time that is asked about. */
export function heldAt(held: Held, times: Times & { readonly valid: number }, fateOf: FateOf): Standing | undefined {
  const belief = beliefAt(held, times, fateOf)
  if (belief === undefined || belief.withdrawn !== undefined) return undefined
  const { validFrom, validTo } = belief
  return Date.parse(validFrom) <= times.valid && (validTo === undefined || times.valid < Date.parse(validTo))
    ? belief
    : undefined
}

/** The end of valid time, epoch milliseconds. */
function endOf(
  { validTo }: Held['asserted'],
  entries: readonly Entry[],
  until: (counted: Counted, entry: Entry) => number,
): number {
  const declared = validTo === undefined ? Infinity : Date.parse(validTo)
  if (entries[0].counted.length === 0) return declared
  let last = -Infinity
  for (const entry of entries) {
    for (const counted of entry.counted)
      if (counted.verdict === 'supports') last = Math.max(last, until(counted, entry))
  }
  return last === -Infinity ? declared : Math.min(declared, last)
}

/**
 * The confidence by the episodes that count. While all do, and did when it was logged, it is what the log says. From
 * the first that does not on it is reckoned anew, and what an assertion included of it is taken back.
 */
function confidenceOf(entries: readonly Entry[], counts: (counted: Counted, entry: Entry) => boolean): number {
  let confidence = 0
  let isLogged = true
  const all: { readonly counted: Counted; readonly entry: Entry }[] = []
  for (const entry of entries) {
    const { kind, before: logged, after, verdict } = entry.revision
    for (const counted of entry.counted) all.push({ counted, entry })
    if (kind === 'asserted') {
      const gone = all.filter(({ counted, entry }) => !counts(counted, entry))
      confidence = gone.reduce((sum, { counted }) => without(sum, counted.verdict, counted.trust), after)
      isLogged = gone.length === 0
    } else if (kind === 'revised' && verdict !== 'neutral') {
      const [counted] = entry.counted
      if (counted !== undefined && !counts(counted, entry)) isLogged = false
      else if (counted === undefined || (isLogged && logged === confidence)) confidence = after
      else confidence = posterior(confidence, counted.verdict, counted.trust)
    }
  }
  return confidence
}

/** The flagged episodes that are there and were not weighed since. */
function unsettledOf(entries: readonly Entry[], fateOf: FateOf, known: number): EpisodeId[] {
  const unsettled = new Set<EpisodeId>()
  for (const {
    revision: { kind, evidence },
    slot,
  } of entries) {
    if (evidence === undefined) continue
    if (kind === 'revised') unsettled.delete(evidence)
    else if (kind === 'flagged' && fateOf(evidence, slot, known) !== undefined) unsettled.add(evidence)
  }
  return [...unsettled]
}
