import type { AtomId } from '../../api/atom.js'
import type { EpisodeId, Triple } from '../../api/episode.js'
import { idOf } from '../../base/ids.js'
import { conceptKey } from '../../encoding/concept.js'
import type { MemoryContext } from '../context.js'
import { Batch, type NewAtom } from './batch.js'
import { type AtomTable, endsKey, textKey, tripleKey } from './projection.js'
import type { LastingStatements } from './lasting-statements.js'
import { SimilarPredicates } from './similar-predicates.js'
import type { SimilarTexts } from './similar-texts.js'

/** Episodes whose atoms become durable together. */
export const EPISODES_PER_BATCH = 64
/** The default of `minSupport`. */
export const MIN_SUPPORT = 3
/** Episodes of an atom from which on those that take it up join no more: what all speak of is well supported. */
export const MOST_TAKERS = 16
/** What {@link StatementFinder} keeps of episodes that it compared, before it drops all of it. */
const MAX_CACHED = 20_000

/**
 * Finds what the episodes of a batch say, beside what the atoms say already. It is a function of the episodes that are
 * there up to the end of the batch and of the atoms before it, so that a run can be replayed.
 */
export class StatementFinder {
  readonly #context: MemoryContext
  readonly #atoms: AtomTable
  readonly #texts: SimilarTexts
  readonly #lasting: LastingStatements
  readonly #breathe: () => Promise<void>
  readonly #predicates: SimilarPredicates
  /** Keys of the triples of episodes that were compared. */
  readonly #keys = new Map<number, ReadonlyMap<string, Triple>>()

  constructor(
    context: MemoryContext,
    atoms: AtomTable,
    texts: SimilarTexts,
    lasting: LastingStatements,
    breathe: () => Promise<void>,
  ) {
    this.#context = context
    this.#atoms = atoms
    this.#texts = texts
    this.#lasting = lasting
    this.#breathe = breathe
    this.#predicates = new SimilarPredicates(context)
  }

