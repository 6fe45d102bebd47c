import type { Analogous } from '../../api/neurosymbolic.js'
import type { Episode, Triple } from '../../api/episode.js'
import { conceptKey } from '../../encoding/concept.js'
import { correctedSimilarity } from '../../encoding/translation/decode-record.js'
import { type Relating, relationSignature } from '../../encoding/translation/relation-signature.js'
import { unexpiredSlots } from '../../indexes/filter.js'
import type { MemoryContext } from '../context.js'

/** Episodes that are read at once. */
const ROWS_PER_READ = 256
/** The least similarity that counts: 9 standard deviations above chance. */
const LEAST = 0.1

/** What an analogy is read from. */
export interface AnalogySources {
  readonly context: Pick<MemoryContext, 'indexes' | 'fetch' | 'clock'>
  /** The statements of the beliefs that are held. */
  readonly believed: () => readonly Triple[]
  /** The keys of a concept and its other names. */
  readonly names: (concept: string) => Promise<readonly string[]>
}

/** A concept beside another in some statements: how they stand to each other. */
interface Neighbour {
  readonly concept: string
  readonly relating: Relating[]
}

/**
 * The concepts that stand to `c` as `b` stands to `a`: the signature of the relation between `a` and `b` is compared
 * with those between `c` and each concept beside it. Best first, ties by key.
 */
export async function analogous(sources: AnalogySources, a: string, b: string, c: string): Promise<Analogous[]> {
  const { kernel } = sources.context.indexes
  const [first, second, third] = await Promise.all([a, b, c].map((concept) => sources.names(concept)))
  const given = await neighbours(sources, first, (key) => second.includes(key))
  const relating = [...given.values()].flatMap((neighbour) => neighbour.relating)
  if (relating.length === 0) return []
  const relation = relationSignature(kernel, relating)
  const left = new Set([...first, ...third])
  const found = [...(await neighbours(sources, third, (key) => !left.has(key)))].flatMap(
    ([key, { concept, relating }]) => {
      // A concept may stand to another in several ways: the one that is meant counts.
      const alike = [relating, ...relating.map((one) => [one])].map((some) => relationSignature(kernel, some))
      const similarity = Math.max(...alike.map((other) => correctedSimilarity(kernel, relation, other)))
      return similarity < LEAST ? [] : [{ key, concept, similarity }]
    },
  )
  found.sort((x, y) => y.similarity - x.similarity || (x.key < y.key ? -1 : 1))
  return found.map(({ concept, similarity }) => ({ concept, similarity }))
}

/** What stands beside a concept in the statements that are true now, by key. */
async function neighbours(
  { context, believed }: AnalogySources,
  names: readonly string[],
  isWanted: (key: string) => boolean,
): Promise<Map<string, Neighbour>> {
  const found = new Map<string, Neighbour>()
  const own = new Set(names)
  const note = ({ subject, predicate, object }: Triple, forward: boolean) => {
    const [concept, other] = forward ? [subject, object] : [object, subject]
    const key = conceptKey(other)
    if (!own.has(conceptKey(concept)) || own.has(key) || !isWanted(key)) return
    let neighbour = found.get(key)
    if (neighbour === undefined) found.set(key, (neighbour = { concept: other, relating: [] }))
    if (!neighbour.relating.some((one) => one.predicate === predicate && one.forward === forward))
      neighbour.relating.push({ predicate, forward })
  }
  for await (const { triples } of episodesOf(context, names))
    for (const triple of triples) for (const forward of [true, false]) note(triple, forward)
  for (const triple of believed()) for (const forward of [true, false]) note(triple, forward)
  return found
}

/** The episodes with one of these names in a statement that are visible now, oldest first. */
async function* episodesOf(
  { indexes, fetch, clock }: AnalogySources['context'],
  names: readonly string[],
): AsyncGenerator<Episode> {
  const now = clock()
  const isVisible = indexes.catalog.seeing({ now, among: unexpiredSlots(indexes, undefined, now) })
  const all = new Set(names.flatMap((name) => indexes.concepts.slots(name)))
  const slots = [...all].filter(isVisible).sort((a, b) => a - b)
  for (let from = 0; from < slots.length; from += ROWS_PER_READ)
    for (const episode of await fetch(slots.slice(from, from + ROWS_PER_READ))) if (episode !== undefined) yield episode
}
