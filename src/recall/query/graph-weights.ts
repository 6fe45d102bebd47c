import { checkKeys, checkNumber } from '../../api/check.js'
import type { GraphWeights } from '../../api/graph.js'
import type { Question } from './question.js'

const KEYS: readonly (keyof GraphWeights)[] = ['association', 'forward', 'backward', 'entity', 'pageRank']
/**
 * A speaker's next turn mostly answers the one before; what led to a turn is told less surely by the one before it.
 * What `pageRank` adds was chosen by R@10 on `bench/data/conversations`, with rankers that had not seen them.
 */
const DEFAULTS: Required<GraphWeights> = { association: 0.3, forward: 0.8, backward: 0.7, entity: 0.25, pageRank: 0.5 }

/**
 * Checks what graphs count in a recall, and fills in the defaults; nothing where they are left out.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` when a weight is none, `AGIDB_UNKNOWN_OPTION`
 */
export function toGraphWeights(graph: false | GraphWeights | undefined): Pick<Question, 'steps' | 'walk'> {
  if (graph === false) return {}
  checkKeys('graph', graph, KEYS)
  const walk = { ...DEFAULTS }
  for (const name of KEYS) {
    const weight = graph?.[name]
    if (weight === undefined) continue
    checkNumber(`graph.${name}`, weight, 0, 1)
    walk[name] = weight
  }
  return { steps: { forward: walk.forward, backward: walk.backward }, walk }
}
