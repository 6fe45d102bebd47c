import type { Indexes } from '../../indexes/indexes.js'
import { type AskedSequence, askedSequence } from './asked.js'
import { nearestInTime, type Step, type Way, ways } from './follow.js'
import { type EventDeps, type Told, toldOf } from './event.js'
import { isTalkAlone } from './talk.js'

/** Why an episode may be what a cue asks for by its place. */
export interface Lead {
  /** 0 to 1: next to 1 where its place alone says that it is. */
  readonly strength: number
  /** How likely the event is the one that is meant. */
  readonly confidence: number
  /** How one came to it; absent where its turn among many says so. */
  readonly way?: Way
}

/** The episodes that lie where a cue asks, and which of all that match it asks for. */
export interface Sequence {
  /** By slot. */
  readonly leads: ReadonlyMap<number, Lead>
  readonly ordinal?: 'first' | 'last'
}

/** What a sequence is found with. */
export interface SequenceDeps extends EventDeps {
  readonly indexes: Indexes
  /** Along sessions, over what could be seen at the times asked about. */
  readonly previous: Step
  readonly next: Step
  /** What could be seen then; absent: all. */
  readonly seen: () => Uint32Array | undefined
  /** The factor by which a step forward or backward lowers a score, 0 to 1. */
  readonly weights: { readonly forward: number; readonly backward: number }
}

/** How many episodes are taken for an event, at most, and from which share of the best one's confidence on. */
const EVENTS = 3
const LIKELY = 0.35
/** Steps from an event along its session. */
const HOPS = 3
/** The same where the first or the last of many is asked for, and the factors further away: a turn must match, too. */
const FAR = 12
const FURTHER = { all: 0.5, step: 0.95 }
/** How many turns may lie between two events. */
const BETWEEN = 60
/**
 * What the place counts: where "right" or "just" says that it decides, where nothing else is asked for, and otherwise;
 * and between two events.
 */
const PLACE = { near: 0.95, alone: 0.65, beside: 0.12, between: 0.8 }
/** The weight of the turn that tells of the event: its speaker often tells the consequences, too. */
const ITSELF = { near: 0.15, alone: 0.5 }
/** From which confidence on an event is taken for sure, as far as its place counts. */
const SURE = 0.3
/** What counts a turn that says as good as nothing: "okay", "stand by". */
const LIGHT = 0.5
/** What counts who spoke, where the cue names somebody else. */
const OTHER_SPEAKER = 0.5

/** What lies where a cue asks, of events that an ordinary search finds; `undefined` if it asks for no order. */
export async function sequenceOf(cue: string, deps: SequenceDeps): Promise<Sequence | undefined> {
  const asked = askedSequence(cue)
  if (asked === undefined) return undefined
  const { relation, ordinal } = asked
  if (relation === 'alone') return { leads: new Map(), ordinal }
  const told: Told[][] = []
  for (const event of asked.events) told.push(await toldOf(event, deps))
  const found = relation === 'between' ? inBetween(told, deps) : beside(likely(told[0]), asked, deps)
  const speakers = deps.indexes.catalog.speakerNames.named(asked.rest)
  const place = placeOf(asked, speakers)
  const leads = new Map<number, Lead>()
  for (const lead of found) {
    const speaker = deps.indexes.catalog.speaker(lead.slot)
    const isOther = speakers.size > 0 && (speaker === undefined || !speakers.has(speaker))
    const sure = Math.min(1, lead.confidence / SURE)
    const strength = place * sure * lead.strength * (isOther ? OTHER_SPEAKER : 1)
    if (strength > (leads.get(lead.slot)?.strength ?? 0)) leads.set(lead.slot, { ...lead, strength })
  }
  if (leads.size === 0) return undefined
  if (place > PLACE.beside && relation !== 'between') {
    const itself = asked.near ? ITSELF.near : ITSELF.alone
    for (const { slot, confidence } of likely(told[0]))
      leads.set(slot, { strength: (itself * confidence) / told[0][0].confidence, confidence: 0 })
  }
  return { leads }
}

