import { exp } from '../../base/exponential.js'
import type { BeliefId } from '../../api/belief.js'
import type { DifferenceKind } from '../../api/sensory.js'
import { ABOUT } from '../../extraction/contrast/about.js'
import type { Contrast } from '../../extraction/contrast/contrast.js'

/** Where a text that a frame is compared with is from. */
export interface Origin {
  readonly slot?: number
  readonly belief?: BeliefId
}

/** How a frame stands to a memory or belief. */
export interface Compared extends Contrast {
  readonly origin: Origin
}

/**
 * How little a frame was to be expected, and from what it differs, if it is about the same as something that is
 * remembered or believed.
 */
export interface Expected {
  readonly surprise: number
  readonly differsFrom?: Origin
}

/** From so many differing words on, a text says something that the other does not. */
const NEWS = 0.92
/** What is true for a time only: when such a thing is again as it was, the older memory of it does not say so. */
const STATES: readonly DifferenceKind[] = ['figure', 'time', 'denial', 'opposite', 'change']
/** The share of the same words in the same order from which on a text tells of the same state. */
const SAME_STATE = 0.7

/**
 * The surprise of a text by what it is like and how it stands to that.
 *
 * @param unlike 1 less its likeness to what it is most like, 0 to 1.
 * @param telling how much of it is no small talk, 0 to 1.
 */
export function judged(unlike: number, telling: number, compared: readonly Compared[]): Expected {
  const about = compared.filter(({ shared }) => shared >= ABOUT)
  const said = about.filter(({ news }) => news < NEWS)
  if (said.length === 0) {
    const nearest = about.length === 0 ? undefined : about.reduce(nearer)
    if (nearest === undefined) {
      // Words that no memory has hardly change what a text is like, and tell the more.
      const least = compared.reduce((least, { news }) => Math.min(least, news), Infinity)
      return { surprise: telling * Math.max(unlike, (unlike + surpriseOf(least)) / 2) }
    }
    return { surprise: telling * Math.max(unlike, surpriseOf(nearest.news)), differsFrom: nearest.origin }
  }
  const best = said.reduce(nearer)
  // It was so, became otherwise, and is so again.
  const isState = ({ differences }: Compared) => differences.length === 1 && STATES.includes(differences[0].kind)
  const since = about.find((one) => isNewer(one, best) && one.alike >= SAME_STATE && one.news >= NEWS && isState(one))
  if (since !== undefined) {
    return { surprise: telling * Math.max(unlike, surpriseOf(since.news)), differsFrom: since.origin }
  }
  return { surprise: telling * Math.min(unlike, surpriseOf(best.news)) }
}

/** That of two which says more of the text; the newer one where they say as much. */
function nearer(best: Compared, one: Compared): Compared {
  return one.news < best.news || (one.news === best.news && isNewer(one, best)) ? one : best
}

function surpriseOf(news: number): number {
  return 1 - exp(-news)
}

function isNewer({ origin: a }: Compared, { origin: b }: Compared): boolean {
  return a.slot !== undefined && b.slot !== undefined && a.slot > b.slot
}

/** Memories and beliefs with their likeness to a text, of which the nearest are wanted. */
export class Nearest {
  readonly #slots: Uint32Array
  readonly #beliefs: readonly { readonly id: BeliefId }[]
  readonly #likeness: Float64Array
  highest = 0

  constructor(slots: Uint32Array, beliefs: readonly { readonly id: BeliefId }[]) {
    this.#slots = slots
    this.#beliefs = beliefs
    this.#likeness = new Float64Array(slots.length + beliefs.length)
  }

  rateMemory(i: number, likeness: number): void {
    this.#likeness[i] = likeness
    if (likeness > this.highest) this.highest = likeness
  }

  rateBelief(i: number, likeness: number): void {
    this.rateMemory(this.#slots.length + i, likeness)
  }

  /** Those with the highest likeness over 0; of equal ones the latest. */
  best(most: number): Origin[] {
    const likeness = this.#likeness
    const found = [...likeness.keys()].filter((i) => likeness[i] > 0).sort((a, b) => likeness[b] - likeness[a] || b - a)
    return found.slice(0, most).map((i) => {
      const belief = i - this.#slots.length
      return belief < 0 ? { slot: this.#slots[i] } : { belief: this.#beliefs[belief].id }
    })
  }
}
