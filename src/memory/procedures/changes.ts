import type { Caller } from '../../api/caller.js'
import { checkId, checkKeys, checkList, checkName, checkText, invalid } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type {
  Execution,
  ExecutionOutcome,
  NewProcedure,
  Procedure,
  ProcedureChanges as Said,
  ProcedureId,
  ProcedurePatch,
} from '../../api/procedure.js'
import { toIso, toMillis } from '../../api/time.js'
import type { NewEvent } from '../../records/event-log.js'
import { checkEvidence, expectEvidence } from '../evidence.js'
import type { MemoryContext } from '../context.js'
import type { LearnedProcedure, ProcedureTable } from './projection.js'

/** What changes of procedures have of the floor. */
export interface ProcedureSource {
  readonly context: MemoryContext
  /** The procedures as the episodes that are there now leave them. */
  readonly current: () => ProcedureTable
  /** A procedure as callers see it. */
  readonly shown: (procedure: LearnedProcedure) => Procedure
}

/** Learns and changes procedures. Loaded when it is first needed. */
export class ProcedureChanges {
  readonly #context: MemoryContext
  readonly #source: ProcedureSource

  constructor(source: ProcedureSource) {
    this.#context = source.context
    this.#source = source
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
    const said: Said = {
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

  get #current(): ProcedureTable {
    return this.#source.current()
  }

  #shown(procedure: LearnedProcedure): Procedure {
    return this.#source.shown(procedure)
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
  #checkSaid(what: string, { name, trigger, steps, preconditions }: Said): void {
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

/** What of a patch is not so already. */
function differences(procedure: LearnedProcedure, said: Said): Said {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return Object.fromEntries(Object.entries(said).filter(([key, value]) => !same(value, procedure[key as keyof Said])))
}
