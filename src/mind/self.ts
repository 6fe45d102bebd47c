import type { TimeInput } from '../core/episode.js'
import type { Introspection, IntrospectionQuery } from '../core/introspection.js'
import type { LearningEvent, LearningQuery } from '../core/learning.js'
import { AgidbError } from '../core/errors.js'
import { toMillis } from '../core/time.js'
import { SelfVector } from '../floors/self-vector.js'
import { DIMENSION } from '../kernel/port.js'
import type { Floor, Setting } from './setting.js'
import type { Logged } from '../floors/log.js'
import type { Beliefs } from './beliefs.js'
import type { Goals } from './goals.js'

/** What the agent knows of itself (floor 7). */
export class Self implements Floor {
  readonly #setting: Setting
  readonly #goals: Goals
  readonly #beliefs: Beliefs
  readonly #vector: SelfVector

  constructor(setting: Setting, goals: Goals, beliefs: Beliefs) {
    this.#setting = setting
    this.#goals = goals
    this.#beliefs = beliefs
    this.#vector = new SelfVector(setting.indexes.kernel.threshold(new Int32Array(DIMENSION)))
  }

  apply({ event }: Logged, signature?: Uint8Array): void {
    if (event.kind === 'selfVectorUpdated' && signature !== undefined) this.#vector.take(signature, Date.parse(event.at))
  }

  /** The number of the next epoch, from 1. */
  get nextEpoch(): number {
    return this.#vector.epochs + 1
  }

  /** Bits that would change if this bundle were taken in as the next epoch. */
  drift(bundle: Uint8Array): number {
    return this.#setting.indexes.kernel.hamming(this.#vector.now, this.#vector.after(bundle))
  }

  async learnedSince(_since: TimeInput, _query?: LearningQuery): Promise<LearningEvent[]> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async vector(): Promise<Uint8Array> {
    return this.#vector.now.slice()
  }

  async vectorAt(time: TimeInput): Promise<Uint8Array> {
    return this.#vector.at(toMillis(time, 'time')).slice()
  }

  async introspect(_query: IntrospectionQuery): Promise<Introspection> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }
}
