import { checkKeys, checkNumber } from '../../api/check.js'
import type { GraphWeights } from '../../api/graph.js'
import type { Question } from '../recall.js'

const KEYS: readonly (keyof GraphWeights)[] = ['association', 'forward', 'backward', 'entity', 'pageRank']
/** A speaker's next turn mostly answers the one before; what led to a turn is told less surely by the one before it. */
const STEPS = { forward: 0.8, backward: 0.7 }

/**
 * Checks what graphs count in a recall, and fills in the defaults; nothing where they are left out.
 *
 * @throws AgidbError `AGIDB_INVALID` when a weight is none.
 */
export function toSteps(graph: false | GraphWeights | undefined): Pick<Question, 'steps'> {
  if (graph === false) return {}
  checkKeys('graph', graph, KEYS)
  for (const [name, weight] of Object.entries(graph ?? {}))
    if (weight !== undefined) checkNumber(`graph.${name}`, weight, 0, 1)
  return { steps: { forward: graph?.forward ?? STEPS.forward, backward: graph?.backward ?? STEPS.backward } }
}
