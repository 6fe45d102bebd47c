import type { EpisodeId } from '../core/episode.js'
import type { Belief, BeliefId, BeliefOptions, BeliefRevision, FoundBelief, NewBelief, RevisionReport } from '../core/belief.js'
import type { RecalledBelief } from '../core/recall.js'
import { AgidbError } from '../core/errors.js'
import type { Floor, Setting } from './setting.js'
import type { Asking } from './shelf.js'
import type { Logged } from '../floors/log.js'

/** What the agent holds to be true (floor 6). */
export class Beliefs implements Floor {
  readonly #setting: Setting

  constructor(setting: Setting) {
    this.#setting = setting
  }

  apply(_logged: Logged, _signature?: Uint8Array): void {
  }

  /** Beliefs that are held. */
  get size(): number {
    return 0
  }

  async assert(_belief: NewBelief): Promise<BeliefId> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async revise(_id: BeliefId, _evidenceId: EpisodeId): Promise<RevisionReport> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async about(_about: string, _options?: BeliefOptions): Promise<FoundBelief[]> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async history(_id: BeliefId): Promise<BeliefRevision[]> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async withdraw(_id: BeliefId, _reason: string): Promise<void> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async get(_id: BeliefId): Promise<Belief | undefined> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  /** The beliefs that bear on a cue, best first. */
  async bearingOn(_cue: string, _asking: Asking): Promise<RecalledBelief[]> {
    return []
  }

  /** The newest beliefs that are held, oldest first: what is to be expected. */
  recent(_most: number): Belief[] {
    return []
  }
}
