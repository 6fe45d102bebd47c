import { decodeTagged, tagged } from './event.js'

/** The first byte of a row that holds receipts. */
export const RECEIPT_ROW = 3

/** A call of a handle, and what was to be answered; nothing where the answer is what can be read anew. */
export type KeptAnswer = readonly [call: number, answer?: unknown]

/** The receipts of one handle as they are stored: a tag, then JSON in UTF-8. */
export function encodeReceipts(answers: readonly KeptAnswer[]): Uint8Array {
  return tagged(RECEIPT_ROW, new TextEncoder().encode(JSON.stringify({ answers })))
}

/** @throws AgidbError `AGIDB_CORRUPT` if the bytes are none. */
export function decodeReceipts(row: Uint8Array): readonly KeptAnswer[] {
  return (decodeTagged(row, 'receipt') as { readonly answers: readonly KeptAnswer[] }).answers
}
