import type { AtomId } from '../../api/atom.js'
import type { BeliefId } from '../../api/belief.js'
import { checkText } from '../../api/check.js'
import type { EpisodeId, TimeInput, Triple } from '../../api/episode.js'
import type { Introspection, IntrospectionQuery } from '../../api/introspection.js'
import type { LearningEvent, LearningQuery } from '../../api/learning.js'
import type { SelfVector } from './self-vector.js'
import { LEARNING_KINDS } from '../../records/events/registry.js'
import { textSignature } from '../../encoding/text.js'
import type { MemoryContext } from '../context.js'
import { inOrder } from '../told.js'
import { changesOfEpisodes, learned, toEventFilter, type Period } from '../history.js'
import { introspect } from './introspection.js'

/** Atoms that an introspection names, at most. */
const MOST_LIKE = 10

/** What the self-model reads of the other floors. */
export interface Others {
  readonly atoms: () => Iterable<{ readonly id: AtomId; readonly statement: string; readonly triple?: Triple }>
  /** The earlier versions of an episode, oldest first. */
  readonly versions: (episode: EpisodeId) => readonly { readonly replacedAt: string }[]
  /** Why names are of one concept, as far as episodes say so. */
  readonly merges: () => Promise<readonly LearningEvent<'conceptsMerged'>[]>
  readonly belief: (id: BeliefId) => { readonly text: string; readonly triple?: Triple } | undefined
}

/** What answers the methods of the self model. Loaded when the first is asked for. */
export class SelfQueries {
  readonly #context: MemoryContext
  readonly #vector: SelfVector
  readonly #others: Others

  constructor(context: MemoryContext, vector: SelfVector, others: Others) {
    this.#context = context
    this.#others = others
    this.#vector = vector
  }

  /** @throws AgidbError with the code of what is wrong with the query. */
  async learnedSince(since: TimeInput, query?: LearningQuery): Promise<LearningEvent[]> {
    const wanted = toEventFilter(since, query, this.#context.limits)
    const changes = await changesOfEpisodes(this.#context, this.#others, wanted.kinds)
    return structuredClone(learned(this.#context, wanted, changes))
  }

  async introspect(query: IntrospectionQuery): Promise<Introspection> {
    const kinds = new Set(query?.question === 'what did I learn' ? LEARNING_KINDS : [])
    return introspect(
      {
        ...this.#context,
        changesOfEpisodes: await changesOfEpisodes(this.#context, this.#others, kinds),
        events: () => inOrder(this.#context.told()),
        drift: (period) => this.#drifted(period),
        like: (period) => this.#mostLike(period),
      },
      query,
    )
  }

  /** @throws AgidbError with the code of what is wrong with the text */
  async similarity(textOrId: string): Promise<number> {
    const {
      limits,
      find,
      indexes: { catalog },
    } = this.#context
    checkText('textOrId', textOrId, limits)
    const episode = catalog.slot(textOrId) === undefined ? undefined : await find(textOrId)
    const belief = this.#others.belief(textOrId)
    const atom = [...this.#others.atoms()].find(({ id }) => id === textOrId)
    const triples = episode?.triples ?? [belief?.triple ?? atom?.triple].flatMap((triple) => triple ?? [])
    return this.#similarity(this.#vector.now, episode?.text ?? belief?.text ?? atom?.statement ?? textOrId, triples)
  }

  /** On the scale on which what has nothing to do with it is 0. */
  #similarity(vector: Uint8Array, text: string, triples: readonly Triple[]): number {
    if (this.#vector.epochs === 0) return 0
    const { kernel, records } = this.#context.indexes
    const words = textSignature(kernel, text)
    const record = triples.length === 0 ? undefined : records.signature(triples)
    return 2 * kernel.similarity(vector, record === undefined ? words : kernel.bundle([record, words])) - 1
  }

  #mostLike({
    until = Infinity,
  }: Period): { readonly atom: AtomId; readonly statement: string; readonly similarity: number }[] {
    const vector = this.#vector.at(until - 1)
    return [...this.#others.atoms()]
      .map(({ id, statement, triple }) => ({
        atom: id,
        statement,
        similarity: this.#similarity(vector, statement, triple === undefined ? [] : [triple]),
      }))
      .sort((a, b) => b.similarity - a.similarity || (a.atom < b.atom ? -1 : 1))
      .slice(0, MOST_LIKE)
  }

  /** Bits that the epochs of a time changed. An epoch at the very start of it is one of them. */
  #drifted({ since = -Infinity, until = Infinity }: Period): number {
    return this.#context.indexes.kernel.hamming(this.#vector.at(since - 1), this.#vector.at(until - 1))
  }
}
