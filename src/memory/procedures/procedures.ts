import type { ProcedureMethods } from '../../api/methods/procedures.js'
import type { Caller } from '../../api/caller.js'
import type { LearningEvent } from '../../api/learning.js'
import { checkChoice, checkId, checkKeys, checkText, checkWhole } from '../../api/check.js'
import type { EpisodeId } from '../../api/episode.js'
import { loadOnce, ofLoaded } from '../../base/load-once.js'
import type { ProcedureChanges } from './changes.js'
import type { FoundProcedure, Procedure, ProcedureId, ProcedureQuery } from '../../api/procedure.js'
import type { RecalledProcedure } from '../../api/recall.js'
import { toMillis } from '../../api/time.js'
import { isProcedureEvent, type LearnedProcedure, ProcedureTable, strengthOf } from './projection.js'
import type { Logged } from '../../records/event-log.js'
import { goneFrom } from '../evidence.js'
import type { MemoryContext } from '../context.js'
import type { ItemQuery } from '../item-index.js'
import { type FillsPeriods, PeriodIndex, Periods } from '../periods.js'
import { type IsGone, ofEvents, type Projection, type Service } from '../projection.js'
import { evidenceOf, proceduresWithout } from './without.js'

const FOUND = 10
const MOST_FOUND = 1_000
const STATES: readonly NonNullable<ProcedureQuery['state']>[] = ['active', 'retired', 'all']

/** What learns and changes procedures. It is large, so it is loaded when it is first needed. */
export interface ProcedureParts {
  readonly procedures: () => Promise<{ readonly ProcedureChanges: typeof ProcedureChanges }>
}

/** How to do things (floor 5). */
export class Procedures implements Projection, Service {
  readonly projections = [ofEvents(this)]
  readonly #context: MemoryContext
  #table = new ProcedureTable()
  /** Of each procedure, while it was in use. */
  readonly #periods: PeriodIndex
  readonly #changes: () => Promise<ProcedureChanges>
  /** The episodes from which any was learned. */
  readonly #evidence = new Set<EpisodeId>()
  /** Whether the events are to be replayed before anything is read: episodes came or went, or events went. */
  #isStale = false

