import type { Caller } from '../core/caller.js'
import { checkId, checkKeys, checkList, checkName, checkText, checkWhole, invalid } from '../core/check.js'
import { AgidbError } from '../core/errors.js'
import type { Execution, ExecutionOutcome, FoundProcedure, NewProcedure, Procedure, ProcedureId } from '../core/procedure.js'
import { toIso, toMillis } from '../core/time.js'
import { type LearnedProcedure, ProcedureTable, strengthOf } from '../floors/procedures.js'
import type { Logged } from '../floors/log.js'
import { checkEvidence, expectEvidence } from './evidence.js'
import type { Floor, Setting } from './setting.js'
import type { Shelf } from './shelf.js'
import { FIELD_LIMITS } from '../core/field-limits.js'

const FOUND = 10
const MOST_FOUND = 1_000

/** How to do things (floor 5). */
export class Procedures implements Floor {
  readonly #setting: Setting
  readonly #table = new ProcedureTable()
  readonly #shelf: Shelf

  constructor(setting: Setting) {
    this.#setting = setting
    this.#shelf = setting.shelf((id) => {
      const { trigger, name, steps, recordedAt } = this.#table.get(id)!
      return { id, text: [trigger, name, ...steps].join('\n'), at: recordedAt, recordedAt }
    })
  }

  apply({ event }: Logged): void {
    const id = this.#table.apply(event)
    // An execution changes nothing of what a procedure is found by.
    if (id !== undefined && event.kind === 'procedureLearned') this.#shelf.touch(id)
  }

  get size(): number {
    return this.#table.size
  }

  /** Bytes of memory beside the kernel's and the log of events, about. */
  get bytes(): number {
    return this.#table.bytes + this.#shelf.bytes
  }

  free(): void {
    this.#shelf.free()
  }

  /** @throws AgidbError `AGIDB_DUPLICATE_ID`; `AGIDB_NOT_FOUND` when evidence is missing; the code of what else is wrong. */
  async learn(procedure: NewProcedure, caller: Caller): Promise<ProcedureId> {
    this.#check(procedure)
    const { name, trigger, session, source } = procedure
    const steps = [...procedure.steps]
    const preconditions = [...(procedure.preconditions ?? [])]
    const episodes = checkEvidence('procedure.evidence', procedure.evidence, this.#setting.limits)
    return this.#setting.learn(caller, (now) => {
      const other = this.#table.named(name)
      if (other !== undefined) {
        throw new AgidbError('AGIDB_DUPLICATE_ID', `there is a procedure named ${JSON.stringify(other.name)} already; choose another name`, { name, id: other.id })
      }
      expectEvidence(this.#setting.indexes.catalog, episodes)
      const id = this.#setting.makeId('pr_', now, (id) => this.#table.get(id) !== undefined)
      const provenance = { ...(source !== undefined && { source }), ...(session !== undefined && { session }), writer: caller.writer, episodes }
      return { events: [{ kind: 'procedureLearned', procedure: id, name, trigger, steps, preconditions, provenance }], answer: id, result: () => id }
    })
  }

  /**
   * Those that bear on a cue. In order of relevance × strength: how likely it is that one is meant and works. Those that lost
   * evidence come after all others.
   *
   * @throws AgidbError with the code of what is wrong.
   */
  async for(cue: string, options?: { readonly k?: number }): Promise<FoundProcedure[]> {
    const { limits, clock } = this.#setting
    checkText('cue', cue, limits, 'cueBytes')
    checkKeys('options', options, ['k'])
    const { k = FOUND } = options ?? {}
    checkWhole('k', k, 1, MOST_FOUND)
    const found = await this.#shelf.find(cue, { k: Math.min(this.#table.size, MOST_FOUND) || 1, now: clock() })
    return found
      .filter(({ bears }) => bears)
      .map(({ id, relevance }): FoundProcedure => ({ ...this.#shown(this.#table.get(id)!), confidence: relevance }))
      .sort((a, b) => Number(a.degraded) - Number(b.degraded) || b.confidence * b.strength - a.confidence * a.strength)
      .slice(0, k)
  }

  /** @throws AgidbError `AGIDB_NOT_FOUND`; the code of what else is wrong. */
  async record(id: ProcedureId, outcome: ExecutionOutcome, caller: Caller): Promise<Procedure> {
    const { limits } = this.#setting
    checkId('id', id, limits)
    checkKeys('outcome', outcome, ['success', 'trace', 'note', 'at'])
    if (outcome === undefined) throw invalid('outcome is undefined; expected { success, … }', { what: 'outcome' })
    const { success, note, at } = outcome
    if (typeof success !== 'boolean') throw invalid('outcome.success must be true or false', { what: 'outcome.success' })
    if (outcome.trace !== undefined) this.#checkLines('outcome.trace', outcome.trace)
    if (note !== undefined) checkText('outcome.note', note, limits, FIELD_LIMITS.procedure.note)
    const time = at === undefined ? undefined : toMillis(at, 'outcome.at')
    const trace = [...(outcome.trace ?? [])]
    return this.#setting.learn(caller, (now) => {
      if (this.#table.get(id) === undefined) throw new AgidbError('AGIDB_NOT_FOUND', `there is no procedure with the id ${JSON.stringify(id)}`, { id })
      const execution: Execution = {
        id: this.#setting.makeId('ex_', now, (id) => this.#table.hasExecution(id)),
        success,
        trace,
        ...(note !== undefined && { note }),
        at: toIso(time ?? now),
        recordedAt: toIso(now),
      }
      return { events: [{ kind: 'procedureExecuted', procedure: id, execution }], result: () => this.#shown(this.#table.get(id)!) }
    })
  }

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` when the id is none. */
  async get(id: ProcedureId): Promise<Procedure | undefined> {
    checkId('id', id, this.#setting.limits)
    const procedure = this.#table.get(id)
    return procedure && this.#shown(procedure)
  }

  /** As callers see it: a copy, with what depends on the episodes that are there now. */
  #shown(procedure: LearnedProcedure): Procedure {
    const { catalog } = this.#setting.indexes
    const degraded = procedure.provenance.episodes.some((episode) => catalog.slot(episode) === undefined)
    return { ...structuredClone(procedure), strength: strengthOf(procedure), degraded }
  }

  #check(procedure: NewProcedure): void {
    const { limits } = this.#setting
    checkKeys('procedure', procedure, ['name', 'trigger', 'steps', 'preconditions', 'evidence', 'session', 'source'])
    if (procedure === undefined) throw invalid('procedure is undefined; expected { name, trigger, steps, … }', { what: 'procedure' })
    const { name, trigger, steps, preconditions, session, source } = procedure
    checkId('procedure.name', name, limits)
    checkText('procedure.trigger', trigger, limits, FIELD_LIMITS.procedure.trigger)
    this.#checkLines('procedure.steps', steps)
    if (steps.length === 0) throw invalid('procedure.steps is empty; a procedure has at least one step', { what: 'procedure.steps' })
    if (preconditions !== undefined) this.#checkLines('procedure.preconditions', preconditions)
    checkName('procedure.session', session, limits)
    checkName('procedure.source', source, limits)
  }

  #checkLines(what: string, lines: readonly string[]): void {
    const { limits } = this.#setting
    const { steps } = FIELD_LIMITS.procedure
    checkList(what, lines, limits, steps)
    for (const [i, line] of lines.entries()) checkText(`${what}[${i}]`, line, limits, steps.each)
  }
}
