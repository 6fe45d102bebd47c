import { conceptKey } from '../../encoding/concept.js'
import { CleanupMemory } from '../../encoding/cleanup-memory.js'
import type { Codebooks } from '../../encoding/translation/decode-record.js'
import type { Triple } from '../../api/episode.js'
import type { MemoryContext } from '../context.js'

/** Episodes that are read to find a spelling, at most. */
const READ = 4

/**
 * The concepts and predicates that the memory knows, as codebooks: those of its episodes and of the beliefs that are
 * held. They are made when they are first asked for, 1 KiB a name, and then follow the memory.
 */
export class Vocabulary {
  readonly #context: Pick<MemoryContext, 'indexes' | 'fetch'>
  readonly #believed: () => readonly Triple[]
  #codebooks: Codebooks | undefined

  /** @param believed the statements of the beliefs that are held. */
  constructor(context: Pick<MemoryContext, 'indexes' | 'fetch'>, believed: () => readonly Triple[]) {
    this.#context = context
    this.#believed = believed
  }

  /** The codebooks as the memory is now. Their names are keys: see {@link spelt}. */
  codebooks(): Codebooks {
    const { kernel, concepts, predicates } = this.#context.indexes
    this.#codebooks ??= { concepts: new CleanupMemory(kernel), predicates: new CleanupMemory(kernel) }
    const believed = this.#believed()
    follow(this.#codebooks.concepts, [
      ...concepts.all(),
      ...believed.flatMap(({ subject, object }) => [conceptKey(subject), conceptKey(object)]),
    ])
    follow(this.#codebooks.predicates, [...predicates.all(), ...believed.map(({ predicate }) => conceptKey(predicate))])
    return this.#codebooks
  }

  /** Keys of concepts in a spelling of the memory: that of the oldest episode that has one, then that of a belief. */
  async spelt(keys: readonly string[]): Promise<string[]> {
    return this.#spelt(keys, 'concepts', ({ subject, object }) => [subject, object])
  }

  /** {@link spelt} of predicates. */
  async speltPredicates(keys: readonly string[]): Promise<string[]> {
    return this.#spelt(keys, 'predicates', ({ predicate }) => [predicate])
  }

  /** Gives the kernel's memory back. */
  free(): void {
    this.#codebooks?.concepts.free()
    this.#codebooks?.predicates.free()
    this.#codebooks = undefined
  }

  async #spelt(
    keys: readonly string[],
    index: 'concepts' | 'predicates',
    namesOf: (triple: Triple) => readonly string[],
  ): Promise<string[]> {
    const spellings = new Map<string, string>()
    const note = (triples: readonly Triple[]) => {
      for (const triple of triples)
        for (const name of namesOf(triple)) {
          const key = conceptKey(name)
          if (!spellings.has(key)) spellings.set(key, name)
        }
    }
    const slots = keys.flatMap((key) => oldest(this.#context.indexes[index].slots(key)))
    for (const episode of await this.#context.fetch([...new Set(slots)].sort((a, b) => a - b)))
      if (episode !== undefined) note(episode.triples)
    note(this.#believed())
    return keys.map((key) => spellings.get(key) ?? key)
  }
}

/** Makes a codebook one of these names. */
function follow(codebook: CleanupMemory, keys: readonly string[]): void {
  const wanted = new Set(keys)
  for (const name of [...codebook.names()]) if (!wanted.has(name)) codebook.remove(name)
  for (const key of wanted) if (!codebook.has(key)) codebook.add(key)
}

function oldest(slots: Iterable<number>): number[] {
  return [...slots].sort((a, b) => a - b).slice(0, READ)
}
