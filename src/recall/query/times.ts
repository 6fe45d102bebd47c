import type { Episode, EpisodeId } from '../../api/episode.js'
import type { AskedPeriod, Tier } from '../../api/recall.js'
import { type Span, toIso } from '../../api/time.js'
import { termCounts } from '../../encoding/tokens.js'
import { slotsOf } from '../../base/bits.js'
import type { Visibility } from '../../indexes/visibility.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { AskedTime } from '../../extraction/time/asked.js'
import { mayAskTime, mayNameTime } from '../../extraction/time/gate.js'
import { EARLIEST, type Interval, LATEST } from '../../extraction/time/interval.js'
import type { TimeReader } from '../../extraction/time/reader.js'
import type { Confidence } from '../answer/confidence.js'
import type { CandidateSet } from '../evidence/candidate-set.js'

/** Gives the episodes of slots, in order; `undefined` for one that went away meanwhile. */
export type Fetch = (slots: readonly number[]) => Promise<(Episode | undefined)[]>

/** What the times of a question are found with. */
export interface TimeDeps {
  readonly fetch: Fetch
  readonly time: () => Promise<TimeReader>
}

/** The time that a cue asks about, as far as the memory knows it. */
export interface AskedWindow {
  readonly interval: Interval
  /** Episodes of that time that the question may see, the newest. */
  readonly slots: readonly number[]
  /** Whether they alone are asked for: the cue names nothing but the time, and there are some. */
  readonly only: boolean
  /** The episode that tells of the event by which the cue names the time. */
  readonly event?: EpisodeId
}

/** The least confidence in what was said at a time, when that is all that was asked for. */
const SAID_THEN = 0.5
/** Share of an event's idf that an episode must have to be taken for the event. */
const ANCHOR_COVERAGE = 0.8
/** How many of the best by posting lists are looked at for an event. */
const ANCHOR_DEPTH = 20
/**
 * How many texts are read for the times that they name, at most: those with the best evidence. Reading one takes about
 * 0.2 ms.
 */
const READ = 60

/**
 * The time that a cue asks about; `undefined` if it names none, or an event that the memory does not know or that
 * leaves one side open ("after the race" says hardly anything).
 *
 * @param depth how many episodes of that time, at most.
 */
export async function windowOf(
  indexes: Indexes,
  deps: TimeDeps,
  cue: string,
  visibility: Visibility,
  depth: number,
): Promise<AskedWindow | undefined> {
  if (!mayAskTime(cue)) return undefined
  const { askedTime } = await deps.time()
  const asked = askedTime(cue, visibility.validAsOf ?? visibility.now)
  const placed =
    asked &&
    (asked.interval === undefined ? await fromEvent(indexes, deps, asked, visibility) : { interval: asked.interval })
  if (placed === undefined) return undefined
  const slots = newestWithin(indexes, { ...visibility, within: both(visibility.within, placed.interval) }, depth)
  return { ...placed, slots, only: asked!.only && slots.length > 0 }
}

/**
 * A cue without the time that it names, which bounds nothing else it says; `undefined` where what it says of order is
 * that time: "before May".
 */
export async function withoutTime(
  { cue, visibility }: { readonly cue: string; readonly visibility: Visibility },
  { time }: TimeDeps,
): Promise<string | undefined> {
  if (!mayNameTime(cue)) return cue
  const { askedTime } = await time()
  const asked = askedTime(cue, visibility.validAsOf ?? visibility.now)
  if (asked?.interval === undefined) return cue
  return asked.limit === 'during' ? asked.rest : undefined
}

/**
 * The time that lies in both of two stretches; one that is absent is all time. What they do not share holds nothing.
 */
export function both(one: Span | undefined, other: Span): Span {
  return one === undefined ? other : { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }
}

/**
 * How well candidates fit the time asked about: 1 if they were said then; else the share of a time they name that lies
 * in it.
 */
export async function timely(
  indexes: Indexes,
  deps: TimeDeps,
  { slots, rows, own }: CandidateSet,
  { interval }: AskedWindow,
): Promise<Map<number, number>> {
  const fits = new Map<number, number>()
  const readable: { readonly slot: number; readonly own: number }[] = []
  slots.forEach((slot, i) => {
    if (isIn(indexes.catalog.validFrom(slot), interval)) fits.set(slot, 1)
    else if (indexes.mentions.mayName(slot)) readable.push({ slot, own: own[rows[i]] })
  })
  const best = readable
    .sort((a, b) => b.own - a.own || a.slot - b.slot)
    .slice(0, READ)
    .map(({ slot }) => slot)
  for (const [slot, named] of await mentioned(indexes, deps, best)) {
    const fit = Math.max(0, ...named.map((time) => shareWithin(time, interval)))
    if (fit > 0) fits.set(slot, fit)
  }
  return fits
}

