import { tripleOf } from '../api/belief.js'
import type { Episode, Triple } from '../api/episode.js'
import type { BeliefTable } from './beliefs/projection.js'
import type { Held, Standing } from './beliefs/standing.js'
import { said } from '../encoding/predicate.js'
import { objectKey } from '../encoding/relation.js'
import { tokens } from '../encoding/tokens.js'
import { isAlias } from '../extraction/concepts/alias-predicates.js'
import { aliasesOf } from './beliefs/aliases.js'
import type { Relations } from './relations.js'
import type { MemoryContext } from './context.js'
import {
  type Compared,
  type Finding,
  oppose,
  quoted,
  type BeliefReading,
  sentencesOf,
  verdictOf,
  wordsOf,
} from './beliefs/verdict.js'

/** Characters of a sentence that is looked at: a longer one is no plain statement. */
const LONGEST = 500
/** Characters of its beginning by which a sentence is passed over. */
const BEGINNING = 48

/** When it is asked what an episode says. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly now: number
  /** The slot before which what was learned counts, by the ends of episodes that were known then; absent: all. */
  readonly before?: number
}

/** A belief on which an episode bears. */
export interface RelevantItem {
  readonly held: Held
  /** Whether a sentence begins as the belief does and goes on in another way, so that it may say otherwise. */
  readonly isUnclear: boolean
}

/** Finds by index on which beliefs an episode bears, and compares what is said with what is believed. */
export class RelevantItems {
  readonly #context: MemoryContext
  readonly #table: BeliefTable
  readonly #relations: Relations
  readonly #named: (moment: Moment) => readonly Triple[]

  /** @param named what the beliefs say about other names that are held at a time. */
  constructor(
    context: MemoryContext,
    table: BeliefTable,
    relations: Relations,
    named: (moment: Moment) => readonly Triple[],
  ) {
    this.#context = context
    this.#table = table
    this.#relations = relations
    this.#named = named
  }

