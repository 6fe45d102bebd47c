import type { TimeInput } from '../core/episode.js'
import type { Introspection, IntrospectionQuery } from '../core/introspection.js'
import type { LearningEvent, LearningQuery } from '../core/learning.js'
import { toMillis } from '../core/time.js'
import { SelfVector } from '../floors/self-vector.js'
import { DIMENSION } from '../kernel/port.js'
import type { Floor, Setting } from './setting.js'
import type { Logged } from '../floors/log.js'
import { learned, toWanted, type Period } from './history.js'
import { introspect } from './introspection.js'

/** What the agent knows of itself (floor 7). */
export class Self implements Floor {
  readonly #setting: Setting
  readonly #vector: SelfVector

  constructor(setting: Setting) {
    this.#setting = setting
    this.#vector = new SelfVector(setting.indexes.kernel.threshold(new Int32Array(DIMENSION)))
  }

  apply({ event }: Logged, signature?: Uint8Array): void {
    if (event.kind === 'selfVectorUpdated' && signature !== undefined) this.#vector.take(signature, Date.parse(event.at))
  }

  get bytes(): number {
    return this.#vector.bytes
  }

  /** The number of the next epoch, from 1. */
  get nextEpoch(): number {
    return this.#vector.epochs + 1
  }

  /** Bits that would change if this bundle were taken in as the next epoch. */
  drift(bundle: Uint8Array): number {
    return this.#setting.indexes.kernel.hamming(this.#vector.now, this.#vector.after(bundle))
  }

  /** @throws AgidbError with the code of what is wrong with the query. */
  async learnedSince(since: TimeInput, query?: LearningQuery): Promise<LearningEvent[]> {
    return structuredClone(learned(this.#setting, toWanted(since, query, this.#setting.limits)))
  }

  async vector(): Promise<Uint8Array> {
    return this.#vector.now.slice()
  }

  async vectorAt(time: TimeInput): Promise<Uint8Array> {
    return this.#vector.at(toMillis(time, 'time')).slice()
  }

  async introspect(query: IntrospectionQuery): Promise<Introspection> {
    return introspect({ ...this.#setting, drift: (period) => this.#drifted(period) }, query)
  }

  /** Bits that the epochs of a time changed. An epoch at the very start of it is one of them. */
  #drifted({ since = -Infinity, until = Infinity }: Period): number {
    return this.#setting.indexes.kernel.hamming(this.#vector.at(since - 1), this.#vector.at(until - 1))
  }
}
