import type { ProcedureMethods } from '../../api/methods/procedures.js'
import type { Caller } from '../../api/caller.js'
import type { LearningEvent } from '../../api/learning.js'
import {
  checkChoice,
  checkId,
  checkKeys,
  checkList,
  checkName,
  checkText,
  checkWhole,
  invalid,
} from '../../api/check.js'
import type { EpisodeId } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'
import type {
  Execution,
  ExecutionOutcome,
  FoundProcedure,
  NewProcedure,
  Procedure,
  ProcedureChanges,
  ProcedureId,
  ProcedurePatch,
  ProcedureQuery,
} from '../../api/procedure.js'
import type { RecalledProcedure } from '../../api/recall.js'
import { toIso, toMillis } from '../../api/time.js'
import { isProcedureEvent, type LearnedProcedure, ProcedureTable, strengthOf } from './projection.js'
import type { Logged, NewEvent } from '../../records/event-log.js'
import { checkEvidence, expectEvidence, goneFrom } from '../evidence.js'
import type { MemoryContext } from '../context.js'
import type { ItemQuery } from '../item-index.js'
import { type FillsPeriods, PeriodIndex, Periods } from '../periods.js'
import { type IsGone, ofEvents, type Projection, type Service } from '../projection.js'
import { evidenceOf, proceduresWithout } from './without.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'

const FOUND = 10
const MOST_FOUND = 1_000
const STATES: readonly NonNullable<ProcedureQuery['state']>[] = ['active', 'retired', 'all']

/** How to do things (floor 5). */
export class Procedures implements Projection, Service {
  readonly projections = [ofEvents(this)]
  readonly #context: MemoryContext
  #table = new ProcedureTable()
  /** Of each procedure, while it was in use. */
  readonly #periods: PeriodIndex
  /** The episodes from which any was learned. */
  readonly #evidence = new Set<EpisodeId>()
  /** Whether the events are to be replayed before anything is read: episodes came or went, or events went. */
  #isStale = false

