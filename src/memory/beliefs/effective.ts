import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { BeliefRevision } from '../../api/belief.js'
import type { EpisodeId } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import type { Logged, NewEvent } from '../../records/event-log.js'
import { DEFAULT_TRUST, posterior, WITHDRAWN_BELOW, without } from './bayes.js'
import { repetition, SUPPORTED_AGAIN } from './repetition.js'
import { contradictedAway } from './revisions.js'
import { assertion, beliefAt, type Entry, type FateOf, type Held, revising } from './standing.js'
import { greatest } from '../../base/extremes.js'

/** Episodes that state what the memory comes to believe by itself, at least. */
export const LEAST_AUTOMATIC = 2

/** By how much confidences may differ that are the same. */
const ROUNDING = 1e-9

type Asserted = LearningEvent<'beliefAsserted'>
type Reasserted = LearningEvent<'beliefReasserted'>
type Revised = LearningEvent<'beliefRevised'>
type Withdrawn = LearningEvent<'beliefWithdrawn'>

/** The stored events of one belief. */
export interface StoredBelief {
  readonly id: string
  /** Absent where the memory believed it by itself, and does so no more: then others tell nothing, or begin it. */
  readonly assertion?: Logged<'beliefAsserted'>
  /** The others, in any order. */
  readonly events: readonly Logged<'beliefReasserted' | 'beliefRevised' | 'beliefWithdrawn'>[]
}

/** An episode is one of those that were looked at for a belief if its slot is after `from` and not after `to`. */
export interface Open {
  readonly from: number
  readonly to: number
}

/** A belief as its events and the episodes that are there have it. */
export interface Effective {
  /** Absent where all evidence of every assertion is gone: then it is as if it had never been asserted. */
  readonly held?: Held
  /** When it was held, by slots, in order. */
  readonly open: readonly Open[]
  /** How its events are told, where that is not as they are stored; `undefined` for those that are not told. */
  readonly told: ReadonlyMap<LearningEvent, LearningEvent | undefined>
  /** Events that nothing before the belief began to be held tells of. */
  readonly before: readonly LearningEvent[]
  /** Events that are not stored and follow, each with its time. */
  readonly missing: readonly { readonly at: string; readonly event: NewEvent<'beliefRevised' | 'beliefWithdrawn'> }[]
}

/** Tells the slot of an episode that had an id before a slot; `undefined` if it was removed. */
export type SlotOf = (episode: EpisodeId, before: number) => number | undefined

/** What is known of the episodes that are there. */
export interface Episodes {
  readonly fateOf: FateOf
  readonly slotOf: SlotOf
  /**
   * Tells whether the episode that had an id before a slot had ceased to be true at a time, epoch milliseconds, as it
   * was known then. What is stored decides where both came at the same time.
   */
  readonly hadEnded: (episode: EpisodeId, before: number, at: number, stored: boolean) => boolean
}

/** {@link Episodes.hadEnded} by the fates of the episodes. */
export function endedBy(fateOf: FateOf): Episodes['hadEnded'] {
  return (episode, before, at, stored) => {
    const { endsAt = Infinity, knownAt = Infinity } = fateOf(episode, before, at) ?? {}
    return endsAt <= at && (stored || knownAt < at)
  }
}

/** Something that was put in or seen, in its place. */
interface Input {
  /** The slot by which it is ordered. For events that are derived from an episode it is that of the episode. */
  readonly order: number
  readonly logged: Logged<'beliefAsserted' | 'beliefReasserted' | 'beliefRevised' | 'beliefWithdrawn'>
}

/**
 * Works out what the log of a belief would be if the episodes that are not there had never come. Events of callers
 * count unless all evidence that they state is gone; events that are derived from them are computed again from the
 * first difference on.
 */
export function effectiveOf(stored: StoredBelief, episodes: Episodes): Effective {
  const { inputs, withdrawals, repetitions } = inputsOf(stored, episodes)
  const fold = new Fold(stored, episodes, withdrawals, repetitions)
  for (const input of inputs) fold.take(input)
  return fold.end()
}

/** Whether a stored event follows from an episode that came after the belief was asserted. */
export function isAutomatic({ event, slot }: Logged<'beliefRevised'>, stored: StoredBelief, slotOf: SlotOf): boolean {
  const { kind, evidence, automatic } = event.revision
  if (kind === 'revised' || automatic === true) return automatic === true
  if (kind !== 'flagged' || evidence === undefined) return false
  const at = slotOf(evidence, slot)
  return at !== undefined && stored.assertion !== undefined && at > placeOf(stored.assertion, slotOf)
}

