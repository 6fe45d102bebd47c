import type { Belief, BeliefId, BeliefRevision, Verdict } from '../core/belief.js'
import { HEAP, namedBytes } from '../core/heap.js'
import type { LearningEvent } from '../core/learning.js'
import { conceptKey, conceptWords } from '../hdc/concept.js'

/** What is known of a belief: how it came, and its log, which only grows. Its place is the order of assertions, from 0. */
export interface Held {
  readonly id: BeliefId
  readonly place: number
  readonly asserted: LearningEvent<'beliefAsserted'>
  readonly log: readonly BeliefRevision[]
}

/** What V8 takes for a belief beside the events that tell of it: itself, its log with what was asserted, and its places in a map and an array. */
const HELD = 2 * (HEAP.object + 5 * HEAP.field) + HEAP.double + HEAP.array + HEAP.field + HEAP.entry

/** The two times of a question about beliefs, epoch milliseconds. */
export interface Times {
  /** Of this time it must be held to be true. */
  readonly valid: number
  /** What was known at this time. Absent: all that is known. */
  readonly known?: number
}

/** What the agent holds to be true (floor 6): a fold over the learning events. Withdrawn beliefs stay. */
export class BeliefTable {
  readonly #held = new Map<BeliefId, Held & { readonly log: BeliefRevision[] }>()
  readonly #order: Held[] = []
  readonly #concepts = new Map<string, Set<number>>()
  /** Places of the beliefs whose claim has a word. */
  readonly #words = new Map<string, Set<number>>()
  #withdrawn = 0

  /** Takes an event in; answers the belief that it is about. */
  apply(event: LearningEvent): BeliefId | undefined {
    if (event.kind === 'beliefAsserted') this.#assert(event)
    else if (event.kind === 'beliefRevised' || event.kind === 'beliefWithdrawn') this.#revise(event)
    else return undefined
    return event.belief
  }

  /** Beliefs that are not withdrawn. */
  get size(): number {
    return this.#order.length - this.#withdrawn
  }

  /** Bytes of memory beside those of the events, about. */
  get bytes(): number {
    return this.#order.length * HELD + namedBytes(this.#concepts) + namedBytes(this.#words)
  }

  find(id: BeliefId): Held | undefined {
    return this.#held.get(id)
  }

