import type { WorkingMemory } from '../core/working.js'
import { AgidbError } from '../core/errors.js'
import type { Goals } from './goals.js'
import type { Setting } from './setting.js'

/** What matters now in a session (floor 2). */
export class Working {
  readonly #setting: Setting
  readonly #goals: Goals

  constructor(setting: Setting, goals: Goals) {
    this.#setting = setting
    this.#goals = goals
  }

  async of(_session: string, _options?: { readonly capacity?: number }): Promise<WorkingMemory> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }
}