/** Statements of one episode have places below this between its slot and the next. */
const PLACES = 4_096

/**
 * By what an assertion is ordered: its slot, and of what the memory believes by itself a number right after the slot of
 * the last episode that led to it, wherever the event is stored.
 */
export function placeOf({ event, slot }: Logged<'beliefAsserted'>, slotOf: SlotOf): number {
  if (event.automatic === undefined) return slot
  const last = greatest(event.evidence.map((episode) => slotOf(episode, slot) ?? -1))
  return last < 0 ? slot : last + (event.automatic + 1) / PLACES
}

function inputsOf(stored: StoredBelief, { slotOf }: Episodes) {
  const began = stored.assertion === undefined ? 0 : placeOf(stored.assertion, slotOf)
  const inputs: Input[] = stored.assertion === undefined ? [] : [{ order: began, logged: stored.assertion }]
  const withdrawals = new Map<EpisodeId, Logged<'beliefWithdrawn'>[]>()
  const repetitions = new Map<LearningEvent, Logged<'beliefRevised'>[]>()
  const again = stored.events.filter((logged) => is(logged, 'beliefReasserted')).sort((a, b) => b.slot - a.slot)
  /** The assertion of which an event is a part: the last one of its time before it. */
  const repeated = ({ event, slot }: Logged) => again.find((one) => one.event.at === event.at && one.slot < slot)?.event
  for (const logged of stored.events) {
    if (is(logged, 'beliefWithdrawn') && logged.event.revision.evidence !== undefined)
      push(withdrawals, logged.event.revision.evidence, logged)
    else if (is(logged, 'beliefRevised') && isRepetition(logged.event) && repeated(logged) !== undefined)
      push(repetitions, repeated(logged)!, logged)
    else {
      const isFollowing = is(logged, 'beliefRevised') && isAutomatic(logged, stored, slotOf)
      const seen = isFollowing ? slotOf((logged.event as Revised).revision.evidence!, logged.slot) : logged.slot
      // Where the episode is gone, nothing that comes after may be taken as it is stored.
      inputs.push({ order: seen ?? began, logged })
    }
  }
  inputs.sort((a, b) => a.order - b.order || a.logged.slot - b.logged.slot)
  return { inputs, withdrawals, repetitions }
}

function isRepetition({ revision: { kind, reason, automatic } }: Revised): boolean {
  return kind === 'asserted' || (kind === 'revised' && !automatic && reason === SUPPORTED_AGAIN)
}

class Fold {
  readonly #stored: StoredBelief
  readonly #episodes: Episodes
  readonly #withdrawals: ReadonlyMap<EpisodeId, Logged<'beliefWithdrawn'>[]>
  readonly #repetitions: ReadonlyMap<LearningEvent, Logged<'beliefRevised'>[]>
  readonly #told = new Map<LearningEvent, LearningEvent | undefined>()
  readonly #before: LearningEvent[] = []
  readonly #missing: { at: string; event: NewEvent<'beliefRevised' | 'beliefWithdrawn'> }[] = []
  readonly #used = new Set<LearningEvent>()
  readonly #open: { from: number; to: number }[] = []
  #asserted: Asserted | undefined
  #place = 0
  #log: Entry[] = []
  /** When episodes that count ceased to, epoch milliseconds. */
  #ends: number[] = []
  #isWithdrawn = false
  /** Whether an event so far differs from the stored one, so that the later ones have to be computed. */
  #differs = false

  constructor(
    stored: StoredBelief,
    episodes: Episodes,
    withdrawals: ReadonlyMap<EpisodeId, Logged<'beliefWithdrawn'>[]>,
    repetitions: ReadonlyMap<LearningEvent, Logged<'beliefRevised'>[]>,
  ) {
    this.#stored = stored
    this.#episodes = episodes
    this.#withdrawals = withdrawals
    this.#repetitions = repetitions
  }

