import { invalid } from '../../api/check.js'
import { slotsOf } from '../../base/bits.js'
import { AgidbError } from '../../base/errors.js'
import { slotsOfFilter } from '../../indexes/filter.js'
import { fitOf, rarestOf } from '../../recall/evidence/pattern.js'
import type { LearningEvent } from '../../api/learning.js'
import type { Logged } from '../../records/event-log.js'
import { liveSlot } from '../../write/writer.js'
import type { MemoryContext } from '../context.js'
import { findConcept } from './find-concept.js'
import { ascending, creations, type Floors, type Found, matching } from './finding.js'
import type { Target } from './target.js'

/**
 * A target with the summaries that rest on it, which may quote it.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND` for an episode or a belief that is not there.
 */
export async function findTarget(context: MemoryContext, floors: Floors, target: Target): Promise<Found> {
  const found = await directly(context, floors, target)
  const { catalog, documents } = context.indexes
  const slots = new Set(found.slots)
  for (const slot of slots) for (const summary of documents.summaries(catalog.id(slot)!)) slots.add(summary)
  return slots.size === found.slots.length ? found : { ...found, slots: ascending([...slots]) }
}

async function directly(context: MemoryContext, floors: Floors, target: Target): Promise<Found> {
  const { indexes } = context
  switch (target.kind) {
    case 'episode':
      return { slots: ascending(target.ids.map((id) => liveSlot(indexes, id))), events: [], frames: [] }
    case 'belief':
      return { slots: [], events: eventsOfBelief(context, target.name), frames: [] }
    case 'filter':
      return { slots: [...slotsOf(slotsOfFilter(indexes, target.tree))], events: [], frames: [] }
    case 'all':
      return all(context, floors)
    case 'concept':
      return findConcept(context, floors, target.name)
    case 'pattern': {
      const { pattern } = target
      const slots = await matching(context, rarestOf(indexes, pattern), ({ triples }) => fitOf(triples, pattern) === 1)
      const events = creations(context, (event) => {
        if (event.kind !== 'beliefAsserted') return false
        const { subject, predicate, object } = event
        return (
          subject !== undefined &&
          predicate !== undefined &&
          object !== undefined &&
          fitOf([{ subject, predicate, object }], pattern) === 1
        )
      })
      return { slots, events, frames: [] }
    }
    default:
      return from(context, floors, target.kind, target.names)
  }
}

/** Episodes of sources, sessions or speakers, and other records that were made there. */
function from(
  context: MemoryContext,
  floors: Floors,
  kind: 'source' | 'session' | 'speaker',
  names: readonly string[],
): Found {
  const { indexes } = context
  const wanted = new Set(names)
  // What stands in another document as well stays; see `leaveDocuments`.
  const stays = new Set(kind === 'speaker' ? [] : indexes.documents.shared(wanted))
  const belonging = slotsOfFilter(indexes, { kind: 'named', field: kind, names })
  const slots = [...slotsOf(belonging)].filter((slot) => !stays.has(slot))
  const frames = floors.frames().filter(({ frame }) => wanted.has(frame[kind] ?? ''))
  if (kind === 'speaker') return { slots, events: [], frames }
  const events = creations(context, (event) => 'provenance' in event && wanted.has(event.provenance[kind] ?? ''))
  return { slots, events, frames }
}

/**
 * All there is: the episodes, the frames, and the events that do not go with an episode. An episode takes along what
 * names it, so that an earlier unlearning of it brings that back.
 */
function all(context: MemoryContext, floors: Floors): Found {
  const created = creations(context, () => true)
  const taken = new Set(created.map(({ slot }) => slot))
  const standing = new Set(context.told().flatMap(({ slot, event }) => (isStanding(event) ? [slot] : [])))
  const others = context.log.all().filter(({ slot }) => standing.has(slot) && !taken.has(slot))
  return { slots: [...context.indexes.catalog.slots()], events: [...created, ...others], frames: floors.frames() }
}

/** Whether an event is no part of a belief, a goal or a procedure, and names no episode with which it goes. */
function isStanding(event: LearningEvent): boolean {
  switch (event.kind) {
    case 'conceptsMerged':
    case 'conceptsSplit':
    case 'perspectiveDefined':
    case 'perspectiveRemoved':
    case 'agingConfigured':
      return true
    case 'attentionTraced':
      return event.episodes.length === 0
    case 'entitiesRelated':
      return event.evidence.length === 0
    case 'edgesForgotten':
      return event.evidence.length === 0 && event.episodes === undefined
    default:
      return false
  }
}

function eventsOfBelief(context: MemoryContext, id: string): Logged[] {
  const isOwn = context.told().some(({ event }) => {
    return event.kind === 'beliefAsserted' && event.belief === id && event.automatic !== undefined
  })
  if (isOwn) {
    const why = 'follows from the episodes that state it'
    throw invalid(`the belief ${JSON.stringify(id)} ${why}; forget these, or withdraw it`, { id })
  }
  const events = creations(context, (event) => event.kind === 'beliefAsserted' && event.belief === id)
  if (events.length > 0) return events
  throw new AgidbError('AGIDB_NOT_FOUND', `there is no belief with the id ${JSON.stringify(id)}`, { id })
}
