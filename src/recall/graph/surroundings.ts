import type { Indexes } from '../../indexes/indexes.js'
import { idf } from '../../indexes/postings/bm25.js'
import { type Links, noLinks } from './links.js'

/** How much each kind of edge takes of the rank of a node, relative to the others; see `GraphWeights`. */
export interface EdgeWeights {
  /** Of an association of weight 1, relative to all other edges of the node together. */
  readonly association: number
  readonly forward: number
  readonly backward: number
  readonly entity: number
}

/** A word or a name that some of the episodes have: what they have in common leads from one to the other. */
export interface Hub {
  readonly kind: 'word' | 'entity'
  /** As a person reads it. */
  readonly name: string
}

/** Some episodes, with what leads from one to the other. */
export interface Surroundings {
  /** The slot of each node. */
  readonly slots: ArrayLike<number>
  /** Where the hubs of each node begin in the two columns after it, and where those of the last one end. */
  readonly starts: Uint32Array
  readonly hubOf: Uint32Array
  /** What part of all that goes on from the node goes there. */
  readonly shares: Float64Array
  /** Where the nodes of each hub begin in the column after it, and where those of the last one end. */
  readonly hubStarts: Uint32Array
  readonly nodeOf: Uint32Array
  readonly hub: (number: number) => Hub
  /** The node before and after each in its session, −1 where there is none here; and what part goes on there. */
  readonly previous: Int32Array
  readonly next: Int32Array
  readonly previousShares: Float64Array
  readonly nextShares: Float64Array
  /** Where the associations of each node begin in the two columns after it, and where those of the last one end. */
  readonly linkStarts: Uint32Array
  readonly linkTo: Uint32Array
  readonly linkShares: Float64Array
}

/** A word or name of a larger part of the memory than this leads everywhere, so it leads nowhere (the fan effect). */
const MOST_COMMON = 0.1

/**
 * What leads from one of some episodes to another. Words and names are nodes as episodes are (HippoRAG 2, Gutiérrez et
 * al. 2025), since what needs two memories to be answered mostly lies in two that share a word which the cue does not
 * have. All orders are those of slots and texts, so that sums do not depend on what was forgotten.
 *
 * @param slots ascending.
 * @param nextTo the slots before and after the n-th of these in its session; −1 where there is none.
 * @param links their associations. Default: none.
 */
export function lookAround(
  { postings, concepts, catalog }: Indexes,
  slots: Uint32Array,
  nextTo: { readonly before: Int32Array; readonly after: Int32Array },
  weights: EdgeWeights,
  links?: Links,
): Surroundings {
  const memories = catalog.size
  const hubs = new Hubs(MOST_COMMON * memories)
  const starts = new Uint32Array(slots.length + 1)
  const hubOf: number[] = []
  for (let node = 0; node < slots.length && weights.entity > 0; node++) {
    for (const term of postings.termsOf(slots[node])) {
      const hub = hubs.find(term) ?? hubs.enter(term, postings.usesOf(term), postings.documents)
      if (hub >= 0) hubOf.push(hub)
    }
    const names = concepts.of(slots[node])
    for (const name of names.length > 1 ? [...names].sort() : names) {
      const hub = hubs.find(name) ?? hubs.enter(name, concepts.count(name), memories)
      if (hub >= 0) hubOf.push(hub)
    }
    starts[node + 1] = hubOf.length
  }
  if (weights.entity === 0) starts.fill(0)
  const numberOf = new Map<number, number>()
  for (let node = 0; node < slots.length; node++) numberOf.set(slots[node], node)
  const numbers = (near: Int32Array) => near.map((slot) => numberOf.get(slot) ?? -1)
  const weightOf = Float64Array.from(hubs.idf, (value) => weights.entity * value)
  return {
    slots,
    hub: (number) => {
      const key = hubs.key(number)
      return typeof key === 'string' ? { kind: 'entity', name: key } : { kind: 'word', name: postings.term(key) ?? '' }
    },
    ...shared({
      starts,
      hubOf: Uint32Array.from(hubOf),
      weightOf,
      previous: numbers(nextTo.before),
      next: numbers(nextTo.after),
      weights,
      ...(links && { links }),
    }),
  }
}

/** What is known of nodes before it is divided up. */
export interface Linked extends Pick<Surroundings, 'starts' | 'hubOf' | 'previous' | 'next'> {
  /** By hub. */
  readonly weightOf: Float64Array
  readonly weights: Omit<EdgeWeights, 'entity'>
  /** Default: none. */
  readonly links?: Links
}