  constructor(context: MemoryContext, parts: ProcedureParts) {
    this.#context = context
    this.#changes = loadOnce(async () => {
      const { ProcedureChanges } = await parts.procedures()
      const shown = (procedure: LearnedProcedure) => this.#shown(procedure)
      return new ProcedureChanges({ context, current: () => this.#current, shown })
    })
    this.#periods = new PeriodIndex(context)
    context.indexes.catalog.watch((episode) => {
      if (this.#evidence.has(episode)) this.#isStale = true
    })
  }

  apply(event: LearningEvent, slot: number): void {
    const evidence = evidenceOf(event)
    for (const id of evidence) this.#evidence.add(id)
    const isGone = goneFrom(this.#context.indexes.catalog)
    // Whether it is there at all, its later events say as well.
    if (evidence.some((id) => isGone(id, slot))) this.#isStale = true
    else if (!this.#isStale) applyTo(this.#table, this.#periods, event)
  }

  /** Replays the events of procedures that are left. */
  retract(events: readonly LearningEvent[]): void {
    if (events.some(isProcedureEvent)) this.#isStale = true
  }

  without(events: readonly Logged[], isGone: IsGone): ReadonlyMap<LearningEvent, LearningEvent | undefined> {
    return proceduresWithout(events, isGone)
  }

  get size(): number {
    return this.#current.size
  }

  /** Bytes of memory beside the kernel's and the log of events, about. */
  get bytes(): number {
    return this.#current.bytes + this.#periods.bytes
  }

  free(): void {
    this.#periods.free()
  }

  /** The public methods of procedures on behalf of a caller. */
  methods(caller: Caller): ProcedureMethods {
    return {
      learnProcedure: ofLoaded(this.#changes, (changes, procedure) => changes.learn(procedure, caller)),
      proceduresFor: (cue, options) => this.for(cue, options),
      recordExecution: ofLoaded(this.#changes, (changes, id, outcome) => changes.record(id, outcome, caller)),
      procedures: (query) => this.list(query),
      reviseProcedure: ofLoaded(this.#changes, (changes, id, patch) => changes.revise(id, patch, caller)),
      retireProcedure: ofLoaded(this.#changes, (changes, id, reason) => changes.retire(id, reason, caller)),
      getProcedure: (id) => this.get(id),
    }
  }

  /**
   * Those that bear on a cue. In order of relevance × strength: how likely it is that one is meant and works.
   *
   * @throws AgidbError with the code of what is wrong.
   */
  async for(cue: string, options?: { readonly k?: number }): Promise<FoundProcedure[]> {
    const { limits, clock } = this.#context
    checkText('cue', cue, limits, 'cueBytes')
    checkKeys('options', options, ['k'])
    const { k = FOUND } = options ?? {}
    checkWhole('k', k, 1, MOST_FOUND)
    const found = await this.#find(cue, { k, now: clock() })
    return found.map(({ relevance, ...procedure }) => ({ ...procedure, confidence: relevance }))
  }

  /**
   * The procedures that bear on a cue, of those that were in use at the time asked about, as they were then; in the
   * order of {@link for}.
   */
  async bearingOn(cue: string, asking: ItemQuery): Promise<RecalledProcedure[]> {
    return this.#find(cue, asking)
  }

  /** @throws AgidbError with the code of what is wrong with the query. */
  async list(query?: ProcedureQuery): Promise<Procedure[]> {
    checkKeys('query', query, ['state', 'asOf'])
    const { state = 'active', asOf } = query ?? {}
    checkChoice('state', state, STATES)
    const time = asOf === undefined ? Infinity : toMillis(asOf, 'asOf')
    const isWanted = ({ retired }: LearnedProcedure) =>
      state === 'all' || (state === 'retired') === (retired !== undefined)
    return this.#current
      .at(time)
      .filter(isWanted)
      .map((procedure) => this.#shown(procedure))
  }

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` when the id is none. */
  async get(id: ProcedureId): Promise<Procedure | undefined> {
    checkId('id', id, this.#context.limits)
    const procedure = this.#current.get(id)
    return procedure && this.#shown(procedure)
  }

  /** The procedures as the episodes that are there now leave them. */
  get #current(): ProcedureTable {
    if (this.#isStale) this.#replay()
    return this.#table
  }

  #replay(): void {
    this.#isStale = false
    const all = this.#context.log.all()
    const instead = proceduresWithout(all, goneFrom(this.#context.indexes.catalog))
    const table = new ProcedureTable()
    const periods = new Periods()
    for (const { event } of all) {
      const told = instead.has(event) ? instead.get(event) : event
      if (told !== undefined) applyTo(table, periods, told)
    }
    this.#table = table
    this.#periods.replace(periods)
  }

  /** Those that bear on a cue at a time, at most `k`: see {@link for}. */
  async #find(cue: string, asking: ItemQuery): Promise<RecalledProcedure[]> {
    if (this.#current.size === 0) return []
    const { validAsOf = Infinity, transactionAsOf = Infinity } = asking
    // A procedure is true from the moment at which it is known, so its two times are one.
    const time = Math.min(validAsOf, transactionAsOf)
    const found = new Map<ProcedureId, { procedure: LearnedProcedure; relevance: number; rank: number }>()
    const k = Math.min(this.#periods.size, MOST_FOUND)
    for (const { owner: id, relevance, bears } of await this.#periods.find(cue, { ...asking, k })) {
      const procedure = this.#current.asOf(id, time)
      if (!bears || found.has(id) || procedure === undefined || procedure.retired !== undefined) continue
      found.set(id, { procedure, relevance, rank: relevance * strengthOf(procedure) })
    }
    // One may have very many executions: only those that are answered are copied.
    const best = [...found.values()].sort((a, b) => b.rank - a.rank).slice(0, asking.k)
    return best.map(({ procedure, relevance }) => ({ ...this.#shown(procedure), relevance }))
  }

  /** As callers see it: a copy, with how well it works. */
  #shown(procedure: LearnedProcedure): Procedure {
    return { ...structuredClone(procedure), strength: strengthOf(procedure) }
  }
}

/** Takes an event into the table of procedures, and into the periods in which each was in use and said one thing. */
function applyTo(table: ProcedureTable, periods: FillsPeriods, event: LearningEvent): void {
  const id = table.apply(event)
  // An execution changes nothing of what a procedure is found by.
  if (id === undefined || event.kind === 'procedureExecuted') return
  const { name, trigger, steps, retired } = table.get(id)!
  const saying = { text: [trigger, name, ...steps].join('\n'), phrases: [trigger, name] }
  periods.say(id, retired === undefined ? saying : undefined, event.at)
}
