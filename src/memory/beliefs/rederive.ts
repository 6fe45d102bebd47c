import { type BeliefId, tripleOf } from '../../api/belief.js'
import type { Episode, EpisodeId } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import type { Logged, NewEvent } from '../../records/event-log.js'
import type { ChangedEpisode, MadeEvent, Rederived } from '../projection.js'
import { isAlias } from '../../extraction/concepts/alias-predicates.js'
import { aliasesOf } from './aliases.js'
import type { OwnAssertion, OwnBeliefs } from './own-beliefs.js'
import {
  type Effective,
  effectiveOf,
  type Episodes,
  isAutomatic,
  type Open,
  type SlotOf,
  type StoredBelief,
} from './effective.js'
import { draft } from './follow-evidence.js'
import type { HeldBeliefs } from './held-beliefs.js'
import type { RelevantItem } from '../relevant-items.js'
import type { Held } from './standing.js'
import { LATER } from './later.js'

/** Episodes that are read at once. */
const EPISODES_PER_TURN = 256

type BeliefEvent = LearningEvent<'beliefReasserted' | 'beliefRevised' | 'beliefWithdrawn'>
type Following = Logged<'beliefRevised'>

/** A belief whose events may be others. */
interface Review {
  /** Of what the memory believes by itself, with the assertion that follows from the episodes, if one does. */
  stored: StoredBelief
  /** The assertion, where it is not stored yet. */
  asserted?: OwnAssertion
  /** Of which slots the episodes are to be looked at (again). */
  readonly looked: Open[]
  readonly gone: Set<LearningEvent>
  readonly made: Logged<BeliefEvent['kind']>[]
  /** By the events that are stored and not gone, and those that were made; see `Rederivation.#effective`. */
  effective: Effective
  isStale: boolean
  /** When it was held by what was known when its episodes were last looked at. */
  open: readonly Open[]
  /** The first slot whose episode was found to do something else to it since then. */
  changedFrom: number
}

/**
 * Works out which revisions beliefs would have, and which they would not, if some episodes had never come, or always
 * been there. Revisions of episodes that are there stay as they are, but for those that depend on what else changed: on
 * another name, on when the belief began, or on when it ended. Episodes are looked at (again) that came while a belief
 * was not held, and now would have been.
 */
export async function rederive(
  beliefs: HeldBeliefs,
  changed: readonly ChangedEpisode[],
  breathe: () => Promise<void>,
): Promise<Rederived> {
  if (changed.length === 0) return { gone: [], made: [] }
  return new Rederivation(beliefs, changed, breathe).run()
}

class Rederivation {
  readonly #beliefs: HeldBeliefs
  readonly #changed: readonly ChangedEpisode[]
  readonly #breathe: () => Promise<void>
  readonly #reviews = new Map<BeliefId, Review>()
  readonly #fresh: ReadonlySet<number>
  #later = LATER
  #own: OwnBeliefs | undefined

  constructor(beliefs: HeldBeliefs, changed: readonly ChangedEpisode[], breathe: () => Promise<void>) {
    this.#beliefs = beliefs
    this.#changed = changed
    this.#breathe = breathe
    this.#fresh = new Set(changed.filter(({ live }) => live).map(({ slot }) => slot))
  }

  async run(): Promise<Rederived> {
    const changed = this.#changed.map(({ slot }) => slot)
    this.#own = await this.#ownBeliefs()
    this.#own?.doubt(changed)
    try {
      await this.#own?.read(this.#breathe)
      return await this.#rederive()
    } finally {
      // They state what they did before if the commit fails.
      this.#own?.doubt(changed)
    }
  }

