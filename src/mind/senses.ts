import type { EpisodeId, Observation } from '../core/episode.js'
import type { NewSensoryFrame, SensoryId, WorkingState } from '../core/sensory.js'
import { AgidbError } from '../core/errors.js'
import type { Floor, Setting } from './setting.js'
import type { Logged } from '../floors/log.js'
import type { Beliefs } from './beliefs.js'
import type { Goals } from './goals.js'

/** What is perceived, before it is remembered (floor 1). */
export class Senses implements Floor {
  readonly #setting: Setting
  readonly #goals: Goals
  readonly #beliefs: Beliefs

  constructor(setting: Setting, goals: Goals, beliefs: Beliefs) {
    this.#setting = setting
    this.#goals = goals
    this.#beliefs = beliefs
  }

  apply(_logged: Logged, _signature?: Uint8Array): void {
  }

  /** Takes in a stored frame, at opening; they come in order. */
  restore(_slot: number, _id: SensoryId, _row: Uint8Array): void {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async observe(_frame: NewSensoryFrame): Promise<SensoryId> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async state(): Promise<WorkingState> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async surprise(_frame: NewSensoryFrame): Promise<number> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async calibratedSurprise(_frame: NewSensoryFrame): Promise<number> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  /** Remembers an observation that was made by a frame in the buffer. */
  async promote(_observation: Observation, _frame: SensoryId): Promise<EpisodeId> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }
}