/** The time of an event that the memory tells of, moved as the cue says: "two days after launch". */
async function fromEvent(
  indexes: Indexes,
  deps: TimeDeps,
  { relative }: AskedTime,
  visibility: Visibility,
): Promise<Required<Pick<AskedWindow, 'interval' | 'event'>> | undefined> {
  if (relative === undefined || relative.offset.from === EARLIEST || relative.offset.to === LATEST) return undefined
  const slot = anchorOf(indexes, relative.anchor, visibility)
  if (slot === undefined) return undefined
  // What it names is when it was: "the launch is tomorrow". Several times are no help.
  const [named = []] = (await mentioned(indexes, deps, [slot])).values()
  const id = indexes.catalog.id(slot)
  if (id === undefined) return undefined // it was removed while its text was read
  const at = indexes.catalog.validFrom(slot)
  const event = named.length === 1 ? named[0] : { from: at, to: at }
  return { interval: { from: event.from + relative.offset.from, to: event.to + relative.offset.to }, event: id }
}

/** The episode that tells of an event: of those with enough of its words the best. */
function anchorOf({ catalog, postings }: Indexes, anchor: string, visibility: Visibility): number | undefined {
  const terms = new Map([...termCounts(anchor).keys()].map((term) => [term, 1]))
  let all = 0
  for (const term of terms.keys()) all += postings.idf(term)
  const covered = (slot: number) => {
    const has = postings.termsOf(slot)
    let sum = 0
    for (const term of terms.keys()) if (has.includes(postings.number(term)!)) sum += postings.idf(term)
    return sum
  }
  return postings
    .search(terms, ANCHOR_DEPTH, catalog.mask(visibility))
    .slots.find((slot) => covered(slot) >= ANCHOR_COVERAGE * all)
}

/** The times that the texts of slots name; only what is not known yet is read. */
async function mentioned(
  { catalog, mentions }: Indexes,
  { fetch, time }: TimeDeps,
  slots: readonly number[],
): Promise<Map<number, readonly Interval[]>> {
  const unread = slots.filter((slot) => mentions.get(slot) === undefined)
  if (unread.length > 0) {
    const reader = await time()
    const episodes = await fetch(unread)
    unread.forEach((slot, i) => {
      const episode = episodes[i]
      // What was removed meanwhile must not come back.
      if (episode !== undefined && catalog.id(slot) !== undefined) mentions.read(slot, episode, reader)
    })
  }
  const found = new Map<number, readonly Interval[]>()
  for (const slot of slots) if (catalog.id(slot) !== undefined) found.set(slot, mentions.get(slot) ?? [])
  return found
}

/** The visible slots of the latest valid times. */
function newestWithin({ catalog }: Indexes, visibility: Visibility, count: number): number[] {
  const slots = [...slotsOf(catalog.mask(visibility) ?? catalog.live)]
  if (slots.length <= count) return slots
  const times = Float64Array.from(slots, (slot) => catalog.validFrom(slot)).sort()
  const since = times[times.length - count]
  const later = slots.filter((slot) => catalog.validFrom(slot) > since)
  return [...later, ...slots.filter((slot) => catalog.validFrom(slot) === since).slice(later.length - count)]
}

/** What the trace says of it. */
export function toTrace({ interval: { from, to }, only, event }: AskedWindow): AskedPeriod {
  return {
    ...(from > EARLIEST && { from: toIso(from) }),
    ...(to < LATEST && { to: toIso(to) }),
    only,
    ...(event !== undefined && { event }),
  }
}

/** What was said at a time is more than merely near when that time was all that was asked for. */
export function tierInTime(tier: Tier, window: AskedWindow | undefined): Tier {
  return tier === 'nearest' && window?.only ? 'gist' : tier
}

/** Likewise it is as sure as not to be what was asked for: no other evidence can speak for it or against it. */
export function confidenceInTime(confidence: Confidence, window: AskedWindow | undefined): Confidence {
  return window?.only ? (...of) => Math.max(SAID_THEN, confidence(...of)) : confidence
}

function isIn(time: number, { from, to }: Interval): boolean {
  return from <= time && time < to
}

function shareWithin(time: Interval, window: Interval): number {
  return Math.max(0, Math.min(time.to, window.to) - Math.max(time.from, window.from)) / (time.to - time.from)
}
