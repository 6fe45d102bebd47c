import type { FilterTree } from '../api/check-filter.js'
import type { LearningEvent, LearningKind } from '../api/learning.js'
import { hasBit } from '../base/bits.js'
import { slotsOfFilter } from '../indexes/filter.js'
import type { Indexes } from '../indexes/indexes.js'
import type { Floors } from '../memory/memory.js'
import { isDecision } from '../memory/concepts/decisions.js'
import type { IsGone } from '../memory/projection.js'
import { decisionsAmong } from './decided-names.js'

/** What an export with a filter leaves out. */
export interface LeftOut {
  /** Whether the row of a slot is left out. */
  readonly isLeft: (slot: number) => boolean
  /** Whether an episode is left out. */
  readonly isGone: IsGone
  /** Events that are exported without the names that only episodes bear which are left out. */
  readonly instead: ReadonlyMap<LearningEvent, LearningEvent>
  /** Slots of episodes that are replaced by one that is left out: they are exported as if nothing had replaced them. */
  readonly revived: ReadonlySet<number>
}

/** What a consolidation makes of many episodes at once, and makes again where it is imported. */
export const DERIVED: ReadonlySet<LearningKind> = new Set<LearningKind>([
  'semanticAtomFormed',
  'semanticAtomRevised',
  'contradictionDetected',
  'consolidationRun',
  'selfVectorUpdated',
])

/**
 * The episodes that do not pass, with what would show something of them: their versions, what was derived from all
 * episodes, beliefs that rest on them alone, revisions by them, aliases of names that only they bear, and the sensory
 * buffer. `undefined` where all pass.
 */
export function leftOutBy(filter: FilterTree, indexes: Indexes, floors: Floors): LeftOut | undefined {
  const { catalog } = indexes
  const live = catalog.live.slice()
  const passing = slotsOfFilter(indexes, filter)
  if (live.every((word, i) => word === passing[i])) return undefined
  const isOut = (slot: number) => hasBit(live, slot) && !hasBit(passing, slot)
  const others = new Set<number>()
  const revived = new Set<number>()
  for (const slot of catalog.slots()) {
    if (!isOut(slot)) continue
    const id = catalog.id(slot)!
    for (const version of floors.versions.of(id)) others.add(version.slot)
    for (const old of catalog.supersededBy(id)) revived.add(old)
  }
  for (const { slot } of floors.sensory.frames.all()) others.add(slot)
  const isGone = (id: string) => {
    const slot = catalog.slot(id)
    return slot !== undefined && isOut(slot)
  }
  const beliefs = new Set<string>()
  for (const { slot, event } of floors.log.all()) if (isDependent(event, isGone, beliefs)) others.add(slot)
  const decisions = floors.log.all().flatMap(({ slot, event }) => (isDecision(event) ? [{ slot, event }] : []))
  const { left, instead } = decisionsAmong(decisions, indexes, (slot) => hasBit(passing, slot))
  for (const slot of left) others.add(slot)
  return { isLeft: (slot) => others.has(slot) || isOut(slot), isGone, instead, revived }
}

/** @param beliefs those that are left out so far; takes those in that the event asserts. */
function isDependent(event: LearningEvent, isGone: (id: string) => boolean, beliefs: Set<string>): boolean {
  if (DERIVED.has(event.kind)) return true
  switch (event.kind) {
    case 'beliefAsserted': {
      const { belief, evidence } = event
      if (evidence.length === 0 || !evidence.every(isGone)) return false
      beliefs.add(belief)
      return true
    }
    case 'beliefRevised':
    case 'beliefWithdrawn': {
      const { belief, revision } = event
      return beliefs.has(belief) || (revision.evidence !== undefined && isGone(revision.evidence))
    }
    default:
      return false
  }
}