  take({ order, logged }: Input): void {
    const { event } = logged
    // Where a numbered revision is missing, the later events were computed with it.
    if ('revision' in event && this.#stands && event.revision.revision !== this.#log.length) this.#differs = true
    if ('revision' in event) this.#expectSame(event)
    if (is(logged, 'beliefAsserted')) this.#assert(logged, order)
    else if (is(logged, 'beliefReasserted')) this.#reassert(logged)
    else if (is(logged, 'beliefWithdrawn')) this.#withdraw(logged)
    else if (is(logged, 'beliefRevised')) {
      const { kind } = logged.event.revision
      if (kind === 'revised') this.#revise(logged, order)
      else if (kind === 'flagged') this.#flag(logged, order)
      else this.#setConfidence(logged)
    }
  }

  end(): Effective {
    for (const lists of [this.#withdrawals, this.#repetitions])
      for (const list of lists.values())
        for (const { event } of list) if (!this.#used.has(event)) this.#told.set(event, undefined)
    const { id } = this.#stored
    const asserted = this.#asserted
    return {
      ...(asserted !== undefined && { held: { id, place: this.#place, asserted, log: this.#log } }),
      open: this.#open,
      told: this.#told,
      before: this.#before,
      missing: this.#missing,
    }
  }

  get #stands(): boolean {
    return this.#asserted !== undefined && !this.#isWithdrawn
  }

  /**
   * Notices that the confidence before an event is another than was logged: an episode had ended then, by another one
   * that is not there now. Which of two events of the same time came first is not known.
   */
  #expectSame({ at, revision: { before } }: Revised | Withdrawn): void {
    if (this.#differs || !this.#stands || before === undefined) return
    const [last, time] = [this.#log.at(-1)!, Date.parse(at)]
    // What counted then counts now, unless an end came in between, or one that is gone.
    if (before === last.revision.after && !this.#ends.some((end) => last.at <= end && end <= time)) return
    const isLogged = (known: number) => Math.abs(this.#confidence(time, known) - before) < ROUNDING
    if (!isLogged(time) && !isLogged(time - 1)) this.#differs = true
  }

  #push(entry: Entry): void {
    const { fateOf } = this.#episodes
    this.#log.push(entry)
    for (const { episode } of entry.counted) {
      const { endsAt, knownAt } = fateOf(episode, entry.slot, Infinity) ?? { endsAt: Infinity, knownAt: Infinity }
      if (endsAt < Infinity) this.#ends.push(knownAt < Infinity ? Math.max(endsAt, knownAt) : endsAt)
    }
  }

  #assert({ event, slot }: Logged<'beliefAsserted'>, order: number): void {
    const live = this.#liveEvidence(event, slot)
    const isTooFew = event.automatic !== undefined && live !== undefined && live.evidence.length < LEAST_AUTOMATIC
    if (live === undefined || isTooFew) return this.#hide(event)
    if (live === event) return this.#begin(event, slot, order)
    this.#differs = true
    const asserted = { ...live, confidence: this.#withoutGone(event, event.confidence, slot) }
    this.#told.set(event, asserted)
    this.#begin(asserted, slot, order)
  }

  #reassert({ event, slot }: Logged<'beliefReasserted'>): void {
    const live = this.#liveEvidence(event, slot)
    if (live === undefined) return this.#hide(event)
    if (live !== event) this.#differs = true
    const { confidence: stated } = event
    const confidence = stated === undefined ? undefined : this.#withoutGone(event, stated, slot)
    if (!this.#stands) {
      // The one from which on a memory without the episodes that are gone would have had the belief.
      this.#differs = true
      const asserted: Asserted = { ...live, kind: 'beliefAsserted', confidence: confidence ?? 0.5 }
      this.#told.set(event, asserted)
      return this.#begin(asserted, slot)
    }
    if (live !== event) this.#told.set(event, { ...live, ...(confidence !== undefined && { confidence }) })
    const stored = (this.#repetitions.get(event) ?? []).filter((one) => !this.#used.has(one.event))
    const original = stored.filter(isOriginal).sort((a, b) => a.slot - b.slot)
    if (original.length > 0) this.#expectSame(original[0].event)
    const follows = original.every(({ event }, i) => event.revision.revision === this.#log.length + i)
    if (!this.#differs && follows && original.length > 0) {
      for (const one of original) {
        this.#used.add(one.event)
        this.#push(revising(one.event, one.slot))
      }
      return
    }
    if (!follows) this.#differs = true
    const at = Date.parse(event.at)
    const { evidence, trust = [], superseded = [] } = live
    const weights = evidence.map((_, i) => trust[i] ?? DEFAULT_TRUST)
    const events = repetition(
      { id: this.#stored.id, confidence: this.#confidence(at), next: this.#log.length },
      { evidence: evidence.filter((episode) => !this.#isCounted(episode)), confidence },
      { trustOf: (episode) => weights[evidence.indexOf(episode)], superseded },
      at,
    )
    for (const wanted of events) {
      const { kind, evidence: episode } = wanted.revision
      const old = stored.find(
        ({ event: { revision }, event }) =>
          revision.kind === kind && revision.evidence === episode && !this.#used.has(event),
      )
      if (old === undefined) this.#miss(event.at, wanted, slot)
      else this.#enter(old, wanted.revision)
    }
  }

  #revise(logged: Logged<'beliefRevised'>, order: number): void {
    const { event, slot } = logged
    const { evidence, verdict, automatic } = event.revision
    const isThere = evidence !== undefined && this.#slot(evidence, slot) !== undefined
    if (!isThere || !this.#stands || this.#isCounted(evidence)) return this.#hide(event)
    if (automatic && verdict === 'supports' && this.#supports() >= FIELD_LIMITS.belief.evidence.items)
      return this.#hide(event)
    if (event.rederived) this.#differs = true
    const before = this.#differs ? this.#confidence(Date.parse(event.at)) : event.revision.before!
    const entry = revising(event, slot)
    const [counted] = entry.counted
    const after = !this.#differs
      ? event.revision.after
      : counted === undefined
        ? before
        : posterior(before, counted.verdict, counted.trust)
    this.#enter(logged, { ...event.revision, revision: this.#log.length, before, after }, order)
    const withdrawals = (this.#withdrawals.get(evidence) ?? []).filter(({ event }) => !this.#used.has(event))
    const [withdrawn] = withdrawals
    if (!this.#differs) {
      const first = withdrawals.find(isOriginal)
      if (first !== undefined && verdict === 'contradicts') this.#end(first, first.event.revision, order)
      return
    }
    if (verdict !== 'contradicts' || after >= WITHDRAWN_BELOW) return
    const end = contradictedAway(evidence, after, this.#log.length, event.revision.at)
    if (withdrawn !== undefined) return this.#end(withdrawn, end, order)
    this.#miss(event.at, { kind: 'beliefWithdrawn', belief: this.#stored.id, revision: end }, slot, order)
    this.#close(order)
  }

  #flag(logged: Logged<'beliefRevised'>, order: number): void {
    const { event, slot } = logged
    const { evidence } = event.revision
    if (evidence === undefined || this.#slot(evidence, slot) === undefined || !this.#stands) return this.#hide(event)
    if (event.rederived) this.#differs = true
    this.#enter(logged, this.#unchanged(event.revision, event.at), order)
  }

  /** A confidence that an older version logged, when a claim was asserted again. */
  #setConfidence(logged: Logged<'beliefRevised'>): void {
    const { event } = logged
    if (!this.#stands) return this.#hide(event)
    if (!this.#differs) return this.#enter(logged, event.revision)
    const before = this.#confidence(Date.parse(event.at))
    this.#enter(logged, { ...event.revision, revision: this.#log.length, before })
  }

  #withdraw(logged: Logged<'beliefWithdrawn'>): void {
    const { event, slot } = logged
    if (!this.#stands) return this.#hide(event)
    this.#end(logged, this.#unchanged(event.revision, event.at), slot)
  }

  /** A revision that leaves the confidence as it is. */
  #unchanged(revision: BeliefRevision, at: string): BeliefRevision {
    if (!this.#differs) return revision
    const confidence = this.#confidence(Date.parse(at))
    return { ...revision, revision: this.#log.length, before: confidence, after: confidence }
  }

  #begin(asserted: Asserted, slot: number, order = slot): void {
    this.#asserted = asserted
    this.#place = order
    this.#isWithdrawn = false
    this.#log = []
    this.#ends = []
    this.#push(assertion(asserted, slot, order))
    this.#open.push({ from: order, to: Infinity })
  }

  /** Enters a stored event with these numbers. */
  #enter({ event, slot }: Logged<'beliefRevised' | 'beliefWithdrawn'>, revision: BeliefRevision, order = slot): void {
    this.#used.add(event)
    const { rederived, ...all } = event
    const { superseded, ...plain } = all as Omit<Revised, 'rederived'>
    const ended = event.kind === 'beliefRevised' ? this.#endedOf(event, slot) : undefined
    const isSame =
      rederived === undefined &&
      ended?.length === superseded?.length &&
      revision.revision === event.revision.revision &&
      revision.before === event.revision.before &&
      revision.after === event.revision.after
    const told = isSame ? event : ({ ...plain, revision, ...(ended && { superseded: ended }) } as Revised | Withdrawn)
    if (!isSame) this.#told.set(event, told)
    this.#push(revising(told, slot, order))
  }

  #end(logged: Logged<'beliefWithdrawn'>, revision: BeliefRevision, order: number): void {
    this.#enter(logged, revision, order)
    this.#close(order)
  }

  #close(order: number): void {
    this.#isWithdrawn = true
    this.#open.at(-1)!.to = order
  }

  /** Enters an event that is not stored. */
  #miss(at: string, event: NewEvent<'beliefRevised' | 'beliefWithdrawn'>, slot: number, order = slot): void {
    this.#missing.push({ at, event: { ...event, rederived: true } })
    this.#push(revising({ id: '', at, ...event } as Revised | Withdrawn, slot, order))
  }

  #hide(event: LearningEvent): void {
    this.#differs = true
    this.#told.set(event, undefined)
    if (this.#asserted === undefined) this.#before.push(event)
  }

  /** The confidence at a time at which the log was what it is so far, by the ends that were known then. */
  #confidence(at: number, known = at): number {
    const { id } = this.#stored
    const { fateOf } = this.#episodes
    const held: Held = { id, place: this.#place, asserted: this.#asserted!, log: this.#log }
    return beliefAt(held, { now: at }, (episode, slot) => fateOf(episode, slot, known))!.confidence
  }

  #supports(): number {
    return this.#log.reduce(
      (sum, { counted }) => sum + counted.filter(({ verdict }) => verdict === 'supports').length,
      0,
    )
  }

  #isCounted(episode: EpisodeId): boolean {
    return this.#log.some(({ counted }) => counted.some((one) => one.episode === episode))
  }

  #slot(episode: EpisodeId, before: number): number | undefined {
    return this.#episodes.slotOf(episode, before)
  }

  /**
   * An assertion with the evidence that is there, and what of that had ended; itself where that is as it is stored,
   * `undefined` where none of it is there.
   */
  #liveEvidence<E extends Asserted | Reasserted>(event: E, slot: number): E | undefined {
    const { evidence, trust, superseded, provenance } = event
    const isLive = (episode: EpisodeId) => this.#slot(episode, slot) !== undefined
    const left = evidence.filter(isLive)
    if (left.length === 0 && evidence.length > 0) return undefined
    const ended = this.#ended(left, event, slot)
    if (left.length === evidence.length && ended.join() === (superseded ?? []).join()) return event
    const { superseded: _, ...rest } = event
    return {
      ...rest,
      evidence: left,
      ...(trust && { trust: trust.filter((_, i) => isLive(evidence[i])) }),
      ...(ended.length > 0 && { superseded: ended }),
      provenance: { ...provenance, episodes: provenance.episodes.filter(isLive) },
    } as unknown as E
  }

  /** Which episodes had ended when an event counted them. */
  #ended(
    episodes: readonly EpisodeId[],
    { at, superseded = [] }: Pick<Revised, 'at' | 'superseded'>,
    slot: number,
  ): EpisodeId[] {
    const { hadEnded } = this.#episodes
    return episodes.filter((episode) => hadEnded(episode, slot, Date.parse(at), superseded.includes(episode)))
  }

  /** The episode of a revision, if it counts and had ended then. */
  #endedOf(event: Revised, slot: number): readonly EpisodeId[] | undefined {
    const counted = revising(event, slot).counted.map(({ episode }) => episode)
    const ended = this.#ended(counted, event, slot)
    return ended.length > 0 ? ended : undefined
  }

  /** A confidence that was stated with evidence, without what of that is gone. */
  #withoutGone({ evidence, trust }: Asserted | Reasserted, confidence: number, slot: number): number {
    return evidence.reduce(
      (sum, episode, i) =>
        this.#slot(episode, slot) === undefined ? without(sum, 'supports', trust?.[i] ?? DEFAULT_TRUST) : sum,
      confidence,
    )
  }
}

/** Whether an event was stored when it was learned. */
function isOriginal({ event }: Logged<'beliefRevised' | 'beliefWithdrawn'>): boolean {
  return event.rederived === undefined
}

function is<K extends LearningEvent['kind']>(logged: Logged, kind: K): logged is Logged<K> {
  return logged.event.kind === kind
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
