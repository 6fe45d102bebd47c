import type {
  ExecutionOutcome,
  FoundProcedure,
  NewProcedure,
  Procedure,
  ProcedureId,
  ProcedurePatch,
  ProcedureQuery,
} from '../procedure.js'
import type { Registration } from './method.js'

/** The methods of floor 5. */
export interface ProcedureMethods {
  /** Throws `AGIDB_DUPLICATE_ID` when there is one of this name that is not retired. */
  learnProcedure(procedure: NewProcedure): Promise<ProcedureId>
  /**
   * The procedures whose trigger, name or steps fit a cue, by their words or, with a codebook, by what they mean; the
   * fitting and strong first. Retired ones are not found.
   */
  proceduresFor(cue: string, options?: { readonly k?: number }): Promise<FoundProcedure[]>
  /** Remembers how an execution went. Throws `AGIDB_NOT_FOUND`, `AGIDB_PROCEDURE_RETIRED`. */
  recordExecution(id: ProcedureId, outcome: ExecutionOutcome): Promise<Procedure>
  /**
   * The procedures in the order in which they were learned, by default those in use, as they are now or were at a time.
   */
  procedures(query?: ProcedureQuery): Promise<Procedure[]>
  /**
   * Changes what a procedure says; its executions and what it said before stay. A patch that changes nothing is no
   * event. Throws `AGIDB_NOT_FOUND`, `AGIDB_DUPLICATE_ID` for a name that is taken, `AGIDB_PROCEDURE_RETIRED`.
   */
  reviseProcedure(id: ProcedureId, patch: ProcedurePatch): Promise<Procedure>
  /**
   * Takes a procedure out of use: nothing finds it any more, and its name is free. It stays with its history, by its id
   * and by `procedures({ state: 'retired' })`. Throws `AGIDB_NOT_FOUND`, `AGIDB_PROCEDURE_RETIRED`.
   */
  retireProcedure(id: ProcedureId, reason: string): Promise<Procedure>
  getProcedure(id: ProcedureId): Promise<Procedure | undefined>
}

export const procedureMethods: Registration<ProcedureMethods> = {
  learnProcedure: { effect: 'writes' },
  proceduresFor: { effect: 'reads' },
  recordExecution: { effect: 'writes', repeated: { reread: 'getProcedure' } },
  procedures: { effect: 'reads' },
  reviseProcedure: { effect: 'writes', repeated: { reread: 'getProcedure' } },
  retireProcedure: { effect: 'writes', repeated: { reread: 'getProcedure' } },
  getProcedure: { effect: 'reads' },
}
