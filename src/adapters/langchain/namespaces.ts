import type { ListNamespacesOperation, MatchCondition } from '@langchain/langgraph-checkpoint'
import { AgidbError } from '../../base/errors.js'

/** The namespaces that a listing asks for, each once, sorted. */
export function listed(namespaces: readonly string[][], operation: ListNamespacesOperation): string[][] {
  const { matchConditions = [], maxDepth, offset = 0, limit = Number.POSITIVE_INFINITY } = operation
  const kept = namespaces
    .filter((namespace) => matchConditions.every((condition) => matches(namespace, condition)))
    .map((namespace) => namespace.slice(0, maxDepth))
  const distinct = new Map(kept.map((namespace) => [JSON.stringify(namespace), namespace]))
  return [...distinct.values()].sort(byLabels).slice(offset, offset + limit)
}

/** Whether a namespace begins, or ends, with a path; `*` in the path stands for any label. */
function matches(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (matchType !== 'prefix' && matchType !== 'suffix')
    throw new AgidbError(
      'AGIDB_INVALID_ARGUMENT',
      `matchType is ${JSON.stringify(matchType)}; expected prefix or suffix`,
      { what: 'matchType' },
    )
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length
  return path.length <= namespace.length && path.every((label, i) => label === '*' || label === namespace[from + i])
}

function byLabels(a: readonly string[], b: readonly string[]): number {
  const place = a.findIndex((label, i) => label !== b[i])
  if (place === -1) return a.length - b.length
  if (place >= b.length) return 1
  return a[place]! < b[place]! ? -1 : 1
}
