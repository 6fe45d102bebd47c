import type { ExecutionOutcome, FoundProcedure, NewProcedure, Procedure, ProcedureId } from '../core/procedure.js'
import { AgidbError } from '../core/errors.js'
import type { Floor, Setting } from './setting.js'
import type { Logged } from '../floors/log.js'

/** How to do things (floor 5). */
export class Procedures implements Floor {
  readonly #setting: Setting

  constructor(setting: Setting) {
    this.#setting = setting
  }

  apply(_logged: Logged, _signature?: Uint8Array): void {
  }

  get size(): number {
    return 0
  }

  async learn(_procedure: NewProcedure): Promise<ProcedureId> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async for(_cue: string, _options?: { readonly k?: number }): Promise<FoundProcedure[]> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async record(_id: ProcedureId, _outcome: ExecutionOutcome): Promise<Procedure> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async get(_id: ProcedureId): Promise<Procedure | undefined> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }
}
