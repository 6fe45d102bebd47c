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
 * a time. In each window the terms that together cannot bring a document among the best are left for those that another term found, as long
 * as there are any. A window of which few slots are allowed is not searched: those are scored.
 *
 * @param lengths of documents, by slot.
 * @param allow bit set of the slots that may be found; absent: all.
 */
export function search(lists: PostingLists, lengths: Uint32Array, bm25: Bm25, k: number, allow?: Uint32Array): Scored {
  const top = new Top(k)
  const window = new Window()
  const terms = bm25.terms.map(({ term, scale }, place) => ({ cursor: new Cursor(lists.blocks, lists.first(term), bm25, scale), place, bound: 0, below: 0 }))
  const last = Math.max(-1, ...bm25.terms.map(({ term }) => lists.last(term)))
  for (; window.start <= last; window.next()) {
    const allowed = allow === undefined ? Infinity : window.count(allow)
    if (allowed === 0) continue
    // Summed in the order of the query: no score that is summed so can round to more.
    let most = 0
    for (const term of terms) most += term.bound = term.cursor.bound(window)
    if (most <= top.least) continue
    if (allowed <= FEW) {
      window.among(allow!, (slot) => {
        const score = bm25.score(slot)
        if (score > top.least) top.offer(slot, score)
      })
      continue
    }
    const present = terms.filter(({ bound }) => bound > 0).sort((a, b) => a.bound - b.bound)
    for (let i = 1; i < present.length; i++) present[i].below = present[i - 1].below + present[i - 1].bound
    let left = 0
    while (left < present.length && (present[left].below + present[left].bound) * SLACK <= top.least) left++
    const exact = left === 0
    for (const { cursor } of present.slice(left).sort((a, b) => a.place - b.place)) cursor.gather(window, lengths, true)
    if (allow !== undefined) window.allow(allow)
    for (; left > 0 && window.keep(top.least, present[left - 1].below + present[left - 1].bound, SLACK); left--) {
      present[left - 1].cursor.gather(window, lengths, false)
    }
    window.visit((slot, sum) => {
      if (sum * SLACK <= top.least) return
      const score = exact ? sum : bm25.score(slot)
      if (score > top.least) top.offer(slot, score)
    })
  }
  return top.best()
}
