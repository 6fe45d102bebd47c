import type { Outcome } from './exam.js'
import type { Kills } from './kills.js'

/** How a place did; what does not apply to it is absent. */
export interface Result extends Partial<Outcome> {
  readonly place: string
  readonly runtime: string
  /** Whether words of the session that was forgotten stand in its files. */
  readonly leftBytes?: boolean
  readonly kills?: Kills
  /** Why it could not be examined. */
  readonly error?: string
}
