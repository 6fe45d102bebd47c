import type { Floors } from './memory.js'
import type { methodsOf } from './methods.js'

export { Floors } from './memory.js'
export { methodsOf } from './methods.js'

/** The floors beside the episodes, which are loaded when something is first asked of them. */
export interface FloorsPart {
  readonly Floors: typeof Floors
  readonly methodsOf: typeof methodsOf
}
