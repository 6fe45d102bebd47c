import type { Bm25 } from './bm25.js'
import { Cursor, SLACK } from './cursor.js'
import type { Documents } from './documents.js'
import type { PostingLists } from './lists.js'
import { Top } from './top.js'
import { Window } from './window.js'

/** Postings that are gone through in the time in which a document is scored from its own terms. */
const SCORED = 16
/** Postings that are gone through in the time in which those of a term in a window are found. */
const FOUND = 64

/** The best of a search: descending by score, ties ascending by slot. */
export interface Scored {
  readonly slots: number[]
  readonly scores: number[]
}

/**
 * The `k` best documents, exactly, looking at few: block-max MaxScore (Turtle and Flood 1995; Ding and Suel 2011), a
 * window of slots at a time. In each window the terms that together cannot bring a document among the best only add to
 * those that others found. Bounds are summed up first; only documents of which the sum is enough are scored, each from
 * its own terms, in the order of the query. A window of which few slots are allowed is not searched: those are scored.
 *
 * @param allow bit set of the slots that may be found; absent: all.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the inner loop of search; calls cost time
export function search(documents: Documents, lists: PostingLists, bm25: Bm25, k: number, allow?: Uint32Array): Scored {
  /** Of what each scores at least. */
  const sure = new Top(k)
  const candidates: number[] = []
  /** What each scores at most. */
  const most: number[] = []
  /** Whether a document that scores about so much may be among the best. */
  const consider = (slot: number, score: number) => {
    if (score * SLACK <= sure.least) return
    candidates.push(slot)
    most.push(score * SLACK)
    if (score / SLACK > sure.least) sure.offer(slot, score / SLACK)
  }
  const window = new Window(bm25)
  const terms = bm25.terms.map(({ term, scale }) => ({
    cursor: new Cursor(lists.blocks, lists.first(term), bm25, scale),
    bound: 0,
    below: 0,
  }))
  const last = Math.max(-1, ...bm25.terms.map(({ term }) => lists.last(term)))
  const density = bm25.terms.reduce((sum, { documents }) => sum + documents, 0) / (last + 1)
  while (window.next(last, allow)) {
    if (
      allow !== undefined &&
      window.count(allow) * SCORED < (window.end - window.start) * density + terms.length * FOUND
    ) {
      window.among(allow, (slot) => consider(slot, bm25.score(slot)))
      continue
    }
    // Summed in the order of the query: no score, which is summed so, rounds to more.
    let all = 0
    for (const term of terms) all += term.bound = term.cursor.bound(window)
    if (all <= sure.least) continue
    window.open(documents)
    const present = terms.filter(({ bound }) => bound > 0).sort((a, b) => a.bound - b.bound)
    let sum = 0
    for (const term of present) sum = (term.below = sum) + term.bound
    const enough = sure.least / SLACK
    let needed = 0
    while (present[needed].below + present[needed].bound < enough) needed++
    for (let i = present.length - 1; i >= needed; i--) present[i].cursor.gather(window, enough - present[needed].below)
    if (allow !== undefined) window.allow(allow)
    let left = Infinity
    for (let i = needed - 1; i >= 0 && left > 0; i--) {
      present[i].cursor.follow(window)
      left = window.sift(enough - present[i].below)
    }
    if (left > 0) window.visit(consider)
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
