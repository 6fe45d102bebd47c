import type { AssociationGraph, Neighbours } from '../../kernel/graph.js'

/** What is read of associations. */
export type Associations = Pick<AssociationGraph, 'neighbours'>

/** Associations could not be read; the cause says why. */
export class AssociationError extends Error {}

/** Associations of which a failure is told from one of another graph. */
export function readable(graph: Associations | undefined): Associations | undefined {
  if (graph === undefined) return undefined
  return {
    neighbours(slot): Neighbours {
      try {
        return graph.neighbours(slot)
      } catch (cause) {
        throw new AssociationError('associations cannot be read', { cause })
      }
    },
  }
}

/** The associations between some nodes, those of each node ascending by the other one. */
export interface Links {
  /** Where those of each node begin in the columns after it, and where those of the last one end. */
  readonly starts: Uint32Array
  readonly to: Uint32Array
  readonly weights: Float64Array
}

/** No links between so many nodes. */
export function noLinks(nodes: number): Links {
  return { starts: new Uint32Array(nodes + 1), to: new Uint32Array(0), weights: new Float64Array(0) }
}

/** The associations between the episodes of some slots; `undefined` where there are none. @param slots ascending. */
export function linksAmong(associations: Associations | undefined, slots: ArrayLike<number>): Links | undefined {
  if (associations === undefined) return undefined
  const nodeOf = new Map(Array.from(slots, (slot, node) => [slot, node]))
  const starts = new Uint32Array(slots.length + 1)
  const to: number[] = []
  const weights: number[] = []
  for (let node = 0; node < slots.length; node++) {
    const near = associations.neighbours(slots[node])
    near.slots.forEach((slot, i) => {
      const other = nodeOf.get(slot)
      if (other === undefined) return
      to.push(other)
      weights.push(near.weights[i])
    })
    starts[node + 1] = to.length
  }
  return to.length === 0 ? undefined : { starts, to: Uint32Array.from(to), weights: Float64Array.from(weights) }
}
