import { checkId, checkKeys, checkList, checkName, invalid } from '../../api/check.js'
import { checkFilter, type FilterTree } from '../../api/check-filter.js'
import type { Filter } from '../../api/filter.js'
import type { EpisodeId, Triple, TriplePattern } from '../../api/episode.js'
import type { UnlearnTarget, UnlearnTargetKind } from '../../api/forgetting.js'
import type { Limits } from '../../api/open-options.js'

/** A checked target. */
export type Target =
  | { readonly kind: 'episode'; readonly ids: readonly EpisodeId[] }
  | { readonly kind: 'belief' | 'concept'; readonly name: string }
  | { readonly kind: 'source' | 'session' | 'speaker'; readonly names: readonly string[] }
  | { readonly kind: 'pattern'; readonly pattern: TriplePattern }
  | { readonly kind: 'filter'; readonly filter: Filter; readonly tree: FilterTree }
  | { readonly kind: 'all' }

/** Ids or names of one call, at most. */
const MOST_NAMES = { items: 100_000 } as const

const KINDS: readonly UnlearnTargetKind[] = [
  'episode',
  'belief',
  'concept',
  'source',
  'session',
  'speaker',
  'pattern',
  'filter',
  'all',
]
const PARTS: readonly (keyof Triple)[] = ['subject', 'predicate', 'object']

/**
 * Checks a target.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`, `AGIDB_INVALID_TEXT`, `AGIDB_TOO_LARGE`.
 */
export function checkTarget(target: UnlearnTarget, limits: Limits): Target {
  checkKeys('target', target, KINDS)
  const given = Object.entries(target ?? {}).filter(([, value]) => value !== undefined)
  if (given.length !== 1) {
    throw invalid(
      `target must have exactly one of ${KINDS.join(', ')}; it has ${given.length === 0 ? 'none' : given.length}`,
      { what: 'target', kinds: [...KINDS] },
    )
  }
  const [kind, value] = given[0] as [UnlearnTargetKind, unknown]
  const what = `target.${kind}`
  if (kind === 'all') {
    if (value === true) return { kind }
    throw invalid(`${what} must be true: it forgets all that the memory holds; to forget less, give another target`, {
      what,
    })
  }
  if (kind === 'filter') return { kind, filter: value as Filter, tree: checkFilter(what, value as Filter, limits) }
  if (kind === 'pattern') return { kind, pattern: checkPattern(what, value as TriplePattern, limits) }
  if (kind === 'belief' || kind === 'concept') {
    checkId(what, value, limits)
    return { kind, name: value as string }
  }
  const names = Array.isArray(value) ? checkList(what, value as string[], limits, MOST_NAMES) : [value as string]
  for (const [i, name] of names.entries()) checkId(Array.isArray(value) ? `${what}[${i}]` : what, name, limits)
  const distinct = [...new Set(names)]
  return kind === 'episode' ? { kind, ids: distinct } : { kind, names: distinct }
}

function checkPattern(what: string, pattern: TriplePattern, limits: Limits): TriplePattern {
  checkKeys(what, pattern, PARTS)
  const given = PARTS.filter((part) => pattern?.[part] !== undefined)
  if (given.length === 0) throw invalid(`${what} must give a subject, a predicate or an object`, { what })
  for (const part of given) checkName(`${what}.${part}`, pattern[part], limits)
  return Object.fromEntries(given.map((part) => [part, pattern[part]]))
}

/** What is hashed of a target: the same for the same target. */
export function canonical(target: Target): string {
  switch (target.kind) {
    case 'episode':
      return JSON.stringify([target.kind, ...[...target.ids].sort()])
    case 'belief':
    case 'concept':
      return JSON.stringify([target.kind, target.name])
    case 'all':
      return JSON.stringify([target.kind])
    case 'filter':
      return JSON.stringify([target.kind, target.filter])
    case 'pattern':
      return JSON.stringify([target.kind, ...PARTS.map((part) => target.pattern[part] ?? null)])
    default:
      return JSON.stringify([target.kind, ...[...target.names].sort()])
  }
}