  /** All of them, the newest first. */
  *newest(): Generator<Held> {
    for (let place = this.#order.length - 1; place >= 0; place--) yield this.#order[place]
  }

  /** Those whose subject or object is a concept, or whose claim has its words beside each other, in the order in which they were asserted. */
  about(concept: string): Held[] {
    const key = conceptKey(concept)
    const words = conceptWords(concept)
    const found = new Set(this.#concepts.get(key))
    // "C++" has the words of "C" and is another concept.
    const isOther = (name: string | undefined) => name !== undefined && conceptWords(name).join(' ') === words.join(' ') && conceptKey(name) !== key
    for (const place of this.#withWords(words)) {
      const { claim, subject, object } = this.#order[place].asserted
      if (!isOther(subject) && !isOther(object) && mentions(conceptWords(claim), words)) found.add(place)
    }
    return [...found].sort((a, b) => a - b).map((place) => this.#order[place])
  }

  #assert(asserted: LearningEvent<'beliefAsserted'>): void {
    const { belief: id, at, confidence, claim, subject, object } = asserted
    const place = this.#order.length
    const held = { id, place, asserted, log: [{ revision: 0, at, kind: 'asserted' as const, after: confidence, reason: 'asserted' }] }
    this.#held.set(id, held)
    this.#order.push(held)
    for (const concept of [subject, object]) if (concept !== undefined) list(this.#concepts, conceptKey(concept), place)
    for (const word of conceptWords(claim)) list(this.#words, word, place)
  }

  #revise({ belief, revision }: LearningEvent<'beliefRevised' | 'beliefWithdrawn'>): void {
    const held = this.#held.get(belief)
    if (held === undefined) return
    held.log.push(revision)
    if (revision.kind === 'withdrawn') this.#withdrawn++
  }

  /** The places of claims that have all of the words, by way of the rarest. */
  #withWords(words: readonly string[]): Iterable<number> {
    let fewest: ReadonlySet<number> | undefined
    for (const word of words) {
      const places = this.#words.get(word)
      if (places === undefined) return []
      if (fewest === undefined || places.size < fewest.size) fewest = places
    }
    return fewest ?? []
  }
}

/**
 * A belief as it was: with the revisions that were known at a time, all of them by default. `undefined` before it was
 * asserted. Each answer is a new object.
 */
export function beliefAt({ id, asserted, log }: Held, known = Infinity): Belief | undefined {
  const revisions = log.filter(({ at }) => Date.parse(at) <= known)
  if (revisions[0]?.kind !== 'asserted') return undefined
  const { claim, subject, predicate, object, validFrom, validTo, at, provenance } = asserted
  const counted = (verdict: Verdict) => revisions.flatMap((entry) => (entry.kind === 'revised' && entry.verdict === verdict ? [entry.evidence!] : []))
  const evidence = [...asserted.evidence, ...counted('supports')]
  const withdrawn = revisions.find(({ kind }) => kind === 'withdrawn')
  return {
    id,
    claim,
    ...(subject !== undefined && { subject, predicate, object }),
    confidence: revisions[revisions.length - 1].after,
    evidence,
    contradictions: counted('contradicts'),
    validFrom,
    ...(validTo !== undefined && { validTo }),
    recordedAt: at,
    ...(withdrawn !== undefined && { withdrawn: { at: withdrawn.at, reason: withdrawn.reason } }),
    revisions: revisions.filter(({ kind }) => kind === 'revised').length,
    provenance: { ...provenance, episodes: [...evidence] },
  }
}

/** The belief as it was known, if it was held to be true of the time that is asked about. */
export function heldAt(held: Held, { valid, known }: Times): Belief | undefined {
  const belief = beliefAt(held, known)
  if (belief === undefined || belief.withdrawn !== undefined) return undefined
  const { validFrom, validTo } = belief
  return Date.parse(validFrom) <= valid && (validTo === undefined || valid < Date.parse(validTo)) ? belief : undefined
}

/** A prior is taken for no surer than this, so that evidence can always change a mind: Cromwell's rule (Lindley 1985, Making Decisions). */
const CERTAIN = 0.99
/** Below this confidence a belief that was contradicted is withdrawn. */
export const WITHDRAWN_BELOW = 0.05

/**
 * The confidence after an episode, by Bayes' rule. What a source says is right with probability r = `trust`: where the
 * claim is true it supports it with r and contradicts it with 1 − r, where it is false the other way round. So of a prior c
 * support makes c·r / (c·r + (1 − c)·(1 − r)), and contradiction the same with 1 − r for r. (Pearl 1988, Probabilistic
 * Reasoning in Intelligent Systems, section 2.2; episodes count as independent, each once.) What was held for certain is
 * revised from 0.99, so any evidence leaves it less than certain; what was held for impossible from 0.01.
 */
export function posterior(confidence: number, verdict: Verdict, trust: number): number {
  if (verdict === 'neutral') return confidence
  const prior = Math.min(CERTAIN, Math.max(1 - CERTAIN, confidence))
  const r = verdict === 'supports' ? trust : 1 - trust
  const updated = (prior * r) / (prior * r + (1 - prior) * (1 - r))
  // What was held for certain is not held less firmly for being confirmed.
  return verdict === 'supports' ? Math.max(confidence, updated) : Math.min(confidence, updated)
}

function list(places: Map<string, Set<number>>, key: string, place: number): void {
  const known = places.get(key)
  if (known === undefined) places.set(key, new Set([place]))
  else known.add(place)
}

/** Whether the words stand in the text beside each other. */
function mentions(text: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && text.some((_, start) => words.every((word, i) => text[start + i] === word))
}
