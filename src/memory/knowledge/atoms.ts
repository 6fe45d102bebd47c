import type { SemanticMethods } from '../../api/methods/knowledge.js'
import type { AtomId, AtomQuery, ConsolidateOptions, ConsolidationReport, SemanticAtom } from '../../api/atom.js'
import type { Caller } from '../../api/caller.js'
import { checkKeys, checkName, checkText, checkWhole, invalid, checkSignal } from '../../api/check.js'
import type { FoundAtom } from '../../api/recall.js'
import { toIso, toMillis } from '../../api/time.js'
import { AtomTable, type Formed, isAtomEvent } from './projection.js'
import type { LearningEvent } from '../../api/learning.js'
import { conceptKey } from '../../encoding/concept.js'
import type { Consolidation } from './consolidation.js'
import type { SelfVector } from '../self/self-vector.js'
import type { ConflictQuery, Side } from '../conflicts.js'
import type { MemoryContext } from '../context.js'
import { loadOnce } from '../../base/load-once.js'
import { slices } from '../../base/slices.js'
import type { Logged } from '../../records/event-log.js'
import { type ChangedEpisode, ofEvents, type Projection, type Rederived, type Service } from '../projection.js'
import type { LastingStatements } from './lasting-statements.js'
import type { rederive } from './rederive.js'
import type { ItemQuery, ItemIndex, IndexedItem } from '../item-index.js'
import type { SimilarTexts } from './similar-texts.js'
import { liveOf, overlap, provenanceOfAll, stands, supportOf, type Support } from './support.js'
import { greatest } from '../../base/extremes.js'

/** Atoms that one call lists, at most. */
const MAX_LISTED = 10_000
/** Atoms that one call lists, by default. */
const DEFAULT_LIMIT = 100
/** Found ones that are looked at, of which some do not fit. */
const FOUND = 1_000
const PREDICATES = 10_000

/** When atoms are asked for, epoch milliseconds. */
interface Times {
  /** When it must be true; absent: at any time. */
  readonly valid?: number
  /** By when it must be known. */
  readonly known?: number
}

/** What works on atoms now and then. It is large, so it is loaded when it is first needed. */
export interface AtomParts {
  readonly forgetting: () => Promise<{ readonly rederiveAtoms: typeof rederive }>
  readonly consolidation: () => Promise<{
    readonly Consolidation: typeof Consolidation
    readonly LastingStatements: typeof LastingStatements
    readonly SimilarTexts: typeof SimilarTexts
  }>
}

/** What is read of the texts of episodes to form atoms. */
interface TextTables {
  readonly texts: SimilarTexts
  readonly lasting: LastingStatements
}

/** What episodes say alike (floor 4). */
export class Atoms implements Projection, Service {
  readonly projections = [ofEvents(this)]
  readonly #context: MemoryContext
  readonly #selfVector: SelfVector
  readonly #parts: AtomParts
  readonly #table: AtomTable
  readonly #tables: () => Promise<TextTables>
  /** Absent before anything was read. */
  #made: TextTables | undefined
  readonly #itemIndex: ItemIndex
  /** How often the table was made anew when the index had the order of it. */
  #ordered = 0
  /** The run that is under way, or was. */
  #run: Promise<unknown> = Promise.resolve()
  #open = true

  constructor(context: MemoryContext, selfVector: SelfVector, parts: AtomParts) {
    this.#context = context
    this.#parts = parts
    this.#selfVector = selfVector
    this.#table = new AtomTable(() => context.log.all())
    this.#tables = loadOnce(async () => {
      const { LastingStatements, SimilarTexts } = await parts.consolidation()
      return (this.#made = { texts: new SimilarTexts(context), lasting: new LastingStatements(context) })
    })
    this.#itemIndex = context.itemIndex((id) => this.#describe(id))
    context.indexes.catalog.watch((episode) => {
      for (const id of this.#table.of(episode)) this.#itemIndex.touch(id)
    })
  }

