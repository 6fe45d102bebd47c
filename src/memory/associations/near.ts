import type { Indexes } from '../../indexes/indexes.js'
import { type Kinds, stepsFromEpisode, stepsToEpisodes } from './steps.js'
import type { Taken } from './paths.js'

/** An episode that was reached, and how. */
export interface Near {
  readonly slot: number
  readonly hops: number
  readonly weight: number
  readonly steps: readonly Taken[]
}

/** Nodes that a search reaches, at most. */
const MOST = 20_000

/** The episodes around one, breadth-first, the nearest first, then by weight, then by slot. */
export function near(indexes: Indexes, slot: number, depth: number, kinds: Kinds, most: number): Near[] {
  const reached = new Map<number, Near>([[slot, { slot, hops: 0, weight: 1, steps: [] }]])
  let front = [slot]
  for (let hops = 1; hops <= depth && front.length > 0 && reached.size < MOST; hops++) {
    const next = new Map<number, Near>()
    for (const from of front)
      for (const one of around(indexes, reached.get(from)!, kinds)) {
        const known = next.get(one.slot)
        if (!reached.has(one.slot) && (known === undefined || one.weight > known.weight)) next.set(one.slot, one)
      }
    for (const [to, one] of next) reached.set(to, one)
    front = [...next.keys()].sort((a, b) => a - b)
  }
  reached.delete(slot)
  return [...reached.values()].sort(byNearness).slice(0, most)
}

/** The episodes one hop from one. */
function* around(indexes: Indexes, from: Near, kinds: Kinds): Generator<Near> {
  const reach = (slot: number, ...steps: Taken[]): Near => ({
    slot,
    hops: from.hops + 1,
    weight: steps.reduce((weight, step) => weight * step.weight, from.weight),
    steps: [...from.steps, ...steps],
  })
  for (const step of stepsFromEpisode(indexes, from.slot, kinds)) {
    const taken: Taken = { ...step, from: from.slot }
    if (typeof step.to === 'number') yield reach(step.to, taken)
    else
      for (const second of stepsToEpisodes(indexes, step.to))
        if (second.to !== from.slot) yield reach(second.to as number, taken, { ...second, from: step.to })
  }
}

function byNearness(a: Near, b: Near): number {
  return a.hops - b.hops || b.weight - a.weight || a.slot - b.slot
}
