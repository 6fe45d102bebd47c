import { AgidbError } from '../base/errors.js'
import type { LearningEvent } from '../api/learning.js'
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js'

/** The first byte of a row that is a learning event. Rows of episodes begin with `{`. */
export const EVENT_ROW = 1
/** That of a row which belongs to no floor, but to the place: receipts of calls. Those of frames begin with 2. */
export const RECEIPT_ROW = 3

/** A learning event as it is stored: a tag, then JSON in UTF-8. */
export function encodeEvent(event: LearningEvent): Uint8Array {
  return tagged(EVENT_ROW, encodeUtf8(JSON.stringify(event)))
}

/** @throws AgidbError `AGIDB_CORRUPT` if the bytes are no event. */
export function decodeEvent(row: Uint8Array): LearningEvent {
  return decodeTagged(row, 'learning event') as LearningEvent
}

/**
 * The row of an event in a memory whose rows have other slots: an event may name one as `upTo`, and nothing else does.
 */
export function moveEvent(row: Uint8Array, place: (slot: number) => number): Uint8Array {
  const event = decodeEvent(row)
  return 'upTo' in event ? encodeEvent({ ...event, upTo: place(event.upTo) }) : row
}

/** A row of JSON after the tag of its kind. */
export function tagged(tag: number, json: Uint8Array): Uint8Array {
  const row = new Uint8Array(1 + json.length)
  row[0] = tag
  row.set(json, 1)
  return row
}

/** @throws AgidbError `AGIDB_CORRUPT` */
export function decodeTagged(row: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(decodeUtf8(row.subarray(1)))
  } catch (cause) {
    throw new AgidbError(
      'AGIDB_CORRUPT',
      `a stored ${what} is not valid JSON in UTF-8`,
      { bytes: row.length },
      { cause },
    )
  }
}
