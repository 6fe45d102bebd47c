import type { AtomId } from '../../api/atom.js'
import type { EpisodeId, Triple } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import { conceptKey } from '../../encoding/concept.js'
import type { MemoryContext } from '../context.js'
import { turnsAfter, turnsBehind } from '../episodes/reading-context.js'
import type { ChangedEpisode } from '../projection.js'
import { MOST_TAKERS } from './finder.js'
import type { LastingStatements } from './lasting-statements.js'
import { type AtomTable, endsKey, type Formed } from './projection.js'
import type { SimilarTexts } from './similar-texts.js'

/** What of the atoms may be otherwise where some episodes came or went. */
export interface Affected {
  /** The slots of the episodes that are there, and of all whose atoms depend on theirs, ascending. */
  readonly slots: readonly number[]
  /** Keys of what they state: of which subject and object. */
  readonly ends: ReadonlySet<string>
  /** Keys of the subjects of the statements that they make. */
  readonly subjects: ReadonlySet<string>
  /** Whether an atom, stored or replayed, is one of those. */
  readonly has: (atom: Formed) => boolean
  /** Whether a stored event is about one of those. */
  readonly isOf: (event: LearningEvent) => boolean
}

/**
 * Finds what depends on episodes that came or went. A statement depends on those of the same subject and object, and on
 * those that take it up; a text on those that say the same in other words, on those that say the same as these, and so
 * on.
 *
 * @param last the slot through which episodes were looked at.
 */
export async function affectedBy(
  context: MemoryContext,
  atoms: AtomTable,
  similar: SimilarTexts,
  lasting: LastingStatements,
  changed: readonly ChangedEpisode[],
  last: number,
  breathe: () => Promise<void>,
): Promise<Affected> {
  const { catalog } = context.indexes
  const [ends, subjects, texts] = [new Set<string>(), new Set<string>(), new Set<number>()]
  const slots = new Set<number>()
  await similar.readThrough(last, breathe)
  await lasting.readThrough(last, breathe)
  const state = ({ subject, predicate, object }: Triple) => {
    if (ends.has(endsKey({ subject, predicate, object }))) return
    ends.add(endsKey({ subject, predicate, object }))
    subjects.add(conceptKey(subject))
    for (const slot of saying(context, subject, object)) if (slot <= last) slots.add(slot)
  }
  for (const { id, slot, live } of changed) {
    for (const atom of [...atoms.of(id)].map((atom) => atoms.get(atom)!)) {
      if (slot >= atom.episodes.get(id)!.slot) continue
      if (atom.triple !== undefined) state(atom.triple)
      else for (const member of membersOf(context, atom)) texts.add(member)
    }
    if (similar.has(slot)) texts.add(slot)
    if (live) for (const triple of (await context.fetch([slot]))[0]?.triples ?? []) state(triple)
    await breathe()
  }
  for (const triple of await takenUp(context, atoms, lasting, changed, last)) state(triple)
  for (const slot of await takersBetween(lasting, ends, last, breathe)) slots.add(slot)
  const ids = new Set<AtomId>()
  const holding = (id: EpisodeId) => {
    const fresh = [...atoms.of(id)].filter((atom) => atoms.get(atom)!.triple === undefined && !ids.has(atom))
    for (const atom of fresh) ids.add(atom)
    return fresh.flatMap((atom) => membersOf(context, atoms.get(atom)!))
  }
  for (const { id } of changed) holding(id)
  const together = (slot: number) => holding(catalog.id(slot) ?? '')
  for (const slot of await similar.connected(texts, together, last, breathe)) slots.add(slot)
  const gone = new Set(changed.map(({ id }) => id))
  const has = ({ triple, episodes }: Formed) => {
    if (triple !== undefined) return ends.has(endsKey(triple))
    for (const id of episodes.keys()) if (gone.has(id) || slots.has(catalog.slot(id) ?? -1)) return true
    return false
  }
  const isOf = (event: LearningEvent) => {
    if (event.kind !== 'semanticAtomFormed' && event.kind !== 'semanticAtomRevised') return false
    const { triple } = atoms.get(event.atom) ?? {}
    return triple === undefined ? ids.has(event.atom) : ends.has(endsKey(triple))
  }
  return { slots: [...slots].sort((a, b) => a - b), ends, subjects, has, isOf }
}

/** The statements that other episodes make and changed ones may take up, or took up before. */
async function takenUp(
  context: MemoryContext,
  atoms: AtomTable,
  lasting: LastingStatements,
  changed: readonly ChangedEpisode[],
  last: number,
): Promise<Triple[]> {
  const { catalog } = context.indexes
  const triples: Triple[] = []
  for (const slot of takingUp(context, changed)) {
    if (slot > last || !catalog.has(slot)) continue
    triples.push(...(await lasting.takenUpBy(slot, last)).map(({ triple }) => triple))
    for (const atom of atoms.of(catalog.id(slot)!)) {
      const { triple } = atoms.get(atom)!
      if (triple !== undefined) triples.push(triple)
    }
  }
  return triples
}

/** The episodes that take up what is stated of some ends: as many of each statement as its atom takes. */
async function takersBetween(
  lasting: LastingStatements,
  ends: ReadonlySet<string>,
  last: number,
  breathe: () => Promise<void>,
): Promise<Set<number>> {
  const slots = new Set<number>()
  for (const { triple } of [...ends].flatMap((one) => lasting.between(one)))
    for (const slot of await lasting.takersOf(lasting.saying(triple), last, MOST_TAKERS, breathe)) slots.add(slot)
  return slots
}

/** The episodes that may take up others than before: those that changed, and whose "you" may be somebody else. */
function takingUp({ indexes }: MemoryContext, changed: readonly ChangedEpisode[]): Set<number> {
  const found = new Set<number>()
  for (const { slot, live, before } of changed) {
    if (live) {
      found.add(slot)
      for (const after of turnsAfter(indexes, slot)) found.add(after)
    }
    for (const after of before?.session === undefined ? [] : turnsBehind(indexes, before.session, slot))
      found.add(after)
  }
  return found
}

/** The slots of the episodes that state something of a subject and an object. */
function saying({ indexes: { concepts } }: MemoryContext, subject: string, object: string): number[] {
  const [rarer, other] = [conceptKey(subject), conceptKey(object)].sort((a, b) => concepts.count(a) - concepts.count(b))
  return concepts.slots(rarer).filter((slot) => concepts.has(other, slot))
}

function membersOf({ indexes: { catalog } }: MemoryContext, { episodes }: Formed): number[] {
  return [...episodes].flatMap(([id, joined]) => {
    const slot = catalog.slot(id)
    return slot === undefined || slot >= joined.slot ? [] : [slot]
  })
}
