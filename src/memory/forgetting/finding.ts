import type { Episode, Triple } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import type { Logged } from '../../records/event-log.js'
import { kindOf, subjectsOf } from '../../records/events/registry.js'
import type { MemoryContext } from '../context.js'
import type { StoredVersion, Versions } from '../episodes/versions.js'
import type { Buffered } from '../sensory/buffer.js'

/** What a target itself is. */
export interface Found {
  /** Of episodes, ascending. */
  readonly slots: readonly number[]
  /** All events about the beliefs, goals and procedures that are the target, and events that are the target itself. */
  readonly events: readonly Logged[]
  readonly frames: readonly Buffered[]
  /** Earlier versions of episodes that stay. Default: none. */
  readonly versions?: readonly FoundVersion[]
}

/** An earlier version, and the episode that said so. */
export type FoundVersion = StoredVersion & { readonly episode: string }

/** What is asked of the floors. */
export interface Floors {
  /** What is believed about other names. */
  readonly aliases: () => readonly Triple[]
  readonly frames: () => readonly Buffered[]
  readonly versions: Pick<Versions, 'of' | 'size'>
}

/** Episodes that are read at once. */
const ROWS_PER_READ = 256

/** Of some slots those whose episodes pass, in no order. */
export async function matching(
  { fetch }: MemoryContext,
  slots: Iterable<number>,
  passes: (episode: Episode) => boolean,
): Promise<number[]> {
  const distinct = ascending([...slots])
  const found: number[] = []
  for (let i = 0; i < distinct.length; i += ROWS_PER_READ) {
    const some = distinct.slice(i, i + ROWS_PER_READ)
    const episodes = await fetch(some)
    episodes.forEach((episode, at) => episode !== undefined && passes(episode) && found.push(some[at]))
  }
  return found
}

/** The events that create what passes, of what is there, with all events about it and, of goals, about those below. */
export function creations({ log, told }: MemoryContext, passes: (event: LearningEvent) => boolean): Logged[] {
  const created = new Set<string>()
  for (const { event } of told()) {
    const isBelow = event.kind === 'goalSet' && event.parent !== undefined && created.has(event.parent)
    if (kindOf(event)?.creates && (isBelow || passes(event))) for (const id of subjectsOf(event)) created.add(id)
  }
  const about = log.all().filter(({ event }) => subjectsOf(event).some((id) => created.has(id)))
  const own = new Set(about.flatMap(({ event }) => (isOwn(event) ? [event.belief] : [])))
  return about.filter(({ event }) => !isOwn(event) && !(isAutomatic(event) && own.has(event.belief)))
}

/** Whether the memory came to believe this by itself: it goes with the episodes that it follows from. */
function isOwn(event: LearningEvent): event is LearningEvent<'beliefAsserted'> {
  return event.kind === 'beliefAsserted' && event.automatic !== undefined
}

/** Whether an episode revised a belief without a call. */
function isAutomatic(event: LearningEvent): event is LearningEvent<'beliefRevised'> {
  return event.kind === 'beliefRevised' && event.revision.automatic !== undefined
}

export function ascending(slots: readonly number[]): number[] {
  return [...new Set(slots)].sort((a, b) => a - b)
}
