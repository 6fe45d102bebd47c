import type { Triple } from '../../api/episode.js'
import { conceptKey } from '../../encoding/concept.js'
import type { MemoryContext } from '../context.js'
import type { ChangedEpisode } from '../projection.js'
import { type AtomTable, endsKey, type Formed } from './projection.js'
import { SimilarStatements } from './similar-statements.js'

/** What of the atoms may be otherwise where some episodes came or went. */
export interface Affected {
  /** The slots of the episodes, and of all whose atoms depend on theirs. */
  readonly slots: ReadonlySet<number>
  /** Keys of the subjects of the statements that they make. */
  readonly subjects: ReadonlySet<string>
  /** Whether an atom, stored or replayed, is one of those. */
  readonly has: (atom: Formed) => boolean
}

/**
 * Finds what depends on episodes that came or went. A statement depends on those of the same subject and object; a text
 * on those near it, on those near these, and so on.
 *
 * @param last the slot through which episodes were looked at.
 */
export async function affectedBy(
  context: MemoryContext,
  atoms: AtomTable,
  changed: readonly ChangedEpisode[],
  last: number,
  breathe: () => Promise<void>,
): Promise<Affected> {
  const { catalog } = context.indexes
  const [ends, subjects, texts] = [new Set<string>(), new Set<string>(), new Set<number>()]
  const slots = new Set<number>()
  const alike = new SimilarStatements(context)
  const state = ({ subject, predicate, object }: Triple) => {
    if (ends.has(endsKey({ subject, predicate, object }))) return
    ends.add(endsKey({ subject, predicate, object }))
    subjects.add(conceptKey(subject))
    for (const slot of saying(context, subject, object)) if (slot <= last) slots.add(slot)
  }
  for (const { id, slot, live } of changed) {
    let counts = false
    for (const atom of [...atoms.of(id)].map((atom) => atoms.get(atom)!)) {
      if (slot >= atom.episodes.get(id)!.slot) continue
      counts = true
      if (atom.triple !== undefined) state(atom.triple)
      else for (const member of membersOf(context, atom)) texts.add(member)
    }
    const [episode] = live ? await context.fetch([slot]) : []
    if (episode !== undefined) {
      counts = true
      for (const triple of episode.triples) state(triple)
      if (episode.triples.length === 0 && alike.tells(slot)) texts.add(slot)
    }
    if (counts) slots.add(slot)
  }
  const together = (slot: number) =>
    [...atoms.of(catalog.id(slot) ?? '')].flatMap((id) => {
      const atom = atoms.get(id)!
      return atom.triple === undefined ? membersOf(context, atom) : []
    })
  const near = await alike.connected(texts, together, last, breathe)
  for (const slot of near) slots.add(slot)
  const has = ({ triple, episodes }: Formed) => {
    if (triple !== undefined) return ends.has(endsKey(triple))
    for (const id of episodes.keys()) if (slots.has(catalog.slot(id) ?? -1)) return true
    return changed.some(({ id }) => episodes.has(id))
  }
  return { slots, subjects, has }
}

/** The slots of the episodes that state something of a subject and an object. */
function saying({ indexes: { concepts } }: MemoryContext, subject: string, object: string): number[] {
  const [rarer, other] = [conceptKey(subject), conceptKey(object)].sort((a, b) => concepts.count(a) - concepts.count(b))
  return [...concepts.slots(rarer)].filter((slot) => concepts.has(other, slot))
}

function membersOf({ indexes: { catalog } }: MemoryContext, { episodes }: Formed): number[] {
  return [...episodes].flatMap(([id, joined]) => {
    const slot = catalog.slot(id)
    return slot === undefined || slot >= joined.slot ? [] : [slot]
  })
}