  /**
   * What these slots say, which are ascending; episodes that went since are passed over.
   *
   * @param ends the triples that are looked at: those of these subjects and objects. Default: all.
   */
  async look(slots: readonly number[], minSupport: number, ends?: ReadonlySet<string>): Promise<Batch> {
    const {
      fetch,
      indexes: { catalog, structured },
    } = this.#context
    const batch = new Batch(this.#atoms, catalog)
    await this.#texts.read(slots, this.#breathe)
    await this.#lasting.read(slots, this.#breathe)
    await this.#lasting.prepare(slots)
    const stating = slots.filter((slot) => structured.has(slot))
    const episodes = await fetch(stating)
    const triples = new Map(stating.map((slot, i) => [slot, episodes[i]?.triples ?? []]))
    for (const slot of slots) {
      const id = catalog.id(slot)
      if (id === undefined) continue
      if (this.#texts.has(slot)) await this.#text(batch, slot, id, minSupport)
      for (const triple of triples.get(slot) ?? [])
        if (ends === undefined || ends.has(endsKey(triple))) await this.#triple(batch, slot, id, triple, minSupport)
      for (const { triple } of await this.#lasting.takenUpBy(slot, slot))
        if (ends === undefined || ends.has(endsKey(triple))) await this.#takenUp(batch, slot, id, triple, minSupport)
      await this.#breathe()
    }
    return batch
  }

  /** Structure first: the same statement, then one of the same subject and object whose predicate means the same. */
  async #triple(batch: Batch, slot: number, episode: EpisodeId, triple: Triple, minSupport: number): Promise<void> {
    const key = tripleKey(triple)
    const atom = this.#atomId(key)
    if (batch.stands(atom)) return batch.join(atom, [episode])
    const other = this.#predicates.atom(triple, batch)
    if (other !== undefined) {
      const same = await this.#saying(key, triple, slot, 1)
      return batch.join(
        other,
        same.map(({ id }) => id),
      )
    }
    if (this.#lasting.of(slot).some((one) => one.key === key)) return this.#lasts(batch, slot, triple, minSupport)
    const same = await this.#saying(key, triple, slot, minSupport)
    if (same.length >= minSupport) batch.form(this.#atomOf(key, same, [], minSupport))
  }

  /** A statement of another episode that the text of this one takes up. */
  async #takenUp(batch: Batch, slot: number, episode: EpisodeId, triple: Triple, minSupport: number): Promise<void> {
    const atom = this.#atomId(tripleKey(triple))
    const known = batch.stands(atom) ? atom : this.#predicates.atom(triple, batch)
    if (known === undefined) return this.#lasts(batch, slot, triple, minSupport)
    if (batch.support(known) < MOST_TAKERS) batch.join(known, [episode])
  }

  /**
   * A statement of a text that goes on being true: it needs one episode less, since it is not said again in equal
   * words, and episodes that refer to it count.
   */
  async #lasts(batch: Batch, slot: number, triple: Triple, minSupport: number): Promise<void> {
    const key = tripleKey(triple)
    const same = await this.#saying(key, triple, slot, 1)
    const least = Math.max(2, minSupport - 1)
    const statements = this.#lasting.saying(triple)
    const takers = await this.#lasting.takersOf(statements, slot, MOST_TAKERS - same.length, this.#breathe)
    const { catalog } = this.#context.indexes
    const episodes = takers.flatMap((at) => catalog.id(at) ?? [])
    if (same.length > 0 && same.length + episodes.length >= least) batch.form(this.#atomOf(key, same, episodes, least))
  }

  /** The atom of what episodes say, and others take up. */
  #atomOf(
    key: string,
    same: readonly { readonly id: EpisodeId; readonly triple: Triple }[],
    takers: readonly EpisodeId[],
    least: number,
  ): NewAtom {
    const [{ triple }] = same
    const episodes = [...new Set([...same.map(({ id }) => id), ...takers])]
    return { id: this.#atomId(key), statement: statementOf(triple), triple, episodes, least }
  }

  /** A text without given triples: near-duplicates in words and in meaning. */
  async #text(batch: Batch, slot: number, episode: EpisodeId, minSupport: number): Promise<void> {
    const { catalog } = this.#context.indexes
    const all = [slot]
    for (const other of this.#texts.before(slot)) {
      const said = batch.of(catalog.id(other)!).find((id) => batch.triple(id) === undefined)
      if (said !== undefined) return batch.join(said, [episode])
      all.push(other)
    }
    if (all.length < minSupport) return
    const episodes = all.sort((a, b) => a - b).flatMap((slot) => catalog.id(slot) ?? [])
    const [first] = await this.#context.fetch([all[0]])
    if (first === undefined) return
    const id = this.#atomId(textKey(first.text))
    if (batch.stands(id)) batch.join(id, episodes)
    else batch.form({ id, statement: first.text, episodes, least: minSupport })
  }

  /** The episodes up to a slot that say the same in a triple, in order; none when fewer than `least` can. */
  async #saying(
    key: string,
    { subject, object }: Triple,
    slot: number,
    least: number,
  ): Promise<{ readonly id: EpisodeId; readonly triple: Triple }[]> {
    const { concepts, catalog } = this.#context.indexes
    const [rarer, other] = [conceptKey(subject), conceptKey(object)].sort(
      (a, b) => concepts.count(a) - concepts.count(b),
    )
    const slots = concepts
      .slots(rarer)
      .filter((at) => at <= slot && concepts.has(other, at))
      .sort((a, b) => a - b)
    if (slots.length < least) return []
    await this.#read(slots)
    return slots.flatMap((at) => {
      const triple = this.#keys.get(at)?.get(key)
      const id = catalog.id(at)
      return triple === undefined || id === undefined ? [] : [{ id, triple }]
    })
  }

  /** Works out what the triples of episodes say, of those of which it is not known. */
  async #read(slots: readonly number[]): Promise<void> {
    if (this.#keys.size + slots.length > MAX_CACHED) this.#keys.clear()
    const unknown = slots.filter((slot) => !this.#keys.has(slot))
    for (let i = 0; i < unknown.length; i += EPISODES_PER_BATCH) {
      const part = unknown.slice(i, i + EPISODES_PER_BATCH)
      for (const [j, episode] of (await this.#context.fetch(part)).entries()) {
        if (episode === undefined) continue
        const keys = new Map<string, Triple>()
        for (const triple of episode.triples) if (!keys.has(tripleKey(triple))) keys.set(tripleKey(triple), triple)
        this.#keys.set(part[j], keys)
      }
      if (i > 0) await this.#breathe()
    }
  }

  #atomId(key: string): AtomId {
    return idOf('at_', this.#context.indexes.kernel.fromName(`agidb/atom/${key}`))
  }
}

/** A triple in words. */
function statementOf({ subject, predicate, object }: Triple): string {
  return `${subject} ${predicate} ${object}`
}
