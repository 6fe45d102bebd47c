import type { LearningEvent, LearningKind } from '../api/learning.js'
import type { StoredEpisode } from '../api/storage.js'
import { kindOf, subjectsOf } from '../records/events/registry.js'
import { episodeKind } from '../records/kinds/episode.js'
import { learningEventKind } from '../records/kinds/learning-event.js'
import { versionKind } from '../records/kinds/version.js'
import type { RecordKinds } from '../records/record-kind.js'
import { DERIVED } from './left-out.js'

/** Kinds of events that tell something of what another event created. */
const ABOUT_CREATED: ReadonlySet<LearningKind> = new Set<LearningKind>([
  'episodeLinked',
  'goalRevised',
  'goalStateChanged',
  'beliefReasserted',
  'beliefRevised',
  'beliefWithdrawn',
  'procedureRevised',
  'procedureRetired',
  'procedureExecuted',
])

/**
 * Chooses from a damaged memory the rows that still tell something without those that cannot be read. It takes rows in
 * ascending order of slot. What a consolidation derived is left out; the next one derives it again.
 */
export class Remaining {
  readonly #kinds: RecordKinds
  readonly #episodes = new Set<string>()
  readonly #created = new Set<string>()

  constructor(kinds: RecordKinds) {
    this.#kinds = kinds
  }

  /** The row, as far as it tells something; `undefined` where it does not. */
  keep(stored: StoredEpisode): StoredEpisode | undefined {
    const kind = this.#kinds.find(stored.row)
    if (kind === episodeKind) this.#episodes.add(stored.id)
    if (kind === versionKind) return this.#episodes.has(versionKind.decode(stored.row).episode) ? stored : undefined
    if (kind !== learningEventKind) return stored
    const event = learningEventKind.decode(stored.row)
    const kept = this.#event(event)
    return kept === undefined || kept === event ? kept && stored : { ...stored, row: learningEventKind.encode(kept) }
  }

  #event(event: LearningEvent): LearningEvent | undefined {
    if (DERIVED.has(event.kind)) return undefined
    if (event.kind === 'episodeLinked' && !this.#episodes.has(event.episode)) return undefined
    const [subject] = subjectsOf(event)
    if (ABOUT_CREATED.has(event.kind) && !this.#created.has(subject)) {
      if (event.kind !== 'beliefReasserted') return undefined
      // The one from which on there is the belief.
      this.#created.add(subject)
      const { confidence = 0.5, ...given } = event
      return { ...given, kind: 'beliefAsserted', confidence }
    }
    // As forgetting does: what is below a goal goes with it.
    if (event.kind === 'goalSet' && this.#isMissing(event.parent)) return undefined
    if (kindOf(event)?.creates) this.#created.add(subject)
    return event.kind === 'goalRevised' && this.#isMissing(event.changes.parent) ? withoutParent(event) : event
  }

  #isMissing(goal: string | null | undefined): boolean {
    return typeof goal === 'string' && !this.#created.has(goal)
  }
}

/** A revision that does not move the goal; `undefined` where that is all it did. */
function withoutParent(event: LearningEvent<'goalRevised'>): LearningEvent | undefined {
  const { parent: _, ...changes } = event.changes
  return Object.keys(changes).length === 0 ? undefined : { ...event, changes }
}
