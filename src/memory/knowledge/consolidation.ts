import type { Caller } from '../../api/caller.js'
import type { AtomId, ConsolidateOptions, ConsolidationReport, Contradiction } from '../../api/atom.js'
import { checkSignal } from '../../api/check.js'
import { stopwatch } from '../../base/clock.js'
import type { Episode, EpisodeId, Triple } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'
import { idOf } from '../../base/ids.js'
import { turn } from '../../base/event-loop-turn.js'
import { type AtomTable, textKey, tripleKey } from './projection.js'
import type { NewEvent } from '../../records/event-log.js'
import { conceptKey } from '../../encoding/concept.js'
import { textSignature } from '../../encoding/text.js'
import { SimilarStatements } from './similar-statements.js'
import { Batch } from './batch.js'
import { findContradictions } from './contradictions.js'
import { Relations } from '../relations.js'
import type { SelfVector } from '../self/self-vector.js'
import type { MemoryContext } from '../context.js'

/** Episodes whose atoms become durable together. */
const EPISODES_PER_BATCH = 64
/** The default of `minSupport`. */
const MIN_SUPPORT = 3
/** What {@link Consolidation} keeps of episodes that it compared, before it drops all of it. */
const MAX_CACHED = 20_000

/** What a run counts. */
interface Counted {
  episodes: number
  readonly formed: Set<AtomId>
  readonly revised: Set<AtomId>
}

/** One run of `consolidate`. */
export class Consolidation {
  readonly #context: MemoryContext
  readonly #atoms: AtomTable
  readonly #selfVector: SelfVector
  readonly #options: ConsolidateOptions
  readonly #caller: Caller
  readonly #minSupport: number
  readonly #alike: SimilarStatements
  readonly #isOpen: () => boolean
  /** Keys of the triples of episodes that were compared. */
  readonly #keys = new Map<number, ReadonlyMap<string, Triple>>()
  readonly #counted: Counted = { episodes: 0, formed: new Set(), revised: new Set() }
  #through: { readonly id: EpisodeId | undefined; readonly slot: number } | undefined

  constructor(
    context: MemoryContext,
    atoms: AtomTable,
    selfVector: SelfVector,
    options: ConsolidateOptions,
    caller: Caller,
    isOpen: () => boolean,
  ) {
    this.#context = context
    this.#atoms = atoms
    this.#selfVector = selfVector
    this.#options = options
    // Without its call: asked again it goes on from where it was, and so needs no receipts.
    this.#caller = { writer: caller.writer, from: caller.from }
    this.#minSupport = options.minSupport ?? MIN_SUPPORT
    this.#alike = new SimilarStatements(context)
    this.#isOpen = isOpen
  }

