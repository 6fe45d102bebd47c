import type { WhyStep } from '../../api/graph.js'
import type { Catalog } from '../../indexes/catalog.js'
import type { Surroundings } from './surroundings.js'
import type { Walked } from './walk.js'

/** A node from which something came to another, and the hub between, if there is one. */
interface Way {
  readonly from: number
  readonly hub?: number
  readonly steps: readonly { readonly edge: string; readonly weight: number }[]
}

/**
 * The last stretch of the walk by which most came to a node from another episode: over a word or name that both have,
 * from what was next to it, or from what it is associated with. `undefined` where nothing came from another one.
 */
export function pathTo(
  catalog: Pick<Catalog, 'id'>,
  around: Surroundings,
  { had }: Walked,
  node: number,
): readonly WhyStep[] | undefined {
  let most = 0
  let best: Way | undefined
  for (const way of waysTo(around, node)) {
    let came = had[way.from]
    for (const { weight } of way.steps) came *= weight
    if (came <= most) continue
    most = came
    best = way
  }
  if (best === undefined) return undefined
  const [from, to] = [best.from, node].map((end) => catalog.id(around.slots[end]))
  if (from === undefined || to === undefined) return undefined // it went away meanwhile
  const stops = best.hub === undefined ? [from, to] : [from, around.hub(best.hub).name, to]
  return best.steps.map(({ edge, weight }, i) => ({ from: stops[i], edge, weight, to: stops[i + 1] }))
}

function* waysTo(around: Surroundings, node: number): Generator<Way> {
  const { starts, hubOf, shares, hubStarts, nodeOf, previous, next, previousShares, nextShares } = around
  const { linkStarts, linkTo, linkShares } = around
  const [before, after] = [previous[node], next[node]]
  if (before >= 0) yield { from: before, steps: [{ edge: 'forward', weight: nextShares[before] }] }
  if (after >= 0) yield { from: after, steps: [{ edge: 'backward', weight: previousShares[after] }] }
  // An association leads both ways.
  for (let at = linkStarts[node]; at < linkStarts[node + 1]; at++) {
    const from = linkTo[at]
    const back = linkTo.subarray(0, linkStarts[from + 1]).indexOf(node, linkStarts[from])
    if (back >= 0) yield { from, steps: [{ edge: 'association', weight: linkShares[back] }] }
  }
  for (let at = starts[node]; at < starts[node + 1]; at++) {
    const hub = hubOf[at]
    const edge = around.hub(hub).kind
    const back = 1 / (hubStarts[hub + 1] - hubStarts[hub])
    for (let of = hubStarts[hub]; of < hubStarts[hub + 1]; of++) {
      const from = nodeOf[of]
      if (from === node) continue
      const there = shares[hubOf.subarray(0, starts[from + 1]).indexOf(hub, starts[from])]
      const steps = [
        { edge, weight: there },
        { edge, weight: back },
      ]
      yield { from, hub, steps }
    }
  }
}