/** A lead to a slot. */
type Found = Lead & { readonly slot: number }

function placeOf({ relation, near, rest }: AskedSequence, speakers: Iterable<string>): number {
  if (near) return PLACE.near
  return !isTalkAlone(rest, speakers) ? PLACE.beside : relation === 'between' ? PLACE.between : PLACE.alone
}

/** The best of those that tell of an event. */
function likely(told: readonly Told[]): Told[] {
  return told.slice(0, EVENTS).filter(({ confidence }) => confidence >= LIKELY * told[0].confidence)
}

/** What lies on one side of an event. */
function beside(event: readonly Told[], { relation, ordinal }: AskedSequence, deps: SequenceDeps): Found[] {
  const forward = relation === 'after'
  const weight = forward ? deps.weights.forward : deps.weights.backward
  const passed = new Set(event.map(({ slot }) => slot))
  const beyond = nearestInTime(deps.indexes.catalog, deps.seen, forward)
  const hops = ordinal === undefined ? HOPS : FAR
  const step = forward ? deps.next : deps.previous
  const edge = forward ? 'forward' : 'backward'
  const isLight = lightIn(deps.indexes)
  return event.flatMap(({ slot, confidence }) =>
    ways(slot, { step, edge, weight, hops, passed, beyond, isLight }).map((way) => {
      let strength = (isLight(way.slots.at(-1)!) ? LIGHT : 1) * (confidence / event[0].confidence)
      for (let hop = 1; hop <= way.hops; hop++) strength *= hop <= HOPS ? weight : FURTHER.step
      if (way.hops > HOPS) strength *= FURTHER.all
      return { slot: way.slots.at(-1)!, strength, confidence, way }
    }),
  )
}

/**
 * Whether a turn says almost nothing: all its words together weigh less than half of a word that was never
 * said. Such turns count as no step: in a radio log every other turn is one.
 */
function lightIn({ postings }: Indexes): (slot: number) => boolean {
  const enough = postings.idf('') / 2
  return (slot) => {
    let sum = 0
    for (const number of postings.termsOf(slot)) sum += postings.idfOf(number)
    return sum < enough
  }
}

/** What lies between two events: of those that may tell of them the likeliest two that are near each other. */
function inBetween([one, other]: readonly (readonly Told[])[], deps: SequenceDeps): Found[] {
  let best: { readonly way: readonly number[]; readonly confidence: number } | undefined
  let most = 0
  const beyond = nearestInTime(deps.indexes.catalog, deps.seen, true)
  for (const a of one) {
    for (const b of other) {
      const confidence = a.confidence * b.confidence
      if (a.slot === b.slot || confidence <= most) continue
      const way = pathBetween(a.slot, b.slot, beyond, deps)
      if (way === undefined) continue
      best = { way, confidence: Math.sqrt(confidence) }
      most = confidence
    }
  }
  if (best === undefined) return []
  const { way, confidence } = best
  return way.slice(1).map((slot, i) => ({
    slot,
    strength: 1,
    confidence,
    way: { slots: way.slice(0, i + 2), hops: i + 1, edge: 'forward', weight: deps.weights.forward },
  }))
}

/** The slots from one to the one before the other, in order; `undefined` where they are far from each other. */
function pathBetween(one: number, other: number, beyond: Step, { indexes, next }: SequenceDeps): number[] | undefined {
  const time = (slot: number) => indexes.catalog.validFrom(slot)
  const isEarlier = time(one) < time(other) || (time(one) === time(other) && one < other)
  const [from, to] = isEarlier ? [one, other] : [other, one]
  const path = [from]
  for (let at = from; path.length <= BETWEEN; ) {
    const along = next(at)
    at = along >= 0 ? along : beyond(at)
    if (at < 0 || path.includes(at)) return undefined
    if (at === to) return path
    path.push(at)
  }
  return undefined
}
