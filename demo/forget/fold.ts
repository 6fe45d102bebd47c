import type { CascadeEdge, CascadeGraph, CascadeNode } from '../../src/runtimes/browser/index.js'

/** Some things of one kind of which the same becomes, drawn as one. */
export interface Fold {
  readonly kind: CascadeNode['kind']
  readonly becomes: CascadeNode['becomes']
  readonly ids: readonly string[]
}

/** That things of one fold rest on things of another. */
export interface FoldEdge {
  /** The place of the dependent in `dependents`. */
  readonly dependent: number
  /** The place of what it rests on in `given`. */
  readonly given: number
  /** How many single edges it stands for. */
  readonly edges: number
}

/** A cascade as it is drawn: what is forgotten at the one side, what rests on it at the other. */
export interface FoldedCascade {
  readonly given: readonly Fold[]
  readonly dependents: readonly Fold[]
  readonly edges: readonly FoldEdge[]
}

/** Folds of a side at most, where there are more things than that; a few more where they are of many kinds. */
const MOST = 8

/**
 * Folds a cascade until it can be read. Of the dependents those that rest on most stay single, some of each kind. What
 * is forgotten is folded by what rests on it: things on which the same rests are one.
 */
export function foldCascade({ nodes, edges }: CascadeGraph): FoldedCascade {
  const resting = new Map<string, CascadeEdge[]>()
  for (const edge of edges) push(resting, edge.from, edge)
  const degree = ({ id }: CascadeNode) => resting.get(id)?.length ?? 0
  const dependents = foldDependents(
    nodes.filter((node) => degree(node) > 0),
    degree,
  )
  const restingOn = new Map<string, Set<number>>()
  dependents.forEach(({ ids }, place) => {
    for (const { to } of ids.flatMap((id) => resting.get(id)!))
      restingOn.set(to, (restingOn.get(to) ?? new Set()).add(place))
  })
  const given = foldGiven(
    nodes.filter((node) => degree(node) === 0),
    (id) => [...(restingOn.get(id) ?? [])],
  )
  return { given, dependents, edges: foldEdges(given, dependents, resting) }
}

function foldDependents(nodes: readonly CascadeNode[], degree: (node: CascadeNode) => number): Fold[] {
  const groups = Array.from(grouped(nodes, alike).values(), (group) => [...group].sort((a, b) => degree(b) - degree(a)))
  if (nodes.length <= MOST) return groups.flat().map((node) => foldOf([node]))
  // Each group keeps a place for its rest; the others are dealt out by turns.
  const single = groups.map(() => 0)
  let places = MOST - groups.length
  for (let turn = 0; places > 0; turn++)
    for (let i = 0; i < groups.length && places > 0; i++)
      if (turn < groups[i].length - 1) {
        single[i]++
        places--
      }
  return groups.flatMap((group, i) => [
    ...group.slice(0, single[i]).map((node) => foldOf([node])),
    foldOf(group.slice(single[i])),
  ])
}

function foldGiven(nodes: readonly CascadeNode[], restingOn: (id: string) => readonly number[]): Fold[] {
  const place = (group: readonly CascadeNode[]) => mean(restingOn(group[0].id))
  const groups =
    nodes.length <= MOST
      ? nodes.map((node) => [node])
      : [...grouped(nodes, (node) => `${alike(node)} ${restingOn(node.id)}`).values()]
  if (groups.length <= MOST) return groups.sort((a, b) => place(a) - place(b)).map(foldOf)
  const bySize = groups.sort((a, b) => restingOn(b[0].id).length - restingOn(a[0].id).length || b.length - a.length)
  const rest = grouped(bySize.slice(MOST - 1).flat(), alike)
  const kept = bySize.slice(0, MOST - 1).sort((a, b) => place(a) - place(b))
  return [...kept, ...rest.values()].map(foldOf)
}

function foldEdges(
  given: readonly Fold[],
  dependents: readonly Fold[],
  resting: ReadonlyMap<string, readonly CascadeEdge[]>,
): FoldEdge[] {
  const placeOf = new Map(given.flatMap(({ ids }, place) => ids.map((id) => [id, place] as const)))
  return dependents.flatMap(({ ids }, dependent) => {
    const counts = new Map<number, number>()
    for (const { to } of ids.flatMap((id) => resting.get(id)!)) {
      const place = placeOf.get(to)
      if (place !== undefined) counts.set(place, (counts.get(place) ?? 0) + 1)
    }
    return Array.from(counts, ([place, edges]) => ({ dependent, given: place, edges }))
  })
}

const alike = ({ kind, becomes }: CascadeNode): string => `${kind} ${becomes}`

function foldOf(group: readonly CascadeNode[]): Fold {
  const [{ kind, becomes }] = group
  return { kind, becomes, ids: group.map(({ id }) => id) }
}

function grouped(nodes: readonly CascadeNode[], keyOf: (node: CascadeNode) => string): Map<string, CascadeNode[]> {
  const groups = new Map<string, CascadeNode[]>()
  for (const node of nodes) push(groups, keyOf(node), node)
  return groups
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

/** Of no numbers `Infinity`: what nothing rests on comes last. */
function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? Infinity : numbers.reduce((a, b) => a + b) / numbers.length
}
