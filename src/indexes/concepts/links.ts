/** Two keys of names that are of one concept. */
export interface Link {
  readonly keys: readonly [string, string]
  readonly reason: 'stated' | 'nickname' | 'caller'
}

/** What a caller said of names, in the order in which it was said. Keys of names. */
export type Decision =
  | { readonly kind: 'merge'; readonly keys: readonly [string, string] }
  | { readonly kind: 'split'; readonly keys: readonly string[]; readonly from: readonly string[] }

/** Which keys are of one concept. */
export class LinkedKeys {
  /** The links that hold: those that no split of a caller forbids. */
  readonly links: readonly Link[]
  readonly #groups: ReadonlyMap<string, ReadonlySet<string>>

  /**
   * @param decisions of the caller, in order: they come first, and the last one of two names counts.
   * @param found what else says that names are of one concept, in the order in which it counts.
   */
  constructor(decisions: readonly Decision[], found: readonly Link[]) {
    const { links, apart } = settled(decisions)
    const groups = new Map<string, Set<string>>()
    const held: Link[] = []
    for (const link of [...links, ...found]) if (join(groups, link.keys, apart)) held.push(link)
    this.links = held
    this.#groups = groups
  }

  /** The keys of a concept; a key that nothing links stands alone. */
  of(key: string): ReadonlySet<string> {
    return this.#groups.get(key) ?? new Set([key])
  }
}

type Apart = ReadonlyMap<string, ReadonlySet<string>>

/** Puts the groups of two keys together, unless two keys of theirs were split. False where they were. */
function join(groups: Map<string, Set<string>>, [a, b]: readonly [string, string], apart?: Apart): boolean {
  const [one, other] = [groups.get(a) ?? new Set([a]), groups.get(b) ?? new Set([b])]
  if (one === other || a === b) return true
  for (const key of one) for (const split of apart?.get(key) ?? []) if (other.has(split)) return false
  groups.set(a, one)
  for (const key of other) groups.set(key, one.add(key))
  return true
}

/** The net result of the decisions: the links of the caller, and the keys that must stay apart. */
function settled(decisions: readonly Decision[]): { readonly links: readonly Link[]; readonly apart: Apart } {
  let links: Link[] = []
  /** Of the links so far. */
  let groups = groupsOf(links)
  const apart = new Map<string, Set<string>>()
  for (const decision of decisions) {
    if (decision.kind === 'merge') {
      links.push({ keys: decision.keys, reason: 'caller' })
      join(groups, decision.keys)
      // What was split before and is put together now may be together again.
      for (const key of groups.get(decision.keys[0]) ?? []) {
        const others = apart.get(key)
        others?.forEach((other) => groups.get(other) === groups.get(key) && others.delete(other))
      }
    } else {
      const pairs = splitPairs(decision)
      const isSplit = ({ keys: [a, b] }: Link) => pairs.some(([c, d]) => (a === c && b === d) || (a === d && b === c))
      const left = links.filter((link) => !isSplit(link))
      if (left.length < links.length) {
        links = left
        groups = groupsOf(links)
      }
      for (const [key, other] of pairs) {
        apart.set(key, (apart.get(key) ?? new Set()).add(other))
        apart.set(other, (apart.get(other) ?? new Set()).add(key))
      }
    }
  }
  return { links, apart }
}

function groupsOf(links: readonly Link[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>()
  for (const { keys } of links) join(groups, keys)
  return groups
}

function splitPairs({ keys, from }: Extract<Decision, { kind: 'split' }>): [string, string][] {
  return keys.flatMap((key) => from.filter((other) => other !== key).map((other): [string, string] => [key, other]))
}
