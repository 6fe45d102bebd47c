import type { EntryId } from '../../api/entry-facet.js'
import type { Identity, OpenThread, PerspectiveCentroid, SuggestedPerspective } from '../../api/identity.js'
import { toIso } from '../../api/time.js'
import { DIMENSION } from '../../kernel/port.js'
import type { DocumentContext } from './context.js'
import { currentSlots } from './outline.js'
import { signedEntries } from './signed-entries.js'
import { withEntries } from './view.js'

const CORE = 15
const LEARNINGS = 10
const NEAREST = 3
const BESIDE = 10
/** Relations from which on an entry counts as one that is being worked on. */
const DELIBERATED = 3
/** Whole numbers that a salience of 1 weighs: sums of them are exact. */
const WEIGHT = 1_024
/** Standard deviations above chance from which on a perspective is suggested. */
const LIKE = 3

/** Works out who an agent is: from the entries that are seen, and from goals, beliefs and atoms. */
export async function identityOf(context: DocumentContext): Promise<Identity> {
  const { indexes, states, clock } = context
  const { catalog, documents, text } = indexes
  const now = clock()
  const seen = [...catalog.slots()].filter((slot) => documents.has(slot) && documents.isShown(slot, now))
  const current = seen.filter((slot) => now < catalog.validTo(slot))
  const salience = new Map(current.map((slot) => [slot, states.salienceOf(catalog.id(slot)!, slot, now).composite]))
  // Of those as salient the newest first.
  const bySalience = [...current].sort((a, b) => salience.get(b)! - salience.get(a)! || b - a)
  const chosen = bySalience.slice(0, CORE)
  const threads = openSlots(context, seen)
  const learned = current.filter((slot) => states.perspectivesOf(catalog.id(slot)!, slot).includes('learnings'))
  learned.sort((a, b) => catalog.validFrom(b) - catalog.validFrom(a) || b - a)
  const told = [...new Set([...chosen, ...threads.keys(), ...learned.slice(0, LEARNINGS)])]
  const found = await withEntries(
    context,
    told.map((slot) => ({ slot })),
  )
  const bySlot = new Map(found.map(({ slot, entry }) => [slot, entry]))
  await text.bring?.(Uint32Array.from(current))
  const there = (slots: readonly number[]) => slots.flatMap((slot) => bySlot.get(slot) ?? [])
  return {
    at: toIso(now),
    centroids: centroidsOf(context, current, salience),
    core: chosen.flatMap((slot) => {
      const entry = bySlot.get(slot)
      return entry === undefined ? [] : [{ entry, salience: salience.get(slot)! }]
    }),
    openThreads: [...threads].flatMap(([slot, reason]) => {
      const entry = bySlot.get(slot)
      return entry === undefined ? [] : [{ entry, reason }]
    }),
    recentLearnings: there(learned.slice(0, LEARNINGS)),
    ...(await context.beside(BESIDE)),
  }
}

/** The slots of open threads, the newest first: what was replaced and is still seen, and what has many relations. */
export function openSlots(
  { indexes, states }: DocumentContext,
  seen: readonly number[],
): Map<number, OpenThread['reason']> {
  const { catalog } = indexes
  const threads = new Map<number, OpenThread['reason']>()
  for (const slot of [...seen].reverse()) {
    const id = catalog.id(slot)!
    if (catalog.successor(slot) !== undefined && indexes.documents.shown(slot).visibility === 'normal')
      threads.set(slot, 'superseded')
    else if (states.relationsOf(id, slot).filter(({ kind }) => kind !== 'summarized_by').length >= DELIBERATED)
      threads.set(slot, 'related')
  }
  return threads
}

/** Where each perspective points that has entries. */
function centroidsOf(
  context: DocumentContext,
  slots: readonly number[],
  salience: ReadonlyMap<number, number>,
): PerspectiveCentroid[] {
  const { states, indexes } = context
  return states.perspectives().flatMap(({ id: perspective }) => {
    const members = slots.filter((slot) => states.perspectivesOf(indexes.catalog.id(slot)!, slot).includes(perspective))
    const centroid = centroidOf(context, members, (slot) => salience.get(slot)!)
    if (centroid === undefined) return []
    const near = signedEntries(context, members).map(
      ({ slot, signature }) => [slot, indexes.kernel.similarity(centroid, signature)] as const,
    )
    near.sort(([a, one], [b, other]) => other - one || a - b)
    const nearest = near.slice(0, NEAREST).map(([slot]): EntryId => indexes.catalog.id(slot)!)
    return [{ perspective, entries: members.length, centroid, nearest }]
  })
}

/** The majority of the signatures of entries, weighted by salience; `undefined` for none. */
function centroidOf(
  context: DocumentContext,
  slots: readonly number[],
  salienceOf: (slot: number) => number,
): Uint8Array | undefined {
  const signed = signedEntries(context, slots)
  if (signed.length === 0) return undefined
  // What was never used counts a little, too.
  const weights = Int32Array.from(signed, ({ slot }) => 1 + Math.round(WEIGHT * salienceOf(slot)))
  return context.indexes.kernel.bundle(
    signed.map(({ signature }) => signature),
    weights,
  )
}

/** The perspectives that an entry is like and is not seen from, the most alike first. */
export async function suggestedFor(
  context: DocumentContext,
  id: EntryId,
  slot: number,
): Promise<SuggestedPerspective[]> {
  const { indexes, states, clock } = context
  const { catalog, kernel } = indexes
  const own = new Set(states.perspectivesOf(id, slot))
  if (!indexes.text.has(slot)) return []
  const others = currentSlots(indexes, clock()).filter((other) => other !== slot)
  await indexes.text.bring?.(Uint32Array.from([slot, ...others]))
  const signature = indexes.text.get(slot)
  if (signature === undefined) return []
  return states
    .perspectives()
    .filter(({ id: perspective }) => !own.has(perspective))
    .map(({ id: perspective, hint }): SuggestedPerspective => {
      const members = others.filter((other) => states.perspectivesOf(catalog.id(other)!, other).includes(perspective))
      const centroid =
        centroidOf(context, members, (other) => states.salienceOf(catalog.id(other)!, other, clock()).composite) ??
        indexes.encode({ text: hint, triples: [] }).signatures['text']!
      return { perspective, likeness: aboveChance(kernel.similarity(signature, centroid)) }
    })
    .filter(({ likeness }) => likeness >= LIKE)
    .sort((a, b) => b.likeness - a.likeness || (a.perspective < b.perspective ? -1 : 1))
}

/** A similarity in standard deviations above that of unrelated signatures. */
export function aboveChance(similarity: number): number {
  return (similarity - 0.5) * 2 * Math.sqrt(DIMENSION)
}
