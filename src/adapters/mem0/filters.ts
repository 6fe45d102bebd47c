import { invalid } from '../../api/check.js'
import type { Filter, MetadataCondition, MetadataTest } from '../../api/filter.js'

/**
 * A filter in mem0's words: members of the metadata by name, owners as `user_id`, `agent_id` and `run_id`. A member is
 * a value, a list of which one is enough, `*` for any, or `{ eq, ne, gt, gte, lt, lte, in, nin }`. `AND`, `OR` and
 * `NOT` take lists of filters; of `NOT` none may hold.
 */
export interface MemoryFilters {
  readonly user_id?: unknown
  readonly agent_id?: unknown
  readonly run_id?: unknown
  readonly [name: string]: unknown
}

/** The members of metadata that say whose a memory is. */
export const OWNERS = ['user_id', 'agent_id', 'run_id'] as const

const LOGIC = ['AND', 'OR', 'NOT']
const SIZES = ['gt', 'gte', 'lt', 'lte', 'in']

/**
 * The filter of this library that says the same.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` where no owner is named, and for operators that it has not
 */
export function filterOf(filters: MemoryFilters | undefined): Filter {
  if (!namesOwner(filters))
    throw invalid(`filters name no owner; expected ${OWNERS.join(', ')}, such as { user_id: 'ann' }`, {
      what: 'filters',
    })
  return translated(filters)
}

/** The filter of the memories of an owner that is named literally: here `*` is a name like any other. */
export function filterOfOwner(owner: Partial<Record<(typeof OWNERS)[number], string>>): Filter {
  return { and: Object.entries(owner).map(([name, value]) => ({ metadata: { [name]: value } })) }
}

/** The filter of all memories that have an owner. */
export function anyOwner(): Filter {
  return { or: OWNERS.map((name) => ({ metadata: { [name]: { exists: true } } })) }
}

function namesOwner(filters: unknown): filters is MemoryFilters {
  if (typeof filters !== 'object' || filters === null) return false
  return Object.entries(filters).some(([name, value]) => {
    if (name === 'AND' || name === 'OR') return Array.isArray(value) && value.some(namesOwner)
    return OWNERS.includes(name as (typeof OWNERS)[number]) && value !== undefined && value !== null
  })
}

function translated(filters: MemoryFilters): Filter {
  if (typeof filters !== 'object' || filters === null)
    throw invalid(`filters has ${String(filters)} in the place of a filter`, { what: 'filters' })
  const parts = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (LOGIC.includes(name) ? several(name, value) : member(name, value)))
  return parts.length === 1 ? parts[0]! : { and: parts }
}

function several(name: string, value: unknown): Filter {
  if (!Array.isArray(value) || value.length === 0)
    throw invalid(`filters.${name} must be a list of filters`, { what: `filters.${name}` })
  const parts = (value as readonly MemoryFilters[]).map(translated)
  if (name === 'AND') return { and: parts }
  return name === 'OR' ? { or: parts } : { not: { or: parts } }
}

function member(name: string, value: unknown): Filter {
  const path = name.replace(/[.\\]/g, '\\$&')
  const isOwner = OWNERS.includes(name as (typeof OWNERS)[number])
  const has = (test: MetadataTest): Filter => ({ metadata: { [path]: isOwner ? trimmed(test) : test } })
  if (value === '*') return has({ exists: true })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return has(value as MetadataTest)
  const parts = Object.entries(value).map(([operator, given]): Filter => {
    if (operator === 'eq') return has(given as MetadataTest)
    if (operator === 'ne' || operator === 'nin') return { not: has(given as MetadataTest) }
    if (operator === 'in') return has({ in: isOwner ? trimmed(given) : given } as MetadataCondition)
    if (SIZES.includes(operator)) return has({ [operator]: given } as MetadataCondition)
    const known = ['eq', 'ne', ...SIZES, 'nin'].join(', ')
    throw invalid(`filters.${name} has ${operator}; known are ${known}`, { what: `filters.${name}` })
  })
  return parts.length === 1 ? parts[0]! : { and: parts }
}

/** The names of owners without the blanks around them, as they are stored. */
function trimmed<T>(names: T): T {
  if (Array.isArray(names)) return names.map((name: unknown) => trimmed(name)) as T
  return (typeof names === 'string' ? names.trim() : names) as T
}