  apply(event: LearningEvent, slot: number): void {
    const changed = this.#table.apply(event, slot)
    if (changed !== undefined) this.#itemIndex.touch(changed)
  }

  /** Replays the events of atoms that are left. */
  retract(events: readonly LearningEvent[]): void {
    if (events.some(isAtomEvent)) this.#table.invalidate()
  }

  /** See `Service.rederive`: the runs are replayed over the episodes that are there. */
  async rederive(changed: readonly ChangedEpisode[]): Promise<Rederived> {
    // Without a run there is nothing to replay; what was read of the episodes is not theirs any more all the same.
    if (this.#table.upTo < 0) {
      const slots = changed.map(({ slot }) => slot)
      this.#made?.texts.doubt(slots)
      this.#made?.lasting.doubt(slots)
      return { gone: [], made: [] }
    }
    const { rederiveAtoms } = await this.#parts.forgetting()
    const { texts, lasting } = await this.#tables()
    return rederiveAtoms(this.#context, this.#table, texts, lasting, this.#selfVector, changed, slices())
  }

  /** Leaves out the runs that saw none of the episodes that are there. */
  told(events: readonly Logged[]): ReadonlyMap<LearningEvent, undefined> {
    const idle = events.flatMap(({ event }) => (event.kind === 'consolidationRun' && event.isIdle ? [event] : []))
    return new Map(idle.map((event) => [event, undefined]))
  }

  /** Bytes of memory beside the kernel's and the log of events, about. */
  get bytes(): number {
    const { texts, lasting } = this.#made ?? {}
    return this.#table.bytes + (texts?.bytes ?? 0) + (lasting?.bytes ?? 0) + this.#itemIndex.bytes
  }

  free(): void {
    this.#open = false
    this.#itemIndex.free()
  }

  /** Atoms that an episode says. */
  get size(): number {
    let size = 0
    for (const atom of this.#table.all()) if (stands(this.#context.indexes.catalog, atom)) size++
    return size
  }

  /** The atoms that an episode says. */
  *standing(): Generator<Formed> {
    for (const atom of this.#table.all()) if (stands(this.#context.indexes.catalog, atom)) yield atom
  }

  /** The atoms that an episode says, with how many do. */
  supported(): { readonly id: AtomId; readonly statement: string; readonly support: number }[] {
    const { catalog } = this.#context.indexes
    return Array.from(this.standing(), (atom) => ({
      id: atom.id,
      statement: atom.statement,
      support: liveOf(catalog, atom),
    }))
  }

  /** Whether at least so many episodes came since the last consolidation. */
  isWaiting(atLeast: number): boolean {
    let count = 0
    for (const _ of this.#context.indexes.catalog.slots(this.#table.upTo + 1)) if (++count === atLeast) return true
    return false
  }

  /** The public methods of semantic atoms on behalf of a caller. */
  methods(caller: Caller): SemanticMethods {
    return {
      consolidate: (options) => this.consolidate(options, caller),
      semanticAtoms: (query) => this.query(query),
    }
  }

  /**
   * @throws AgidbError as `SemanticMethods.consolidate` does; `AGIDB_INVALID_ARGUMENT` and `AGIDB_UNKNOWN_OPTION` on
   * wrong options.
   */
  consolidate(options: ConsolidateOptions = {}, caller: Caller): Promise<ConsolidationReport> {
    this.#checkConsolidate(options)
    const run = this.#run.then(async () => {
      const { Consolidation } = await this.#parts.consolidation()
      const { texts, lasting } = await this.#tables()
      return new Consolidation(
        this.#context,
        this.#table,
        texts,
        lasting,
        this.#selfVector,
        options,
        caller,
        () => this.#open,
      ).run()
    })
    this.#run = run.catch(() => {})
    return run
  }

  /** @throws AgidbError with the code of what is wrong with the query. */
  async query(query: AtomQuery = {}): Promise<SemanticAtom[]> {
    const { limits, clock } = this.#context
    checkKeys('semanticAtoms', query, ['cue', 'concept', 'minSupport', 'validAsOf', 'transactionAsOf', 'limit'])
    const { cue, concept, minSupport = 1, limit = DEFAULT_LIMIT } = query
    if (cue !== undefined) checkText('cue', cue, limits, 'cueBytes')
    checkName('concept', concept, limits)
    checkWhole('minSupport', minSupport, 1, Number.MAX_SAFE_INTEGER)
    checkWhole('limit', limit, 1, MAX_LISTED)
    const validAsOf = query.validAsOf === undefined ? undefined : toMillis(query.validAsOf, 'validAsOf')
    const transactionAsOf =
      query.transactionAsOf === undefined ? undefined : toMillis(query.transactionAsOf, 'transactionAsOf')
    const now = clock()
    const key = concept === undefined ? undefined : conceptKey(concept)
    const fits = (atom: SemanticAtom) => atom.support >= minSupport && (key === undefined || isAbout(atom, key))
    if (cue === undefined) {
      const times = { valid: validAsOf, known: transactionAsOf, now }
      const all = [...this.#table.all()].map((atom) => this.#see(atom, times)).filter((atom) => atom !== undefined)
      return all.filter(fits).sort(bySupport).slice(0, limit)
    }
    const found = await this.#find(cue, { k: FOUND, now, validAsOf, transactionAsOf })
    return found
      .map(({ relevance: _, ...atom }) => atom)
      .filter(fits)
      .slice(0, limit)
  }

  /** Pairs of atoms that were found to contradict each other and are both true at a time. */
  conflicts({ about, at, limit }: ConflictQuery): [Side, Side][] {
    const times = { valid: at, now: this.#context.clock() }
    const pairs: [Side, Side][] = []
    const isAsked = (atom: SemanticAtom) => about === undefined || about.some((key) => isAbout(atom, key))
    for (const formed of this.#table.all()) {
      const one = this.#see(formed, times)
      for (const id of one?.contradictedBy ?? []) {
        const other = formed.id < id ? this.#see(this.#table.get(id)!, times) : undefined
        if (other !== undefined && (isAsked(one!) || isAsked(other))) pairs.push([sideOf(one!), sideOf(other)])
        if (pairs.length === limit) return pairs
      }
    }
    return pairs
  }

  /** The atoms that bear on a cue, best first. */
  async bearingOn(cue: string, asking: ItemQuery): Promise<FoundAtom[]> {
    return this.#find(cue, asking)
  }

  async #find(cue: string, asking: ItemQuery): Promise<FoundAtom[]> {
    if (this.#table.size === 0) return []
    if (this.#ordered !== this.#table.rebuilt) {
      this.#ordered = this.#table.rebuilt
      this.#itemIndex.retain(Array.from(this.#table.all(), ({ id }) => id))
    }
    const times = { valid: asking.validAsOf, known: asking.transactionAsOf, now: asking.now }
    const found: FoundAtom[] = []
    for (const { id, relevance, bears } of await this.#itemIndex.find(cue, asking)) {
      const formed = bears ? this.#table.get(id) : undefined
      const atom = formed && this.#see(formed, times)
      if (atom !== undefined) found.push({ ...atom, relevance })
    }
    return found
  }

  /** An atom as it is seen at these times, if it is. */
  #see(atom: Formed, times: Times & { readonly now: number }): SemanticAtom | undefined {
    const support = this.#support(atom, times.known)
    if (support === undefined) return undefined
    const { validFrom, validTo, slots } = support
    if (times.valid === undefined ? validTo <= times.now : times.valid < validFrom || validTo <= times.valid)
      return undefined
    const against = this.#against(atom, support, times.known)
    const opposed = against.reduce((sum, [, { slots }]) => sum + slots.length, 0)
    const { catalog } = this.#context.indexes
    return {
      id: atom.id,
      statement: atom.statement,
      ...(atom.triple && { triple: { ...atom.triple } }),
      support: slots.length,
      confidence: (1 + slots.length) / (2 + slots.length + opposed),
      contradictedBy: against.map(([id]) => id),
      validFrom: toIso(validFrom),
      ...(validTo < Infinity && { validTo: toIso(validTo) }),
      recordedAt: atom.formedAt,
      provenance: provenanceOfAll(catalog, slots),
    }
  }

  /** What contradicts an atom, as it was known at a time, and is true at a time at which that is. */
  #against(atom: Formed, support: Support, known = Infinity): [AtomId, Support][] {
    const against: [AtomId, Support][] = []
    for (const [id, at] of this.#table.against(atom.id)) {
      const other = at <= known ? this.#table.get(id) : undefined
      const others = other && this.#support(other, known)
      if (others !== undefined && overlap(support, others)) against.push([id, others])
    }
    return against.sort(([a], [b]) => (a < b ? -1 : 1))
  }

  #support(atom: Formed, known = Infinity): Support | undefined {
    return Date.parse(atom.formedAt) > known ? undefined : supportOf(this.#context.indexes.catalog, atom, known)
  }

  #describe(id: AtomId): IndexedItem | undefined {
    const atom = this.#table.get(id)
    const support = atom && this.#support(atom)
    if (support === undefined) return undefined
    const { statement, triple, formedAt } = atom!
    const { catalog } = this.#context.indexes
    const { slots, validFrom, validTo } = support
    const ended = validTo < Infinity && {
      at: toIso(validTo),
      recordedAt: toIso(greatest(slots.map((slot) => catalog.endKnownAt(slot)))),
    }
    return {
      id,
      text: statement,
      ...(triple && { triples: [triple] }),
      at: toIso(validFrom),
      recordedAt: formedAt,
      ...(ended && { ended }),
    }
  }

  #checkConsolidate(options: ConsolidateOptions): void {
    checkKeys('consolidate', options, ['minSupport', 'functionalPredicates', 'onProgress', 'signal'])
    const { minSupport, functionalPredicates, onProgress, signal } = options
    if (minSupport !== undefined) checkWhole('minSupport', minSupport, 2, Number.MAX_SAFE_INTEGER)
    if (functionalPredicates !== undefined) {
      if (!Array.isArray(functionalPredicates) || functionalPredicates.length > PREDICATES) {
        throw invalid(`functionalPredicates must be an array of at most ${PREDICATES} strings`, {
          option: 'functionalPredicates',
        })
      }
      for (const [i, predicate] of functionalPredicates.entries()) {
        if (predicate === undefined)
          throw invalid(`functionalPredicates[${i}] must be a string, not undefined`, {
            option: 'functionalPredicates',
          })
        checkName(`functionalPredicates[${i}]`, predicate, this.#context.limits)
      }
    }
    if (onProgress !== undefined && typeof onProgress !== 'function') {
      throw invalid('onProgress must be a function that takes { done, total }', { option: 'onProgress' })
    }
    checkSignal(signal)
  }
}

function isAbout({ triple }: SemanticAtom, key: string): boolean {
  return triple !== undefined && (conceptKey(triple.subject) === key || conceptKey(triple.object) === key)
}

function sideOf({ id, statement, triple, confidence, validFrom, validTo }: SemanticAtom): Side {
  const predicate = triple?.predicate
  return { id, statement, predicate, confidence, validFrom, ...(validTo !== undefined && { validTo }) }
}

/** The best supported first; of those alike, the oldest. */
function bySupport(a: SemanticAtom, b: SemanticAtom): number {
  if (a.support !== b.support) return b.support - a.support
  if (a.validFrom !== b.validFrom) return a.validFrom < b.validFrom ? -1 : 1
  return a.id < b.id ? -1 : 1
}
