import type { Bm25 } from './bm25.js'
import { Cursor, SLACK } from './cursor.js'
import type { PostingLists } from './lists.js'
import { Top } from './top.js'
import { Window } from './window.js'

/** Allowed slots of a window up to which each is looked at: sooner done than to go through the postings of all. */
const FEW = 128

/** The best of a search: descending by score, ties ascending by slot. */
export interface Scored {
  readonly slots: number[]
  readonly scores: number[]
}

/**
 * The `k` best documents, exactly, looking at few: block-max MaxScore (Turtle and Flood 1995; Ding and Suel 2011), a window of slots at
 * a time. In each window the terms that together cannot bring a document among the best only add to those that others found. Bounds are
 * summed up first; only documents of which the sum is enough are scored, each from its own terms, in the order of the query. A window
 * of which few slots are allowed is not searched: those are scored.
 *
 * @param allow bit set of the slots that may be found; absent: all.
 */
export function search(lists: PostingLists, bm25: Bm25, k: number, allow?: Uint32Array): Scored {
  /** Of what each scores at least. */
  const sure = new Top(k)
  const candidates: number[] = []
  /** What each scores at most. */
  const most: number[] = []
  /** Whether a document that scores about so much may be among the best. */
  const consider = (slot: number, score: number) => {
    if (score * SLACK <= sure.least) return false
    candidates.push(slot)
    most.push(score * SLACK)
    if (score / SLACK > sure.least) sure.offer(slot, score / SLACK)
    return true
  }
  const window = new Window()
  const terms = bm25.terms.map(({ term, scale }) => ({ cursor: new Cursor(lists.blocks, lists.first(term), bm25, scale), bound: 0, below: 0 }))
  const last = Math.max(-1, ...bm25.terms.map(({ term }) => lists.last(term)))
  for (; window.start <= last; window.next()) {
    const allowed = allow === undefined ? Infinity : window.count(allow)
    if (allowed === 0) continue
    // Summed in the order of the query: no score, which is summed so, rounds to more.
    let all = 0
    for (const term of terms) all += term.bound = term.cursor.bound(window)
    if (all <= sure.least) continue
    if (allowed <= FEW) {
      window.among(allow!, (slot) => void consider(slot, bm25.score(slot)))
      continue
    }
    window.clear()
    const present = terms.filter(({ bound }) => bound > 0).sort((a, b) => a.bound - b.bound)
    let sum = 0
    for (const term of present) sum = (term.below = sum) + term.bound
    const enough = sure.least / SLACK
    let needed = 0
    while (present[needed].below + present[needed].bound < enough) needed++
    const least = bm25.divisor(window.shortest)
    for (let i = present.length - 1; i >= needed; i--) present[i].cursor.gather(window, (enough - present[needed].below) * least)
    if (allow !== undefined) window.allow(allow)
    for (let i = needed - 1; i >= 0; i--) {
      const wanted = enough - present[i + 1].below
      if (!window.sift((slot, sum) => sum > wanted * bm25.divisorOf(slot))) break
      present[i].cursor.follow(window)
    }
    window.sift((slot, sum) => consider(slot, sum / bm25.divisorOf(slot)))
  }
  const top = new Top(k)
  for (let i = 0; i < candidates.length; i++) {
    if (most[i] <= sure.least) continue
    const slot = candidates[i]
    const score = bm25.score(slot)
    if (score > top.least) top.offer(slot, score)
  }
  return top.best()
}