  constructor(context: MemoryContext) {
    this.#context = context
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

  /** The public methods of procedures in the name of a caller. */
  methods(caller: Caller): ProcedureMethods {
    return {
      learnProcedure: (procedure) => this.learn(procedure, caller),
      proceduresFor: (cue, options) => this.for(cue, options),
      recordExecution: (id, outcome) => this.record(id, outcome, caller),
      procedures: (query) => this.list(query),
      reviseProcedure: (id, patch) => this.revise(id, patch, caller),
      retireProcedure: (id, reason) => this.retire(id, reason, caller),
      getProcedure: (id) => this.get(id),
    }
  }

  /**
   * @throws AgidbError `AGIDB_DUPLICATE_ID`; `AGIDB_NOT_FOUND` when evidence is missing; the code of what else is
   * wrong.
   */
  async learn(procedure: NewProcedure, caller: Caller): Promise<ProcedureId> {
    this.#check(procedure)
    const { name, trigger, session, source } = procedure
    const steps = [...procedure.steps]
    const preconditions = [...(procedure.preconditions ?? [])]
    const episodes = checkEvidence('procedure.evidence', procedure.evidence, this.#context.limits)
    return this.#context.learn(caller, (now) => {
      this.#checkFree(name)
      expectEvidence(this.#context.indexes.catalog, episodes)
      const id = this.#context.makeId('pr_', now, (id) => this.#current.get(id) !== undefined)
      const provenance = {
        ...(source !== undefined && { source }),
        ...(session !== undefined && { session }),
        writer: caller.writer,
        episodes,
      }
      return {
        events: [{ kind: 'procedureLearned', procedure: id, name, trigger, steps, preconditions, provenance }],
        answer: id,
        result: () => id,
      }
    })
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
    const found = await this.#find(cue, { k: MOST_FOUND, now: clock() })
    return found.slice(0, k).map(({ relevance, ...procedure }) => ({ ...procedure, confidence: relevance }))
  }

  /**
   * The procedures that bear on a cue, of those that were in use at the time asked about, as they were then; in the
   * order of {@link for}.
   */
  async bearingOn(cue: string, asking: ItemQuery): Promise<RecalledProcedure[]> {
    return (await this.#find(cue, asking)).slice(0, asking.k)
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

  /**
   * @throws AgidbError `AGIDB_NOT_FOUND`, `AGIDB_DUPLICATE_ID`, `AGIDB_PROCEDURE_RETIRED`; the code of what else is
   * wrong.
   */
  async revise(id: ProcedureId, patch: ProcedurePatch, caller: Caller): Promise<Procedure> {
    const { limits } = this.#context
    checkId('id', id, limits)
    checkKeys('patch', patch, ['name', 'trigger', 'steps', 'preconditions', 'evidence', 'reason'])
    if (patch === undefined)
      throw invalid('patch is undefined; expected an object with what is to change', { what: 'patch' })
    const { name, trigger, reason } = patch
    this.#checkSaid('patch', patch)
    if (reason !== undefined) checkText('patch.reason', reason, limits, FIELD_LIMITS.procedure.reason)
    const said: ProcedureChanges = {
      ...(name !== undefined && { name }),
      ...(trigger !== undefined && { trigger }),
      ...(patch.steps !== undefined && { steps: [...patch.steps] }),
      ...(patch.preconditions !== undefined && { preconditions: [...patch.preconditions] }),
    }
    const given = checkEvidence('patch.evidence', patch.evidence, limits)
    return this.#change(caller, id, (procedure) => {
      const changes = differences(procedure, said)
      const evidence = given.filter((episode) => !procedure.provenance.episodes.includes(episode))
      expectEvidence(this.#context.indexes.catalog, evidence)
      if (changes.name !== undefined) this.#checkFree(changes.name, id)
      if (Object.keys(changes).length === 0 && evidence.length === 0) return []
      return [{ kind: 'procedureRevised', procedure: id, changes, evidence, ...(reason !== undefined && { reason }) }]
    })
  }

  /** @throws AgidbError `AGIDB_NOT_FOUND`, `AGIDB_PROCEDURE_RETIRED`; the code of what else is wrong. */
  async retire(id: ProcedureId, reason: string, caller: Caller): Promise<Procedure> {
    const { limits } = this.#context
    checkId('id', id, limits)
    checkText('reason', reason, limits, FIELD_LIMITS.procedure.reason)
    return this.#change(caller, id, () => [{ kind: 'procedureRetired', procedure: id, reason }])
  }

  /** @throws AgidbError `AGIDB_NOT_FOUND`; the code of what else is wrong. */
  async record(id: ProcedureId, outcome: ExecutionOutcome, caller: Caller): Promise<Procedure> {
    const { limits } = this.#context
    checkId('id', id, limits)
    checkKeys('outcome', outcome, ['success', 'trace', 'note', 'at'])
    if (outcome === undefined) throw invalid('outcome is undefined; expected { success, … }', { what: 'outcome' })
    const { success, note, at } = outcome
    if (typeof success !== 'boolean')
      throw invalid('outcome.success must be true or false', { what: 'outcome.success' })
    if (outcome.trace !== undefined) this.#checkLines('outcome.trace', outcome.trace)
    if (note !== undefined) checkText('outcome.note', note, limits, FIELD_LIMITS.procedure.note)
    const time = at === undefined ? undefined : toMillis(at, 'outcome.at')
    const trace = [...(outcome.trace ?? [])]
    return this.#change(caller, id, (_, now) => {
      const execution: Execution = {
        id: this.#context.makeId('ex_', now, (id) => this.#current.hasExecution(id)),
        success,
        trace,
        ...(note !== undefined && { note }),
        at: toIso(time ?? now),
        recordedAt: toIso(now),
      }
      return [{ kind: 'procedureExecuted', procedure: id, execution }]
    })
  }

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` when the id is none. */
  async get(id: ProcedureId): Promise<Procedure | undefined> {
    checkId('id', id, this.#context.limits)
    const procedure = this.#current.get(id)
    return procedure && this.#shown(procedure)
  }

  /** Learns what `draft` makes of a procedure that is in use, and answers the procedure as it is then. */
  #change(
    caller: Caller,
    id: ProcedureId,
    draft: (procedure: LearnedProcedure, now: number) => NewEvent[],
  ): Promise<Procedure> {
    return this.#context.learn(caller, (now) => {
      const procedure = this.#current.get(id)
      if (procedure === undefined)
        throw new AgidbError('AGIDB_NOT_FOUND', `there is no procedure with the id ${JSON.stringify(id)}`, { id })
      if (procedure.retired !== undefined) {
        const { at, reason } = procedure.retired
        throw new AgidbError(
          'AGIDB_PROCEDURE_RETIRED',
          `the procedure ${JSON.stringify(id)} was retired at ${at}: ${reason}; learn it anew to use it again`,
          { id, at },
        )
      }
      return { events: draft(procedure, now), result: () => this.#shown(this.#current.get(id)!) }
    })
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

  /** Those that bear on a cue at a time: see {@link for}. */
  async #find(cue: string, asking: ItemQuery): Promise<RecalledProcedure[]> {
    if (this.#current.size === 0) return []
    const { validAsOf = Infinity, transactionAsOf = Infinity } = asking
    // A procedure is true from the moment at which it is known, so its two times are one.
    const time = Math.min(validAsOf, transactionAsOf)
    const found = new Map<ProcedureId, RecalledProcedure>()
    const k = Math.min(this.#periods.size, MOST_FOUND)
    for (const { owner: id, relevance, bears } of await this.#periods.find(cue, { ...asking, k })) {
      const procedure = this.#current.asOf(id, time)
      if (!bears || found.has(id) || procedure === undefined || procedure.retired !== undefined) continue
      found.set(id, { ...this.#shown(procedure), relevance })
    }
    return [...found.values()].sort((a, b) => b.relevance * b.strength - a.relevance * a.strength)
  }

  /** @throws AgidbError `AGIDB_DUPLICATE_ID` if another procedure in use has this name. */
  #checkFree(name: string, own?: ProcedureId): void {
    const other = this.#current.named(name)
    if (other === undefined || other.id === own) return
    throw new AgidbError(
      'AGIDB_DUPLICATE_ID',
      `there is a procedure named ${JSON.stringify(other.name)} already; choose another name`,
      { name, id: other.id },
    )
  }

  /** As callers see it: a copy, with how well it works. */
  #shown(procedure: LearnedProcedure): Procedure {
    return { ...structuredClone(procedure), strength: strengthOf(procedure) }
  }

  #check(procedure: NewProcedure): void {
    const { limits } = this.#context
    checkKeys('procedure', procedure, ['name', 'trigger', 'steps', 'preconditions', 'evidence', 'session', 'source'])
    if (procedure === undefined)
      throw invalid('procedure is undefined; expected { name, trigger, steps, … }', { what: 'procedure' })
    const { name, trigger, steps, session, source } = procedure
    // A patch may leave these out.
    checkId('procedure.name', name, limits)
    checkText('procedure.trigger', trigger, limits, FIELD_LIMITS.procedure.trigger)
    this.#checkLines('procedure.steps', steps)
    this.#checkSaid('procedure', procedure)
    checkName('procedure.session', session, limits)
    checkName('procedure.source', source, limits)
  }

  /** Checks what is given of what a procedure says. */
  #checkSaid(what: string, { name, trigger, steps, preconditions }: ProcedureChanges): void {
    const { limits } = this.#context
    if (name !== undefined) checkId(`${what}.name`, name, limits)
    if (trigger !== undefined) checkText(`${what}.trigger`, trigger, limits, FIELD_LIMITS.procedure.trigger)
    if (steps !== undefined) this.#checkLines(`${what}.steps`, steps)
    if (steps?.length === 0)
      throw invalid(`${what}.steps is empty; a procedure has at least one step`, { what: `${what}.steps` })
    if (preconditions !== undefined) this.#checkLines(`${what}.preconditions`, preconditions)
  }

  #checkLines(what: string, lines: readonly string[]): void {
    const { limits } = this.#context
    const { steps } = FIELD_LIMITS.procedure
    checkList(what, lines, limits, steps)
    for (const [i, line] of lines.entries()) checkText(`${what}[${i}]`, line, limits, steps.each)
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

/** What of a patch is not so already. */
function differences(procedure: LearnedProcedure, said: ProcedureChanges): ProcedureChanges {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return Object.fromEntries(
    Object.entries(said).filter(([key, value]) => !same(value, procedure[key as keyof ProcedureChanges])),
  )
}
