import type { TimeRange } from './episode.js'

/** A value of metadata that a filter can compare. */
export type MetadataValue = string | number | boolean | null

/** What a value of metadata must be like; of several conditions all hold for the same value. */
export interface MetadataCondition {
  /** It is one of these. */
  readonly in?: readonly MetadataValue[]
  /** Numbers are compared by size, strings by their UTF-16 code units; a number and a string are never compared. */
  readonly gt?: number | string
  readonly gte?: number | string
  readonly lt?: number | string
  readonly lte?: number | string
  /** Whether there is anything at the path, `null`, arrays and objects included. */
  readonly exists?: boolean
}

/** A value, several of which one is enough, or a condition. */
export type MetadataTest = MetadataValue | readonly MetadataValue[] | MetadataCondition

/**
 * Which episodes are meant: those for which all that is given holds. Of several names or values one is enough. An empty
 * filter means all.
 */
export interface Filter {
  readonly id?: string | readonly string[]
  readonly speaker?: string | readonly string[]
  readonly session?: string | readonly string[]
  readonly source?: string | readonly string[]
  /** It has one of these tags. */
  readonly tags?: string | readonly string[]
  /** It began in this stretch of valid time, by its `at`. */
  readonly at?: TimeRange
  /** It was first recorded in this stretch of transaction time. */
  readonly recordedAt?: TimeRange
  /** It expires, and does so in this stretch of time. */
  readonly expiresAt?: TimeRange
  /**
   * By path: `topic`, `order.total`. A dot in the name of a member is written `\.`, a backslash `\\`. The values of an
   * array stand at the path of the array, so that one of them is enough.
   */
  readonly metadata?: Readonly<Record<string, MetadataTest>>
  /** All of these hold. */
  readonly and?: readonly Filter[]
  /** One of these holds. */
  readonly or?: readonly Filter[]
  /** This does not hold. */
  readonly not?: Filter
}