/** Divides the outgoing rank of each node in proportion to the weights of its edges, and finds the nodes of hubs. */
export function shared({
  starts,
  hubOf,
  weightOf,
  previous,
  next,
  weights: { forward, backward, association },
  links = noLinks(previous.length),
}: Linked): Omit<Surroundings, 'slots' | 'hub'> {
  const shares = new Float64Array(hubOf.length)
  const previousShares = new Float64Array(previous.length)
  const nextShares = new Float64Array(next.length)
  const linkShares = new Float64Array(links.to.length)
  const hubStarts = new Uint32Array(weightOf.length + 1)
  for (let node = 0; node < previous.length; node++) {
    const back = previous[node] < 0 ? 0 : backward
    const on = next[node] < 0 ? 0 : forward
    let sum = back + on
    for (let at = starts[node]; at < starts[node + 1]; at++) sum += weightOf[hubOf[at]]
    // In units of all other edges together: what is associated is reached however many words an episode has.
    const unit = sum === 0 ? 1 : association * sum
    for (let at = links.starts[node]; at < links.starts[node + 1]; at++) sum += unit * links.weights[at]
    if (sum === 0) continue
    for (let at = links.starts[node]; at < links.starts[node + 1]; at++)
      linkShares[at] = (unit * links.weights[at]) / sum
    for (let at = starts[node]; at < starts[node + 1]; at++) shares[at] = weightOf[hubOf[at]] / sum
    previousShares[node] = back / sum
    nextShares[node] = on / sum
  }
  for (const hub of hubOf) hubStarts[hub + 1]++
  for (let hub = 0; hub < weightOf.length; hub++) hubStarts[hub + 1] += hubStarts[hub]
  const nodeOf = new Uint32Array(hubOf.length)
  const filled = hubStarts.slice()
  for (let node = 0; node < previous.length; node++)
    for (let at = starts[node]; at < starts[node + 1]; at++) nodeOf[filled[hubOf[at]]++] = node
  return {
    starts,
    hubOf,
    shares,
    hubStarts,
    nodeOf,
    previous,
    next,
    previousShares,
    nextShares,
    linkStarts: links.starts,
    linkTo: links.to,
    linkShares,
  }
}

/**
 * Associations alone, for a small memory, in which other edges say nothing. Those of a node that weigh 1 or more
 * together take all that goes on from it, those that weigh less only so much.
 */
export function lookAlongLinks(slots: Uint32Array, links: Links): Surroundings {
  const nowhere = new Int32Array(slots.length).fill(-1)
  const nothing = new Float64Array(slots.length)
  const { starts, to, weights } = links
  const linkShares = new Float64Array(to.length)
  for (let node = 0; node < slots.length; node++) {
    let sum = 0
    for (let at = starts[node]; at < starts[node + 1]; at++) sum += weights[at]
    for (let at = starts[node]; at < starts[node + 1]; at++) linkShares[at] = weights[at] / Math.max(1, sum)
  }
  return {
    slots,
    hub: () => ({ kind: 'word', name: '' }),
    starts: new Uint32Array(slots.length + 1),
    hubOf: new Uint32Array(0),
    shares: new Float64Array(0),
    hubStarts: new Uint32Array(1),
    nodeOf: new Uint32Array(0),
    previous: nowhere,
    next: nowhere,
    previousShares: nothing,
    nextShares: nothing,
    linkStarts: starts,
    linkTo: to,
    linkShares,
  }
}

/** The words, by their numbers, and names that were met. */
class Hubs {
  /** Of each hub. */
  readonly idf: number[] = []
  readonly #keys: (number | string)[] = []
  /** −1 of what is in one episode alone, or too common. */
  readonly #numbers = new Map<number | string, number>()

  constructor(readonly most: number) {}

  find(key: number | string): number | undefined {
    return this.#numbers.get(key)
  }

  /** The number of a hub that is new, and in so many of all; −1 where it leads nowhere. */
  enter(key: number | string, count: number, all: number): number {
    const leads = count >= 2 && count <= this.most
    const number = leads ? this.#keys.push(key) - 1 : -1
    this.#numbers.set(key, number)
    if (leads) this.idf.push(idf(all, count))
    return number
  }

  key(number: number): number | string {
    return this.#keys[number]
  }
}
