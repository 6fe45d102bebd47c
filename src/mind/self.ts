import type { TimeInput } from '../core/episode.js'
import type { Introspection, IntrospectionQuery } from '../core/introspection.js'
import type { LearningEvent, LearningQuery } from '../core/learning.js'
import { AgidbError } from '../core/errors.js'
import type { Floor, Setting } from './setting.js'
import type { Logged } from '../floors/log.js'
import type { Beliefs } from './beliefs.js'
import type { Goals } from './goals.js'

/** What the agent knows of itself (floor 7). */
export class Self implements Floor {
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

  /** The number of the next epoch, from 1. */
  get nextEpoch(): number {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  /** Bits that would change if this bundle were taken in as the next epoch. */
  drift(_bundle: Uint8Array): number {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async learnedSince(_since: TimeInput, _query?: LearningQuery): Promise<LearningEvent[]> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async vector(): Promise<Uint8Array> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async vectorAt(_time: TimeInput): Promise<Uint8Array> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async introspect(_query: IntrospectionQuery): Promise<Introspection> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }
}
