import type { BeliefId } from '../../api/belief.js'
import { tripleOf } from '../../api/belief.js'
import type { Episode, EpisodeId } from '../../api/episode.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import { toIso } from '../../api/time.js'
import type { Triple } from '../../api/triple.js'
import { idOf } from '../../base/ids.js'
import type { Ontology, Ordered } from '../../encoding/ontology.js'
import type { ChangedEpisode } from '../projection.js'
import { confidenceOf, type Voice, voiceOf } from '../voices.js'
import { LEAST_AUTOMATIC, type StoredBelief } from './effective.js'
import type { HeldBeliefs } from './held-beliefs.js'
import type { OwnAssertion, OwnBeliefs } from './own-beliefs.js'
import type { Held, Standing } from './standing.js'
import { isBelievable, meaningOf, type Stated, statementKey, statementsOf, verdictOn } from './statement.js'
import { StatementTable } from './statement-table.js'
import { endOf, type Finding, overlaps, quoted } from './verdict.js'
import { least } from '../../base/extremes.js'
import { LATER } from './later.js'

/** Episodes that state something of a relation, of which the last so many count at a time. */
const MOST_SAYINGS = 1_000

/** Ids of statements that are kept, before all are dropped. */
const MOST_IDS = 10_000

/** An episode that states something. */
interface Saying {
  readonly slot: number
  readonly episode: EpisodeId
  /** When it began to be true, and when it was recorded, epoch milliseconds. */
  readonly from: number
  readonly recordedAt: number
  /** When it ceases to be true, as it was known at a time, epoch milliseconds. */
  readonly until: (known: number) => number
  readonly voice: Voice
  readonly stated: readonly Stated[]
}

/** A statement that supports another, where it stands. */
interface Supporting {
  readonly saying: Saying
  readonly stated: Stated
}

/**
 * What the memory comes to believe by itself: a statement that episodes of several voices make, once it is likely
 * enough. Which episodes led to it, and when, is a function of the episodes that are there and of what callers
 * asserted, so it can be worked out again when some of them are gone. Such a belief follows the statements of later
 * episodes, and no sentences.
 */
export class AutomaticBeliefs implements OwnBeliefs {
  readonly #beliefs: HeldBeliefs
  readonly #table: StatementTable
  readonly #ids = new Map<string, BeliefId>()

  constructor(beliefs: HeldBeliefs) {
    this.#beliefs = beliefs
    this.#table = new StatementTable(beliefs.context, (episode) => voiceOf(episode, beliefs.trust))
  }

  get bytes(): number {
    return this.#table.bytes
  }

  read(breathe: () => Promise<void>): Promise<void> {
    return this.#table.read(breathe)
  }

  doubt(slots: Iterable<number>): void {
    this.#table.doubt(slots)
  }

