import type { Episode, Triple } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import { invalid } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import { conceptKey, conceptWords } from '../../encoding/concept.js'
import { fitOf, rarestOf } from '../../recall/evidence/pattern.js'
import type { Logged } from '../../records/event-log.js'
import { kindOf, subjectsOf } from '../../records/events/registry.js'
import { slotsOf } from '../../base/bits.js'
import { slotsOfFilter } from '../../indexes/filter.js'
import { liveSlot } from '../../write/writer.js'
import { identityOf } from '../../extraction/concepts/identity.js'
import { isDecision, namesOf } from '../concepts/decisions.js'
import { aliasesOf } from '../beliefs/aliases.js'
import type { MemoryContext } from '../context.js'
import type { Buffered } from '../sensory/buffer.js'
import type { Target } from './target.js'

/** What a target itself is. */
export interface Found {
  /** Of episodes, ascending. */
  readonly slots: readonly number[]
  /** All events about the beliefs, goals and procedures that are the target. */
  readonly events: readonly Logged[]
  readonly frames: readonly Buffered[]
}

/** What is asked of the floors. */
export interface Floors {
  /** What is believed about other names. */
  readonly aliases: () => readonly Triple[]
  readonly frames: () => readonly Buffered[]
}

/** Episodes that are read at once. */
const ROWS_PER_READ = 256

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
    case 'concept':
      return concept(context, floors, target.name)
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
  const { catalog, documents } = context.indexes
  const wanted = new Set(names)
  // What stands in another document as well stays; see `leaveDocuments`.
  const stays = new Set(kind === 'speaker' ? [] : documents.shared(wanted))
  const slots = names.flatMap((name) => {
    const belongs = catalog.belonging({ [kind]: name })
    return [...catalog.slots()].filter((slot) => belongs(slot) && !stays.has(slot))
  })
  const frames = floors.frames().filter(({ frame }) => wanted.has(frame[kind] ?? ''))
  if (kind === 'speaker') return { slots: ascending(slots), events: [], frames }
  const events = creations(context, (event) => 'provenance' in event && wanted.has(event.provenance[kind] ?? ''))
  return { slots: ascending(slots), events, frames }
}

/** What names a concept, under any of its names, with what was decided of these. */
async function concept(context: MemoryContext, floors: Floors, name: string): Promise<Found> {
  const { indexes, clock } = context
  const { conceptNames } = indexes
  const linked = conceptNames.keysOf(name)
  const others = [
    ...(await aliasesOf(context, name, floors.aliases(), { now: clock() })),
    ...conceptNames.spellings(linked),
    ...linked,
  ]
  const keys = new Set([conceptKey(name), ...others.map(conceptKey)])
  const words = [...new Set([name, ...others].map((one) => conceptWords(one).join(' ')))].map((one) => one.split(' '))
  const named = [...keys].flatMap((key) => [...indexes.concepts.slots(key)])
  const spoken = words.flatMap((wanted) => [...withWords(context, wanted)])
  const known = new Set(named)
  const mentioning = await matching(
    context,
    spoken.filter((slot) => !known.has(slot)),
    ({ text }) => mentionsAny(text, words),
  )
  const events = creations(context, (event) => {
    if (event.kind !== 'beliefAsserted') return false
    const { subject, object, claim } = event
    if ([subject, object].some((one) => one !== undefined && keys.has(conceptKey(one)))) return true
    return mentionsAny(claim, words)
  })
  const identities = new Set([name, ...others].map(identityOf))
  const decided = context.log.all().filter(({ event }) => {
    return isDecision(event) && namesOf(event).some((one) => identities.has(identityOf(one)))
  })
  return { slots: ascending([...named, ...mentioning]), events: [...events, ...decided], frames: [] }
}

/** The episodes whose words the rarest of some words is, or all where none of them is indexed. */
function withWords({ indexes }: MemoryContext, words: readonly string[]): Iterable<number> {
  const { postings, catalog } = indexes
  const terms = [...indexes.words.terms(indexes.words.read(words.join(' ')))].map(([term]) => term)
  const [rarest] = terms.sort((a, b) => postings.documentFrequency(a) - postings.documentFrequency(b))
  if (rarest === undefined) return catalog.slots()
  return postings.search(new Map([[rarest, 1]]), Math.max(1, catalog.size)).slots
}

/** Whether a text has the words of a name beside each other. */
function mentionsAny(text: string, names: readonly (readonly string[])[]): boolean {
  const own = conceptWords(text)
  return names.some((words) => own.some((_, start) => words.every((word, i) => own[start + i] === word)))
}

/** Of some slots those whose episodes pass, in no order. */
async function matching(
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
function creations({ log, told }: MemoryContext, passes: (event: LearningEvent) => boolean): Logged[] {
  const created = new Set<string>()
  // What the memory believes by itself goes with the episodes that it follows from, and what was said of it with it.
  const isDerived = (event: LearningEvent) =>
    (event.kind === 'beliefAsserted' && event.automatic !== undefined) ||
    (event.kind === 'beliefRevised' && event.revision.automatic !== undefined)
  for (const { event } of told()) {
    const isBelow = event.kind === 'goalSet' && event.parent !== undefined && created.has(event.parent)
    if (kindOf(event)?.creates && (isBelow || passes(event))) for (const id of subjectsOf(event)) created.add(id)
  }
  return log.all().filter(({ event }) => !isDerived(event) && subjectsOf(event).some((id) => created.has(id)))
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

function ascending(slots: readonly number[]): number[] {
  return [...new Set(slots)].sort((a, b) => a - b)
}
