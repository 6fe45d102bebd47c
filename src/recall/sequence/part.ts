import { liftBySequence } from './lift.js'
import { sequenceOf } from './sequence.js'

/** Answers questions about order in time. Few cues ask one, so it is loaded when `gate.ts` lets one through. */
export interface SequencePart {
  readonly sequenceOf: typeof sequenceOf
  readonly liftBySequence: typeof liftBySequence
}

export { liftBySequence, sequenceOf }
