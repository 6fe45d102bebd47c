import type { CascadeGraph, CascadeNode } from '../../api/forgetting.js'

/** Things of one kind of which the same becomes. */
export interface CascadeGroup {
  readonly kind: CascadeNode['kind']
  readonly becomes: CascadeNode['becomes']
  readonly ids: readonly string[]
  /** Whether they go since something else does, and not because they are what is to be forgotten. */
  readonly isDependent: boolean
}

/** A cascade by kind and by what becomes of it: first what is forgotten itself, then what rests on it. */
export function groupsOf({ nodes, edges }: CascadeGraph): CascadeGroup[] {
  const dependents = new Set(edges.map(({ from }) => from))
  const groups = new Map<string, { -readonly [K in keyof CascadeGroup]: CascadeGroup[K] } & { ids: string[] }>()
  for (const { id, kind, becomes } of nodes) {
    const isDependent = dependents.has(id)
    const key = `${isDependent} ${kind} ${becomes}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { kind, becomes, ids: [id], isDependent })
    else group.ids.push(id)
  }
  return [...groups.values()].sort((a, b) => Number(a.isDependent) - Number(b.isDependent))
}