  async run(): Promise<ConsolidationReport> {
    const started = stopwatch()
    await this.#context.loaded()
    checkSignal(this.#options.signal)
    const { catalog } = this.#context.indexes
    const slots = [...catalog.slots(this.#atoms.upTo + 1)]
    if (slots.length > 0) await this.#alike.begin(this.#atoms.upTo, () => this.#breathe())
    try {
      for (let done = 0; done < slots.length; ) {
        const batch = slots.slice(done, done + EPISODES_PER_BATCH)
        await this.#look(batch)
        done += batch.length
        this.#options.onProgress?.({ done, total: slots.length })
        await this.#breathe()
        if (done < slots.length) checkSignal(this.#options.signal)
      }
    } catch (error) {
      // What was looked at by then is not looked at again.
      if (error instanceof AgidbError && error.code === 'AGIDB_ABORTED') await this.#finish()
      throw error
    }
    const { contradictions, drift } = await this.#finish()
    const { episodes, formed, revised } = this.#counted
    return {
      episodes,
      atomsFormed: [...formed],
      atomsRevised: [...revised],
      contradictions,
      drift,
      elapsedMs: stopwatch() - started,
    }
  }

  /** Finds what the episodes of one batch say, and learns it. */
  async #look(slots: readonly number[]): Promise<void> {
    const {
      fetch,
      indexes: { catalog },
      learn,
    } = this.#context
    const batch = new Batch(this.#atoms, catalog)
    const episodes = await fetch(slots)
    let looked = 0
    for (const [i, slot] of slots.entries()) {
      const episode = episodes[i]
      // Taken away since.
      if (episode === undefined || catalog.slot(episode.id) !== slot) continue
      looked++
      if (episode.triples.length === 0) await this.#text(batch, slot, episode)
      for (const triple of episode.triples) await this.#triple(batch, slot, episode.id, triple)
      await this.#breathe()
    }
    const last = slots[slots.length - 1]
    await learn(this.#caller, () => {
      const events = batch.events(last)
      return {
        events,
        result: () => {
          for (const { kind, atom } of events) {
            if (kind === 'semanticAtomFormed') this.#counted.formed.add(atom)
            else if (!this.#counted.formed.has(atom)) this.#counted.revised.add(atom)
          }
        },
      }
    })
    this.#counted.episodes += looked
    this.#through = { id: catalog.id(last), slot: last }
  }

  /** Structure first: the same statement, then one of the same subject and object whose predicate means the same. */
  async #triple(batch: Batch, slot: number, episode: EpisodeId, triple: Triple): Promise<void> {
    const key = tripleKey(triple)
    const atom = this.#atomId(key)
    if (batch.stands(atom)) return batch.join(atom, [episode])
    const other = this.#alike.triple(triple, batch)
    if (other !== undefined) {
      const same = await this.#saying(key, triple, slot, 1)
      return batch.join(
        other,
        same.map(({ id }) => id),
      )
    }
    const same = await this.#saying(key, triple, slot, this.#minSupport)
    if (same.length < this.#minSupport) return
    const first = same[0].triple
    batch.form({
      id: atom,
      statement: statementOf(first),
      triple: first,
      episodes: same.map(({ id }) => id),
      least: this.#minSupport,
    })
  }

  /** A text without triples: near-duplicates in words and in meaning. */
  async #text(batch: Batch, slot: number, episode: Episode): Promise<void> {
    const alike = await this.#alike.texts(slot, episode)
    if (alike === undefined) return
    for (const { id } of alike) {
      const said = batch.of(id).find((id) => batch.triple(id) === undefined)
      if (said !== undefined) return batch.join(said, [episode.id])
    }
    const all = [{ slot, id: episode.id, text: episode.text }, ...alike].sort((a, b) => a.slot - b.slot)
    if (all.length < this.#minSupport) return
    const statement = all[0].text
    const id = this.#atomId(textKey(statement))
    const episodes = all.map(({ id }) => id)
    if (batch.stands(id)) batch.join(id, episodes)
    else batch.form({ id, statement, episodes, least: this.#minSupport })
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
    const slots = [...concepts.slots(rarer)].filter((at) => at <= slot && concepts.has(other, at)).sort((a, b) => a - b)
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

  /** Contradictions, the self-vector, and that there was a run. */
  async #finish(): Promise<{ readonly contradictions: Contradiction[]; readonly drift: number }> {
    const { indexes, learn } = this.#context
    const relations = new Relations(indexes, this.#options.functionalPredicates)
    const found = await findContradictions(indexes.catalog, this.#atoms, relations, () => this.#breathe())
    const { changed } = this.#atoms
    if (this.#counted.episodes + found.length + changed.length === 0 && this.#through === undefined)
      return { contradictions: [], drift: 0 }
    const bundle = changed.length === 0 ? undefined : await this.#bundle(changed)
    return learn(this.#caller, () => {
      const { now, epochs } = this.#selfVector
      const drift = bundle === undefined ? 0 : indexes.kernel.hamming(now, this.#selfVector.after(bundle))
      const events: NewEvent[] = found.map((contradiction) => ({ kind: 'contradictionDetected', ...contradiction }))
      const signatures = new Map<NewEvent, Uint8Array>()
      if (bundle !== undefined) {
        const updated: NewEvent = { kind: 'selfVectorUpdated', epoch: epochs + 1, drift, atoms: changed }
        events.push(updated)
        signatures.set(updated, bundle)
      }
      const { id, slot } = this.#through ?? { id: undefined, slot: this.#atoms.upTo }
      events.push({
        kind: 'consolidationRun',
        episodes: this.#counted.episodes,
        ...(id !== undefined && { through: id }),
        upTo: slot,
        atomsFormed: this.#counted.formed.size,
        atomsRevised: this.#counted.revised.size,
        contradictions: found.length,
      })
      return { events, signatures, result: () => ({ contradictions: found, drift }) }
    })
  }

  /**
   * What was consolidated as one hypervector: the bundle of the atoms' signatures, sorted by id; of their triples, or
   * of their words where they have none.
   */
  async #bundle(ids: readonly AtomId[]): Promise<Uint8Array | undefined> {
    const { kernel, records } = this.#context.indexes
    const signatures: Uint8Array[] = []
    const weights: number[] = []
    for (const id of ids) {
      const atom = this.#atoms.get(id)
      if (atom === undefined) continue // retracted since
      const { statement, triple, episodes } = atom
      const signature = (triple && records.signature([triple])) ?? textSignature(kernel, statement)
      // Its words as well, so that a text can be like it.
      for (const one of triple === undefined ? [signature] : [signature, textSignature(kernel, statement)]) {
        signatures.push(one)
        weights.push(episodes.size)
      }
      if (signatures.length % 16 === 0) await this.#breathe()
    }
    return signatures.length === 0 ? undefined : kernel.bundle(signatures, Int32Array.from(weights))
  }

  #atomId(key: string): AtomId {
    return idOf('at_', this.#context.indexes.kernel.fromName(`agidb/atom/${key}`))
  }

  /** Lets others have their turn. */
  async #breathe(): Promise<void> {
    await turn()
    if (!this.#isOpen())
      throw new AgidbError(
        'AGIDB_CLOSED',
        'the database was closed during its consolidation; the next one goes on from there',
      )
  }
}

/** A triple in words. */
export function statementOf({ subject, predicate, object }: Triple): string {
  return `${subject} ${predicate} ${object}`
}