  /** What looks after the beliefs of the memory's own, where there may be any. */
  async #ownBeliefs(): Promise<OwnBeliefs | undefined> {
    return this.#beliefs.hasOwn ? this.#beliefs.own() : undefined
  }

  async #rederive(): Promise<Rederived> {
    const { table } = this.#beliefs
    if (this.#own !== undefined && this.#beliefs.believes) await this.#believe(this.#own)
    const before = flipped(this.#beliefs.episodes, this.#changed)
    const names = await this.#namesGiven()
    for (const id of new Set(this.#changed.flatMap(({ id }) => table.restingOn(id)))) {
      if (this.#reviews.has(id)) continue
      const { stored, effective } = table.stored(id)!
      const old = effectiveOf(stored, before)
      const isOther = this.#isCompared(old, effective)
      const to = isOther ? effective.open : notIn(effective.open, old.open)
      this.#review(id, to)
      const triple = stored.assertion && tripleOf(stored.assertion.event)
      const isHeldElse = isOther || to.length > 0 || notIn(old.open, effective.open).length > 0
      if (triple !== undefined && isAlias(triple) && isHeldElse) names.push(triple.subject, triple.object)
    }
    for (const held of await this.#about(names)) this.#review(held.id, table.stored(held.id)!.effective.open)
    await this.#look()
    return this.#result()
  }

  /** Has the assertions of the memory's own be those to which the episodes that are there would have led. */
  async #believe(own: OwnBeliefs): Promise<void> {
    const { table, episodes } = this.#beliefs
    for (const meant of own.affected(this.#changed)) {
      const id = own.idOf(meant)
      const stored = table.stored(id)?.stored
      const before = stored?.assertion?.event
      const expected = own.expected(meant)
      if (isSameAssertion(before, expected)) continue
      const all = stored?.events ?? []
      const events = expected === undefined ? all.filter((one) => !isDerived(one, stored!, episodes.slotOf)) : all
      const assertion = expected && { slot: this.#later++, event: { id: '', ...expected } }
      const now: StoredBelief = { id, ...(assertion && { assertion }), events }
      const effective = effectiveOf(now, episodes)
      const gone = [...(before === undefined ? [] : [before]), ...all.map(({ event }) => event)]
      this.#reviews.set(id, {
        stored: now,
        ...(expected && { asserted: expected }),
        effective,
        isStale: false,
        open: effective.open,
        looked: [...effective.open],
        gone: new Set(gone.filter((event) => !events.some((one) => one.event === event))),
        made: [],
        changedFrom: Infinity,
      })
    }
  }

  /** Whether what is compared of a belief with an episode may be something else. */
  #isCompared(old: Effective, { held }: Effective): boolean {
    if (held === undefined) return false
    if (old.held?.place !== held.place) return true
    const updated = new Set(this.#changed.flatMap(({ id, updated }) => (updated ? [id] : [])))
    if (held.log.some(({ counted }) => counted.some(({ episode }) => updated.has(episode)))) return true
    return this.#mayEnd(held)
  }

  /** Whether a belief ends with its evidence, some of which has an end. */
  #mayEnd({ asserted, log }: Held): boolean {
    const { fateOf } = this.#beliefs.episodes
    const hasEnd = log.some(({ counted, slot }) =>
      counted.some(({ episode }) => (fateOf(episode, slot, Infinity)?.endsAt ?? Infinity) < Infinity),
    )
    return asserted.evidence.length > 0 && hasEnd
  }

  /** A belief as what was found so far leaves it. */
  #effective(review: Review): Effective {
    if (review.isStale) {
      review.effective = effectiveOf(this.#storedNow(review), this.#beliefs.episodes)
      review.isStale = false
    }
    return review.effective
  }

  #review(id: BeliefId, open: readonly Open[]): Review {
    const known = this.#reviews.get(id)
    if (known !== undefined) {
      known.looked.push(...open)
      return known
    }
    const { stored, effective } = this.#beliefs.table.stored(id)!
    const review: Review = {
      stored,
      effective,
      isStale: false,
      open: effective.open,
      looked: [...open],
      gone: new Set(),
      made: [],
      changedFrom: Infinity,
    }
    this.#reviews.set(id, review)
    return review
  }

  /** The names to which changed episodes give others. */
  async #namesGiven(): Promise<string[]> {
    const names: string[] = []
    for (const { slot, live, before } of this.#changed) {
      const [now] = live ? await this.#beliefs.context.fetch([slot]) : []
      const triples = [...(now?.triples ?? []), ...(before?.triples ?? [])]
      for (const triple of triples) if (isAlias(triple)) names.push(triple.subject, triple.object)
    }
    return names
  }

  /** The beliefs about names, by all other names that were ever given to them. */
  async #about(names: readonly string[]): Promise<Held[]> {
    const { context, table } = this.#beliefs
    const given = table.naming().map(({ asserted }) => tripleOf(asserted)!)
    const found = new Set<Held>()
    for (const name of new Set(names)) {
      const others = await aliasesOf(context, name, given, { now: -Infinity })
      for (const other of [name, ...others]) for (const held of table.about(other)) found.add(held)
    }
    return [...found]
  }

  /** Looks at episodes until no belief was held at another time than those looked at. */
  async #look(): Promise<void> {
    let slots = this.#slots([...this.#reviews.values()].map((review) => ({ review, open: review.looked })))
    for (const slot of this.#fresh) slots.push(slot)
    while (slots.length > 0) {
      slots = [...new Set(slots)].sort((a, b) => a - b)
      for (let i = 0; i < slots.length; i += EPISODES_PER_TURN) {
        const part = slots.slice(i, i + EPISODES_PER_TURN)
        for (const [j, episode] of (await this.#beliefs.context.fetch(part)).entries())
          if (episode !== undefined) await this.#consider(part[j], episode)
        await this.#breathe()
      }
      const opened: { review: Review; open: readonly Open[] }[] = []
      for (const review of this.#reviews.values()) {
        const { held, open } = this.#effective(review)
        const more = notIn(notIn(open, review.open), review.looked)
        review.looked.push(...more)
        opened.push({ review, open: more })
        // What supports it, or does so no more, may move its end, and so what is compared with it later.
        if (review.changedFrom < Infinity && held !== undefined && this.#mayEnd(held)) {
          const again = notIn(open, [{ from: -1, to: review.changedFrom }])
          review.looked.push(...again)
          opened.push({ review, open: again })
        }
        review.open = open
        review.changedFrom = Infinity
      }
      slots = this.#slots(opened)
    }
  }

  /** The slots of the episodes that came in these times; of beliefs of the memory's own those that may tell of them. */
  #slots(looking: readonly { readonly review: Review; readonly open: readonly Open[] }[]): number[] {
    const { catalog } = this.#beliefs.context.indexes
    const found: number[] = []
    for (const { review, open } of looking) {
      const { held } = this.#effective(review)
      if (held?.asserted.automatic !== undefined && this.#own !== undefined) {
        for (const slot of this.#own.slotsAbout(held)) if (isIn(open, slot)) found.push(slot)
        continue
      }
      for (const { from, to } of open) {
        for (const slot of catalog.slots(Math.floor(from) + 1)) {
          if (slot > to) break
          found.push(slot)
        }
      }
    }
    return found
  }

  /** Has the revisions of beliefs by an episode be those that it would have made. */
  async #consider(slot: number, row: Episode): Promise<void> {
    const { table } = this.#beliefs
    const bearing = await this.#beliefs.bearing()
    const own = this.#own?.on(row) ?? []
    const now = Date.parse(row.recordedAt)
    const episode = this.#asOf(row, slot, now)
    const moment = { now, before: slot }
    const borne = new Map((await bearing.on(episode, moment)).map((one) => [one.held.id, one]))
    const candidates = new Set(this.#fresh.has(slot) ? [...borne.keys(), ...own, ...table.restingOn(row.id)] : [])
    for (const [id, { looked }] of this.#reviews) if (isIn(looked, slot)) candidates.add(id)
    for (const id of candidates) {
      const known = this.#reviews.get(id)
      const { held, open } = known === undefined ? table.stored(id)!.effective : this.#effective(known)
      if (held === undefined || !isIn(open, slot)) continue
      const one = held.asserted.automatic === undefined ? borne.get(id) : { held, isUnclear: false }
      const drafted = one === undefined ? undefined : await this.#drafted({ ...one, held }, episode, moment)
      const old = this.#following(id, row.id, slot)
      if (old.some(({ event }) => drafted !== undefined && isSame(event, drafted))) continue
      if (old.length === 0 && drafted === undefined) continue
      const review = this.#review(id, [])
      review.isStale = true
      review.changedFrom = Math.min(review.changedFrom, slot)
      for (const { event } of old) review.gone.add(event)
      review.made.splice(0, Infinity, ...review.made.filter((one) => !old.includes(one as Following)))
      if (drafted === undefined) continue
      const event = { id: '', at: row.recordedAt, ...drafted, rederived: true } as LearningEvent<'beliefRevised'>
      review.made.push({ slot: this.#later++, event })
    }
  }

  /** What an episode did to a belief when it was observed, by what is stored and was made. */
  #following(id: BeliefId, episode: EpisodeId, slot: number): Following[] {
    const review = this.#reviews.get(id)
    const { stored } = review ?? this.#beliefs.table.stored(id)!
    const all = [...stored.events.filter(({ event }) => !review?.gone.has(event)), ...(review?.made ?? [])]
    return all.filter(
      (one): one is Following =>
        one.event.kind === 'beliefRevised' &&
        one.event.revision.evidence === episode &&
        one.slot > slot &&
        isAutomatic(one as Following, stored, this.#beliefs.episodes.slotOf),
    )
  }

  /** The revision or flag that an episode would have made. */
  async #drafted(
    one: RelevantItem,
    episode: Episode,
    moment: { readonly now: number; readonly before: number },
  ): Promise<NewEvent<'beliefRevised'> | undefined> {
    const { trust } = this.#beliefs
    const belief = this.#beliefs.then(one.held, moment.now, moment.before)
    if (belief === undefined) return undefined
    const finding =
      one.held.asserted.automatic === undefined
        ? await (await this.#beliefs.bearing()).verdict(belief, episode, moment)
        : this.#own!.verdict(belief, episode)
    const { confidence, evidence } = belief
    const state = { belief, confidence, next: 0, supports: evidence.length }
    const drafted = draft(state, one, episode, finding, trust(episode.source), moment.now)
    return drafted?.events[0] as NewEvent<'beliefRevised'> | undefined
  }

  /** An episode with the end that was known of it at a time. */
  #asOf(episode: Episode, slot: number, now: number): Episode {
    const { superseded, ...rest } = episode
    if (superseded === undefined) return episode
    const isKnown = Date.parse(superseded.recordedAt) <= now
    const holds = this.#beliefs.context.indexes.catalog.validTo(slot) <= Date.parse(superseded.at)
    return isKnown && holds ? episode : rest
  }

  #storedNow({ stored, gone, made }: Review): StoredBelief {
    return { ...stored, events: [...stored.events.filter(({ event }) => !gone.has(event)), ...made] }
  }

  #result(): Rederived {
    const { context } = this.#beliefs
    const now = context.clock()
    const ids = new Set<string>()
    const all: { readonly order: number; readonly made: MadeEvent }[] = []
    const make = (order: number, at: string, event: NewEvent) => {
      const id = context.makeId('ev_', now, (id) => ids.has(id) || context.log.has(id))
      ids.add(id)
      all.push({ order, made: { event: { id, at, ...event } as LearningEvent } })
    }
    const gone: LearningEvent[] = []
    for (const review of this.#reviews.values()) {
      const { told, missing } = effectiveOf(this.#storedNow(review), this.#beliefs.episodes)
      if (review.asserted !== undefined) {
        const { at, ...content } = review.asserted
        make(Date.parse(at), at, content)
      }
      for (const { event } of review.made) {
        const shown = told.has(event) ? told.get(event) : event
        if (shown === undefined) continue
        const { id: _, at, ...content } = shown as LearningEvent<'beliefRevised'>
        make(Date.parse(at), at, { ...content, rederived: true })
      }
      for (const { at, event } of missing) make(Date.parse(at), at, event)
      gone.push(...review.gone)
      // What was made for other episodes and tells nothing now would only be in the way.
      for (const { event } of review.stored.events)
        if ('rederived' in event && told.has(event) && told.get(event) === undefined) gone.push(event)
    }
    all.sort((a, b) => a.order - b.order)
    return { gone, made: all.map(({ made }) => made) }
  }
}

/** The episodes as they were before some came or went. */
function flipped({ slotOf, fateOf, hadEnded }: Episodes, changed: readonly ChangedEpisode[]): Episodes {
  const came = new Set(changed.filter(({ live, updated }) => live && !updated).map(({ id }) => id))
  const went = new Map(changed.filter(({ live }) => !live).map(({ id, slot }) => [id, slot]))
  return {
    hadEnded,
    slotOf(episode, before) {
      const slot = went.get(episode)
      if (slot !== undefined) return slot < before ? slot : undefined
      return came.has(episode) ? undefined : slotOf(episode, before)
    },
    fateOf(episode, before, known) {
      const slot = went.get(episode)
      if (slot !== undefined) return slot < before ? { endsAt: Infinity, knownAt: Infinity } : undefined
      return came.has(episode) ? undefined : fateOf(episode, before, known)
    },
  }
}

function isIn(open: readonly Open[], slot: number): boolean {
  return open.some(({ from, to }) => from < slot && slot <= to)
}

/** The parts of times that are not in others. */
function notIn(open: readonly Open[], others: readonly Open[]): Open[] {
  let left = [...open]
  for (const other of others) {
    left = left.flatMap(({ from, to }) => {
      if (other.to <= from || to <= other.from) return { from, to }
      const parts = [
        { from, to: Math.min(to, other.from) },
        { from: Math.max(from, other.to), to },
      ]
      return parts.filter(({ from, to }) => from < to)
    })
  }
  return left
}

/** Whether an event of a belief of the memory's own is derived from an episode. */
function isDerived(one: StoredBelief['events'][number], stored: StoredBelief, slotOf: SlotOf): boolean {
  if (one.event.kind === 'beliefWithdrawn') return one.event.revision.evidence !== undefined
  return one.event.kind === 'beliefRevised' && isAutomatic(one as Following, stored, slotOf)
}

/** Whether the memory came to believe something as it would have. */
function isSameAssertion(stored: LearningEvent<'beliefAsserted'> | undefined, expected?: OwnAssertion): boolean {
  if (stored === undefined || expected === undefined) return stored === expected
  const content = ({ at, claim, confidence, evidence, trust, automatic, validFrom }: OwnAssertion) =>
    JSON.stringify([at, claim, confidence, evidence, trust, automatic, validFrom])
  return content(stored) === content(expected)
}

/** Whether an event tells what is expected, its numbers aside. */
function isSame({ revision: a }: LearningEvent<'beliefRevised'>, { revision: b }: NewEvent<'beliefRevised'>): boolean {
  return a.kind === b.kind && a.verdict === b.verdict && a.reason === b.reason && a.automatic === b.automatic
}
