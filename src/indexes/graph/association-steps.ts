import type { EpisodeId } from '../../api/episode.js'
import type { LearningEvent, LearningKind } from '../../api/learning.js'
import { exp } from '../../base/exponential.js'
import type { Logged } from '../../records/event-log.js'
import type { Catalog } from '../catalog.js'

/** What an event does to associations. */
export type AssociationStep =
  | { readonly kind: 'strengthen'; readonly a: EpisodeId; readonly b: EpisodeId; readonly weight: number }
  | { readonly kind: 'forget'; readonly a: EpisodeId; readonly b: EpisodeId }
  | { readonly kind: 'recall'; readonly at: number; readonly episodes: readonly EpisodeId[] }
  | { readonly kind: 'decay' }

/** The steps of an event, and after which slot they are taken. */
export interface PlacedSteps {
  readonly event: LearningEvent
  /** The slot of the event; an id that it names means an episode before that. */
  readonly slot: number
  /** Episodes up to this slot come first. */
  readonly after: number
  readonly steps: readonly AssociationStep[]
}

/** The factor by which a consolidation lowers a weight. */
export const DECAY = 0.9
/** What an episode's association with the one before it in its session begins with. */
export const SESSION_WEIGHT = 1
/** What one recall adds to the associations of its matches, and of their tags. */
export const RECALL_WEIGHT = 0.1
/** Matches of a recall that count. */
export const RECALLED = 5
/** Tags of a recall that count. */
export const RECALLED_TAGS = 16
/** The time after which one recall tells e times less of the next, milliseconds: about a pause between recalls. */
const TAU_MS = 30_000
/** The value of e^(−Δt/τ) below which it counts as 0. */
const WINDOW_MS = 5 * TAU_MS

/**
 * How much a recall tells of one that comes `elapsedMs` later: e^(−Δt/τ), as spike-timing dependent plasticity has it
 * (Bi and Poo 1998). 0 where they are too far apart, or the clock went back.
 */
export function plasticity(elapsedMs: number): number {
  return elapsedMs < 0 || elapsedMs > WINDOW_MS ? 0 : exp(-elapsedMs / TAU_MS)
}

const KINDS: ReadonlySet<LearningKind> = new Set<LearningKind>([
  'episodesAssociated',
  'edgesForgotten',
  'recallsLearned',
  'consolidationRun',
])

/** Whether associations are made of an event. */
export function concernsAssociations({ kind }: LearningEvent): boolean {
  return KINDS.has(kind)
}

/** What the events do to associations, in the order in which it is done. */
export function stepsOf(logged: Iterable<Logged>): PlacedSteps[] {
  const placed: PlacedSteps[] = []
  for (const { slot, event } of logged) {
    const steps = concernsAssociations(event) ? stepsOfEvent(event) : []
    // A consolidation may be stored again, later than it was: what it decays stays what it was.
    const after = event.kind === 'consolidationRun' ? (event.decays ?? slot) : slot
    if (steps.length > 0) placed.push({ event, slot, after, steps })
  }
  return placed.sort((a, b) => a.after - b.after || a.slot - b.slot)
}

function stepsOfEvent(event: LearningEvent): AssociationStep[] {
  switch (event.kind) {
    case 'episodesAssociated': {
      const [a, b] = event.episodes
      return [{ kind: 'strengthen', a, b, weight: event.weight }]
    }
    case 'edgesForgotten': {
      if (event.episodes === undefined) return []
      const [a, b] = event.episodes
      return [{ kind: 'forget', a, b }]
    }
    case 'recallsLearned': {
      const since = Date.parse(event.since)
      return event.recalls.map(([elapsed, ...places]) => ({
        kind: 'recall',
        at: since + elapsed,
        episodes: places.map((place) => event.episodes[place]),
      }))
    }
    case 'consolidationRun':
      return event.isIdle ? [] : [{ kind: 'decay' }]
    default:
      return []
  }
}

/** The slot of an episode that an event names, unless another one has taken its id since. */
export function slotOf(
  id: string,
  before: number,
  { catalog }: { readonly catalog: Pick<Catalog, 'slot'> },
): number | undefined {
  const slot = catalog.slot(id)
  return slot !== undefined && slot < before ? slot : undefined
}
