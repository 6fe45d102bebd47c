import type { LearningEvent } from '../api/learning.js'
import type { Indexes } from '../indexes/indexes.js'
import { type DecisionEvent, namesOf } from '../memory/concepts/decisions.js'

/** What a caller decided on names, and where that is stored. */
interface Decided {
  readonly slot: number
  readonly event: DecisionEvent
}

/** What of callers' decisions on names goes into an export of some episodes. */
interface DecisionsAmong {
  /** Slots of decisions that do not: of an alias of no name of theirs, and of a split that parts no two of these. */
  readonly left: readonly number[]
  /** Splits of more names than that, with these alone. */
  readonly instead: ReadonlyMap<LearningEvent, LearningEvent>
}

/** @param isAmong whether the episode of a slot is one of them */
export function decisionsAmong(
  decisions: readonly Decided[],
  indexes: Indexes,
  isAmong: (slot: number) => boolean,
): DecisionsAmong {
  const left: number[] = []
  const instead = new Map<LearningEvent, LearningEvent>()
  if (decisions.length === 0) return { left, instead }
  const keyOf = (name: string) => indexes.conceptNames.keyOf(name)
  const borne = borneKeys(indexes, isAmong)
  addAliases(borne, decisions, keyOf)
  const isBorne = (name: string) => borne.has(keyOf(name))
  for (const { slot, event } of decisions) {
    if (event.kind === 'conceptsMerged') {
      if (!event.names.some(isBorne)) left.push(slot)
      continue
    }
    const [names, from] = [event.names.filter(isBorne), event.from.filter(isBorne)]
    if (names.length === 0 || from.length === 0) left.push(slot)
    else if (names.length + from.length < namesOf(event).length) instead.set(event, { ...event, names, from })
  }
  return { left, instead }
}

/** The keys of the names that episodes bear, those of their speakers included. */
function borneKeys({ catalog, conceptNames }: Indexes, isAmong: (slot: number) => boolean): Set<string> {
  const keys = new Set<string>()
  for (const slot of catalog.slots()) {
    if (!isAmong(slot)) continue
    for (const name of conceptNames.names.of(slot)) keys.add(conceptNames.keyOf(name))
    const speaker = catalog.speaker(slot)
    if (speaker !== undefined) keys.add(conceptNames.keyOf(speaker))
  }
  return keys
}

/** Adds the other names that callers gave what has a key, and the other names of these. */
function addAliases(keys: Set<string>, decisions: readonly Decided[], keyOf: (name: string) => string): void {
  const others = new Map<string, string[]>()
  for (const { event } of decisions) {
    if (event.kind !== 'conceptsMerged') continue
    const [a, b] = event.names.map(keyOf)
    others.set(a, [...(others.get(a) ?? []), b])
    others.set(b, [...(others.get(b) ?? []), a])
  }
  // A set that grows while it is walked through is walked to its end.
  for (const key of keys) for (const other of others.get(key) ?? []) keys.add(other)
}
