import type { Caller } from '../../api/caller.js'
import type { AtomId, ConsolidateOptions, ConsolidationReport, Contradiction } from '../../api/atom.js'
import { checkSignal } from '../../api/check.js'
import { toIso } from '../../api/time.js'
import { stopwatch } from '../../base/clock.js'
import { AgidbError } from '../../base/errors.js'
import { turn } from '../../base/event-loop-turn.js'
import { Relations } from '../relations.js'
import type { SelfVector } from '../self/self-vector.js'
import type { MemoryContext } from '../context.js'
import { findContradictions } from './contradictions.js'
import { EPISODES_PER_BATCH, MIN_SUPPORT, StatementFinder } from './finder.js'
import type { LastingStatements } from './lasting-statements.js'
import type { AtomTable } from './projection.js'
import { bundleOf, outcomeOf } from './run-outcome.js'
import type { SimilarTexts } from './similar-texts.js'

export { LastingStatements } from './lasting-statements.js'
export { SimilarTexts } from './similar-texts.js'

/** A batch that is durable. */
interface Looked {
  readonly slots: readonly number[]
  readonly upTo: number
  readonly at: string
}

/** One run of `consolidate`. */
export class Consolidation {
  readonly #context: MemoryContext
  readonly #atoms: AtomTable
  readonly #selfVector: SelfVector
  readonly #options: ConsolidateOptions
  readonly #caller: Caller
  readonly #minSupport: number
  readonly #texts: SimilarTexts
  readonly #lasting: LastingStatements
  readonly #finder: StatementFinder
  readonly #isOpen: () => boolean
  readonly #formed = new Set<AtomId>()
  readonly #revised = new Set<AtomId>()
  readonly #looked: Looked[] = []

  constructor(
    context: MemoryContext,
    atoms: AtomTable,
    texts: SimilarTexts,
    lasting: LastingStatements,
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
    this.#finder = new StatementFinder(context, atoms, texts, lasting, () => this.#breathe())
    this.#texts = texts
    this.#lasting = lasting
    this.#isOpen = isOpen
  }

  async run(): Promise<ConsolidationReport> {
    const started = stopwatch()
    await this.#context.loaded()
    await this.#context.extracted()
    checkSignal(this.#options.signal)
    const { catalog } = this.#context.indexes
    const slots = [...catalog.slots(this.#atoms.upTo + 1)]
    for (const read of slots.length > 0 ? [this.#texts, this.#lasting] : [])
      await read.readThrough(slots[0] - 1, () => this.#breathe())
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
    const { episodes, contradictions, drift } = await this.#finish()
    return {
      episodes,
      atomsFormed: [...this.#formed],
      atomsRevised: [...this.#revised],
      contradictions,
      drift,
      elapsedMs: stopwatch() - started,
    }
  }

  /** Finds what the episodes of one batch say, and learns it. */
  async #look(slots: readonly number[]): Promise<void> {
    const last = slots[slots.length - 1]
    // What the atoms are is read before the turn in which it is learned, and may have changed by then.
    const before = this.#atoms.rebuilt
    const look = () => this.#finder.look(slots, this.#minSupport)
    const batch = await look()
    await this.#context.learn(this.#caller, async (now) => {
      const events = (before === this.#atoms.rebuilt ? batch : await look()).events(last)
      return {
        events,
        result: () => {
          this.#looked.push({ slots, upTo: last, at: toIso(now) })
          for (const { kind, atom } of events) {
            if (kind === 'semanticAtomFormed') this.#formed.add(atom)
            else if (!this.#formed.has(atom)) this.#revised.add(atom)
          }
        },
      }
    })
  }

  /** Contradictions, the self-vector, and that there was a run. */
  async #finish(): Promise<{
    readonly episodes: number
    readonly contradictions: readonly Contradiction[]
    readonly drift: number
  }> {
    const before = this.#atoms.rebuilt
    const found = await this.#found()
    return this.#context.learn(this.#caller, async () => {
      const { contradictions, changed, bundle } = before === this.#atoms.rebuilt ? found : await this.#found()
      const live = this.#live()
      if (live.length + contradictions.length + changed.length === 0)
        return { events: [], result: () => ({ episodes: 0, contradictions: [], drift: 0 }) }
      const through = live.at(-1)
      const outcome = outcomeOf(this.#context, this.#selfVector, contradictions, changed, bundle, {
        episodes: live.length,
        through: through === undefined ? undefined : this.#context.indexes.catalog.id(through),
        upTo: this.#looked.at(-1)?.upTo ?? this.#atoms.upTo,
        atomsFormed: this.#formed.size,
        atomsRevised: this.#revised.size,
        batches: this.#looked.map(({ upTo, at }) => ({ upTo, at })),
        decays: this.#lastSlot,
        options: this.#options,
      })
      return { ...outcome, result: () => ({ episodes: live.length, contradictions, drift: outcome.drift }) }
    })
  }

  /** The contradictions between atoms, the atoms that changed, and the bundle of these. */
  async #found() {
    const { indexes } = this.#context
    const breathe = () => this.#breathe()
    const relations = new Relations(indexes, this.#options.functionalPredicates)
    const contradictions = await findContradictions(indexes.catalog, this.#atoms, relations, breathe)
    const { changed } = this.#atoms
    const bundle = changed.length === 0 ? undefined : await bundleOf(this.#context, this.#atoms, changed, breathe)
    return { contradictions, changed, bundle }
  }

  /** The slot of the last episode or event that there is. */
  get #lastSlot(): number {
    const { indexes, log } = this.#context
    return Math.max(indexes.catalog.newest(1)[0] ?? -1, log.all().at(-1)?.slot ?? -1)
  }

  /** The slots of the episodes that were looked at and are there. */
  #live(): number[] {
    const { catalog } = this.#context.indexes
    return this.#looked.flatMap(({ slots }) => slots.filter((slot) => catalog.has(slot)))
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
