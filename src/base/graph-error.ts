import { AgidbError, type ErrorDetails } from './errors.js'

/** What of the graphs can fail: the graph, or what is done with it. */
export type GraphPart = 'association' | 'chain' | 'entity' | 'coActivation' | 'persistence' | 'decay'

/** The code of each part, and the number that source systems give the same failure. */
const CODES = {
  association: ['AGIDB_GRAPH_ASSOCIATION', 'SPE-310-006'],
  chain: ['AGIDB_GRAPH_CHAIN', 'SPE-310-007'],
  entity: ['AGIDB_GRAPH_ENTITY', 'SPE-310-008'],
  coActivation: ['AGIDB_GRAPH_COACTIVATION', 'SPE-310-009'],
  persistence: ['AGIDB_GRAPH_PERSISTENCE', 'SPE-310-010'],
  decay: ['AGIDB_GRAPH_DECAY', 'SPE-310-011'],
} as const

/** The error of a graph that failed; an error of a graph stays as it is. */
export function graphError(part: GraphPart, cause: unknown, details: ErrorDetails = {}): AgidbError {
  const [code, spe] = CODES[part]
  if (cause instanceof AgidbError && cause.code.startsWith('AGIDB_GRAPH_')) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AgidbError(code, `the graph (${part}) failed: ${reason}`, { ...details, part, spe }, { cause })
}