  verdict(belief: Standing, episode: Episode): Finding {
    const meant = this.#meaning(tripleOf(belief)!)
    const found = statementsOf(this.#ontology, episode.triples).flatMap(({ triple, meant: other }) => {
      const verdict = verdictOn(meant, other)
      return verdict === undefined ? [] : [{ verdict, reason: `it says ${quoted(triple)}` }]
    })
    const [first] = found
    if (first === undefined) return undefined
    if (found.some(({ verdict }) => verdict !== first.verdict)) return 'both'
    const isOther = first.verdict === 'contradicts' && !overlaps(belief, episode)
    return isOther ? { verdict: 'neutral', reason: `${first.reason}, but of another time` } : first
  }

  on(episode: Episode): BeliefId[] {
    const found = new Set<BeliefId>()
    for (const { meant } of statementsOf(this.#ontology, episode.triples))
      for (const [, other] of this.#table.believableBeside(meant))
        if (verdictOn(other, meant) !== undefined) found.add(this.idOf(other))
    const { table } = this.#beliefs
    return [...found].filter((id) => table.find(id)?.asserted.automatic !== undefined)
  }

  slotsAbout({ asserted }: Held): number[] {
    return this.#table.slots(this.#meaning(tripleOf(asserted)!))
  }

  drafted(episodes: readonly Episode[], isBelieved: (id: BeliefId) => boolean): OwnAssertion[] {
    const pending = episodes.map((episode, i) => this.#unstored(episode, LATER + i))
    const last = pending.at(-1)!
    const found: OwnAssertion[] = []
    const seen = new Set<string>()
    const coming = pending.map(({ voice }) => voice)
    for (const { meant, key } of last.stated) {
      if (seen.has(key) || !isBelievable(meant)) continue
      seen.add(key)
      if (!this.#isLikely([...this.#table.voices({ meant, key }), ...coming])) continue
      if (isBelieved(this.idOf(meant)) || this.#isBelieved(meant, Infinity)) continue
      const sayings = [...this.#sayings(meant, MOST_SAYINGS), ...pending]
      const assertion = this.#assertion(meant, sayings, last)
      if (assertion !== undefined) found.push(assertion)
    }
    return found
  }

  affected(changed: readonly ChangedEpisode[]): Ordered<string>[] {
    const { table } = this.#beliefs
    const live = changed.filter(({ live }) => live).map(({ slot }) => slot)
    const told = [
      ...changed.flatMap(({ before }) => statementsOf(this.#ontology, before?.triples ?? [])),
      ...live.flatMap((slot) => this.#table.of(slot)),
    ]
    const resting = changed.flatMap(({ id }) => table.restingOn(id)).flatMap((id) => this.#claimOf(id) ?? [])
    const meanings = [...told.map(({ meant }) => meant), ...resting.map((triple) => this.#meaning(triple))]
    const found = new Map<string, Ordered<string>>()
    for (const meant of meanings) {
      if (isBelievable(meant)) found.set(statementKey(meant), meant)
      // What one excludes or denies may be believed without it.
      for (const [key, other] of this.#table.believableBeside(meant)) found.set(key, other)
    }
    return [...found.values()]
  }

  idOf(meant: Ordered<string>): BeliefId {
    const key = statementKey(meant)
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    if (this.#ids.size >= MOST_IDS) this.#ids.clear()
    const id = idOf('be_', this.#beliefs.context.indexes.kernel.fromName(`agidb/belief/${key}`))
    this.#ids.set(key, id)
    return id
  }

  expected(meant: Ordered<string>): OwnAssertion | undefined {
    if (!this.#isLikely(this.#table.voices({ meant, key: statementKey(meant) }))) return undefined
    const sayings = this.#sayings(meant)
    for (const { saying } of supportOf(meant, sayings)) {
      if (this.#isBelieved(meant, saying.slot)) return undefined
      const assertion = this.#assertion(meant, sayings, saying)
      if (assertion !== undefined) return assertion
    }
    return undefined
  }

  /** The assertion to which an episode leads, by those that came no later. */
  #assertion(meant: Ordered<string>, all: readonly Saying[], last: Saying): OwnAssertion | undefined {
    const now = last.recordedAt
    if (last.until(now) <= now) return undefined
    const end = all.indexOf(last) + 1
    const sayings = all.slice(Math.max(0, end - MOST_SAYINGS), end).filter((one) => one.until(now - 1) > now)
    const there = supportOf(meant, sayings)
    const newest = there.reduce((one, other) => (isNewer(other.saying, one.saying) ? other : one), there[0])
    const voices = there.map(({ saying: { voice } }) => voice)
    if (there.length < LEAST_AUTOMATIC || !this.#isLikely(voices)) return undefined
    const opposed = sayings.some(
      (one) =>
        isNewer(one, newest.saying) && one.stated.some((stated) => verdictOn(meant, stated.meant) === 'contradicts'),
    )
    if (opposed) return undefined
    const { stated } = there.at(-1)!
    const { subject, predicate, object } = stated.triple
    const { items } = FIELD_LIMITS.belief.evidence
    const evidence = there.slice(-items).map(({ saying }) => saying)
    const ids = evidence.map(({ episode }) => episode)
    return {
      kind: 'beliefAsserted',
      at: toIso(now),
      belief: this.idOf(meant),
      claim: quoted(stated.triple),
      subject,
      predicate,
      object,
      confidence: confidenceOf(voices),
      evidence: ids,
      automatic: stated.place,
      trust: evidence.map(({ voice }) => voice.trust),
      validFrom: toIso(least(there.map(({ saying }) => saying.from))),
      provenance: { writer: this.#beliefs.context.writer, episodes: ids },
    }
  }

  #isLikely(voices: readonly Voice[]): boolean {
    return confidenceOf(voices) >= (this.#beliefs.context.options.autoBelieve ?? Infinity)
  }

  /**
   * Whether something was believed before a slot already: what a caller asserted, or, before one that is not given yet,
   * what the memory did.
   */
  #isBelieved(meant: Ordered<string>, before: number): boolean {
    const own = this.#beliefs.table.stored(this.idOf(meant))
    if (before === Infinity && own?.effective.held !== undefined) return true
    const isAsserted = (own?.stored.events ?? []).some((one) => one.slot < before && this.#isAssertion(one))
    return isAsserted || this.#claims(meant).some(({ place }) => place < before)
  }

  /** Whether an event asserts a belief again, by evidence that is there or by none. */
  #isAssertion({ event, slot }: StoredBelief['events'][number]): boolean {
    if (event.kind !== 'beliefReasserted') return false
    const { slotOf } = this.#beliefs.episodes
    return event.evidence.length === 0 || event.evidence.some((episode) => slotOf(episode, slot) !== undefined)
  }

  /** The beliefs of callers that say the same. */
  #claims(meant: Ordered<string>): Held[] {
    const { table } = this.#beliefs
    const [id, key] = [this.idOf(meant), statementKey(meant)]
    const claimed = [meant.subject, meant.object].flatMap((about) => [...table.claims.of(about)])
    const places = claimed.flatMap(({ objects }) => [...objects.values()].flat())
    return places.flatMap((place) => {
      const held = table.at(place)!
      return held.id !== id && statementKey(this.#meaning(tripleOf(held.asserted)!)) === key ? held : []
    })
  }

  #claimOf(id: BeliefId): Triple | undefined {
    const { assertion, events } = this.#beliefs.table.stored(id)!.stored
    const event = assertion?.event ?? events.find(({ event }) => event.kind === 'beliefReasserted')?.event
    return event !== undefined && 'claim' in event ? tripleOf(event) : undefined
  }

  #meaning(triple: Triple): Ordered<string> {
    return meaningOf(this.#ontology, triple)
  }

  get #ontology(): Ontology {
    return this.#beliefs.context.indexes.ontology
  }

  /** The episodes that are there and state something about what a statement is about, in order. */
  #sayings(meant: Ordered<string>, most?: number): Saying[] {
    const { catalog } = this.#beliefs.context.indexes
    return this.#table.slots(meant, most).map((slot) => {
      const [episode, speaker, source] = [catalog.id(slot)!, catalog.speaker(slot), catalog.source(slot)]
      return {
        slot,
        episode,
        from: catalog.validFrom(slot),
        recordedAt: catalog.recordedAt(slot),
        until: (known) => catalog.validTo(slot, known),
        voice: voiceOf({ id: episode, speaker, source }, this.#beliefs.trust),
        stated: this.#table.of(slot),
      }
    })
  }

  #unstored(episode: Episode, slot: number): Saying {
    const { id } = episode
    return {
      slot,
      episode: id,
      from: Date.parse(episode.at),
      recordedAt: Date.parse(episode.recordedAt),
      until: () => endOf(episode),
      voice: voiceOf(episode, this.#beliefs.trust),
      stated: statementsOf(this.#ontology, episode.triples),
    }
  }
}

/** The episodes that make a statement, each with the first of its statements that does. */
function supportOf(meant: Ordered<string>, sayings: readonly Saying[]): Supporting[] {
  const key = statementKey(meant)
  return sayings.flatMap((saying) => {
    const stated = saying.stated.find((one) => one.meant.holds === true && one.key === key)
    return stated === undefined ? [] : [{ saying, stated }]
  })
}

function isNewer(a: Saying, b: Saying): boolean {
  return a.from === b.from ? a.slot > b.slot : a.from > b.from
}
