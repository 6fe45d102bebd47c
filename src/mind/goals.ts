import type { EpisodeId } from '../core/episode.js'
import type { Goal, GoalId, GoalPatch, GoalTree, NewGoal } from '../core/goal.js'
import type { RecalledGoal } from '../core/recall.js'
import { AgidbError } from '../core/errors.js'
import type { Floor, Setting } from './setting.js'
import type { Asking } from './shelf.js'
import type { Logged } from '../floors/log.js'

/** What the agent wants (floor 6). */
export class Goals implements Floor {
  readonly #setting: Setting

  constructor(setting: Setting) {
    this.#setting = setting
  }

  apply(_logged: Logged, _signature?: Uint8Array): void {
  }

  get size(): number {
    return 0
  }

  async set(_goal: NewGoal): Promise<GoalId> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async revise(_id: GoalId, _patch: GoalPatch): Promise<Goal> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async pause(_id: GoalId, _reason?: string): Promise<Goal> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async resume(_id: GoalId): Promise<Goal> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async complete(_id: GoalId, _evidence?: readonly EpisodeId[]): Promise<Goal> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async abandon(_id: GoalId, _reason: string): Promise<Goal> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async active(): Promise<Goal[]> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async tree(_root: GoalId): Promise<GoalTree> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async get(_id: GoalId): Promise<Goal | undefined> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  /** What the active goals say, each with what it serves: what lifts memories. */
  texts(): string[] {
    return []
  }

  /** The active goals that bear on a cue, best first. */
  async bearingOn(_cue: string, _asking: Asking): Promise<RecalledGoal[]> {
    return []
  }
}