  /**
   * The beliefs on which an episode bears, in the order in which they were asserted.
   *
   * @param given other names that episodes gave which came before it and are not indexed yet.
   */
  async on(episode: Episode, moment: Moment, given: readonly Triple[] = []): Promise<RelevantItem[]> {
    const places = new Set<number>()
    const own = [...given, ...episode.triples.filter(isAlias)]
    for (const triple of episode.triples) {
      for (const place of await this.#stating(triple, moment, own)) places.add(place)
    }
    const unclear = new Set<number>()
    for (const sentence of sentencesOf(episode)) {
      if (sentence.length <= LONGEST) this.#hear(sentence, episode.speaker, places, unclear)
    }
    const all = new Set([...places, ...unclear])
    return this.#inOrder(all).map((held) => ({ held, isUnclear: unclear.has(held.place) }))
  }

  /** What an episode says of a belief; `given` as of {@link on}. */
  async verdict(belief: Compared, episode: Episode, moment: Moment, given: readonly Triple[] = []): Promise<Finding> {
    const names = await this.#namesOf(belief, moment, [...given, ...episode.triples.filter(isAlias)])
    return verdictOf(belief, episode, { relations: this.#relations, names })
  }

  /** The other beliefs whose statement or claim a belief may oppose or say again, in the order of assertions. */
  async beside(belief: Compared, now: number): Promise<Held[]> {
    const triple = tripleOf(belief)
    const places = new Set(this.#table.claims.saying(said(belief.claim).stems))
    if (triple !== undefined) {
      for (const place of await this.#stating(triple, { now })) places.add(place)
      for (const place of this.#turned(triple)) places.add(place)
    }
    return this.#inOrder(places)
  }

  /** Whether two claims are one but for spelling, inflection of the predicate, its synonyms and its inverse. */
  saysTheSame(a: Compared, b: Compared): boolean {
    const [ours, theirs] = [tripleOf(a), tripleOf(b)]
    if (ours === undefined || theirs === undefined) {
      const [one, other] = [
        ours === undefined ? a.claim : quoted(ours),
        theirs === undefined ? b.claim : quoted(theirs),
      ]
      return tokens(one).join(' ') === tokens(other).join(' ')
    }
    const ends = ({ subject, object }: Triple) => [subject, object].map(objectKey).join('\n')
    const [mine, its] = [this.#relations.of(ours.predicate), this.#relations.of(theirs.predicate)]
    const isAlike = mine.holds !== undefined && mine.holds === its.holds && mine.says === its.says
    if (ends(ours) === ends(theirs)) {
      const [one, other] = [said(ours.predicate), said(theirs.predicate)]
      return one.stems === other.stems ? one.negated === other.negated : isAlike
    }
    const turned = { ...theirs, subject: theirs.object, object: theirs.subject }
    return (
      ends(ours) === ends(turned) &&
      mine.holds !== undefined &&
      mine.holds === its.holds &&
      this.#relations.inverse(ours.predicate, theirs.predicate)
    )
  }

  /** Whether two beliefs cannot both be true at one time. */
  async oppose(a: Standing, b: Standing, now: number): Promise<boolean> {
    const relations = this.#relations
    for (const [one, other] of [
      [a, b],
      [b, a],
    ]) {
      // Names are looked up only for what would be opposite without them.
      if (!oppose(one, other, { relations })) continue
      if (oppose(one, other, { relations, names: await this.#namesOf(one, { now }) })) return true
    }
    return false
  }

  /**
   * The beliefs at these places, in the order of their assertion. It leaves out beliefs that were retracted during the
   * search.
   */
  #inOrder(places: Iterable<number>): Held[] {
    return [...places].sort((a, b) => a - b).flatMap((place) => this.#table.at(place) ?? [])
  }

  /**
   * The places of the beliefs about the same subject and relation; of one that has several objects, about the same
   * object.
   */
  async #stating(triple: Triple, moment: Moment, own: readonly Triple[] = []): Promise<number[]> {
    const { claims } = this.#table
    const found = [...claims.saying(said(quoted(triple)).stems)]
    const relations = this.#relations
    for (const subject of await this.#keys(triple.subject, moment, own)) {
      for (const { predicate, objects } of claims.of(subject)) {
        if (!relations.same(predicate, triple.predicate)) continue
        const isAny = relations.isFunctional(predicate) || relations.isFunctional(triple.predicate)
        found.push(...(await this.#placesOf(objects, isAny ? undefined : triple.object, moment, own)))
      }
    }
    for (const subject of await this.#keys(triple.object, moment, own)) {
      for (const { predicate, objects } of claims.of(subject)) {
        if (!relations.inverse(predicate, triple.predicate)) continue
        found.push(
          ...(await this.#placesOf(
            objects,
            relations.isFunctional(predicate) ? undefined : triple.subject,
            moment,
            own,
          )),
        )
      }
    }
    return found
  }

  /** The places of the beliefs that name a subject by the inverse of a relation of which it has one object. */
  #turned({ subject, predicate }: Triple): number[] {
    if (!this.#relations.isFunctional(predicate)) return []
    return this.#table.about(subject).flatMap(({ place, asserted }) => {
      return asserted.predicate !== undefined && this.#relations.inverse(predicate, asserted.predicate) ? place : []
    })
  }

  /** The places of the beliefs with an object; absent: of all. */
  async #placesOf(
    objects: ReadonlyMap<string, readonly number[]>,
    object: string | undefined,
    moment: Moment,
    own: readonly Triple[],
  ): Promise<number[]> {
    if (object === undefined) return [...objects.values()].flat()
    return [...(await this.#keys(object, moment, own))].flatMap((key) => objects.get(key) ?? [])
  }

  #hear(sentence: string, speaker: string | undefined, places: Set<number>, unclear: Set<number>): void {
    const { claims } = this.#table
    const beginning = sentence.slice(0, BEGINNING)
    const head = tokens(beginning)
    if (!claims.mayBegin(head) && !claims.mayBegin(wordsOf(beginning, speaker))) return
    const words = wordsOf(sentence, speaker)
    const { stems, negated } = said(words.join(' '))
    const whole = [...claims.saying(said(sentence).stems), ...claims.saying(stems), ...claims.between(words)]
    for (const place of whole) places.add(place)
    if (negated) return
    for (const place of claims.beginning(stems)) {
      const { asserted } = this.#table.at(place)!
      const { subject, predicate, object } = asserted
      if (!this.#relations.isFunctional(predicate!) || places.has(place)) continue
      // It says the same, and more.
      if (!stems.startsWith(said(quoted({ subject: subject!, predicate: predicate!, object: object! })).stems))
        unclear.add(place)
    }
  }

  /** The keys of a name and its other names. */
  async #keys(name: string, moment: Moment, own: readonly Triple[]): Promise<Set<string>> {
    const { now, before } = moment
    const visibility = { now, validAsOf: now, ...(before !== undefined && { transactionAsOf: now }) }
    const others = await aliasesOf(this.#context, name, [...this.#named(moment), ...own], visibility, before)
    return new Set([objectKey(name), ...others.map(objectKey)])
  }

  /** The other names of what a belief speaks of. A belief that itself gives another name is taken by its own words. */
  async #namesOf(belief: Compared, moment: Moment, own: readonly Triple[] = []): Promise<BeliefReading['names']> {
    const triple = tripleOf(belief)
    if (triple === undefined || isAlias(triple)) return undefined
    return {
      subject: await this.#keys(triple.subject, moment, own),
      object: await this.#keys(triple.object, moment, own),
    }
  }
}
