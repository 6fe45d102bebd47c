import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { LearningEvent, LearningKind } from '../../api/learning.js'
import type { ImportCheck, SlotMap } from '../record-kind.js'
import { maybe, name, names, object, type Shape, string, time } from '../shapes.js'

type Ids = readonly (string | null | undefined)[]

/** How a summary tells of events of a kind: what was done, to one thing and to several. */
export type Wording = readonly [verb: string, one: string, several: string]

/**
 * One kind of learning event. What belongs to it stands in one file of this folder; `registry.ts` has a line for it,
 * and `api/learning.ts` its public type.
 */
export interface EventKind<K extends LearningKind = LearningKind> {
  readonly wording: Wording
  /** A stored event that comes from outside. */
  readonly shape: Shape
  /** The ids of what it is about: what it creates or changes. */
  readonly subjects: (event: LearningEvent<K>) => Ids
  /** Whether it creates what it is about, so that later events of that tell nothing without it. */
  readonly creates?: true
  /** The ids of the other things that it names. */
  readonly references: (event: LearningEvent<K>) => Ids
  /** The event for a memory in which rows have other slots; absent where it names no slot. */
  readonly moved?: (event: LearningEvent<K>, slotOf: SlotMap) => LearningEvent<K>
  /**
   * Checks an event whose shape is right against the earlier rows of the same import; see `RecordKind.validate`.
   */
  readonly conflict?: (event: LearningEvent<K>, check: ImportCheck) => string | undefined
}

/** An event of these members beside those that all events have. */
export function stored(members: Readonly<Record<string, Shape>>): Shape {
  return object({ id: name, kind: string('nameBytes'), at: time, ...members })
}

/** No row has such an event: it is read from an episode. */
export const neverStored: Shape = () => false

/** The provenance of what an event creates. */
export const provenance = object({
  writer: name,
  source: maybe(name),
  session: maybe(name),
  episodes: names(FIELD_LIMITS.belief.evidence),
})
