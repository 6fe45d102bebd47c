import { MAX_HOPS, type Reached } from '../../graph.js'
import { column, weightsOf } from './held.js'

/** Of a node: itself, its activation, its steps, and its path. */
const WORDS = 3 + MAX_HOPS + 1

/** What a walk answered in words. */
export function reachedOf(words: Uint32Array): Reached {
  const nodes = column(words, WORDS, 0)
  const paths = new Uint32Array(nodes.length * (MAX_HOPS + 1))
  for (let i = 0; i < nodes.length; i++) paths.set(words.subarray(i * WORDS + 3, (i + 1) * WORDS), i * (MAX_HOPS + 1))
  return { nodes, activations: weightsOf(column(words, WORDS, 1)), hops: column(words, WORDS, 2), paths }
}
