import { decodeTagged, encodeTagged, type RecordKind } from '../record-kind.js'

/** A call of a handle, and what was to be answered; nothing where the answer is what can be read anew. */
type StoredAnswer = readonly [call: number, answer?: unknown]

/** The answers of one handle's calls, by the number of the call; `undefined` where the answer can be read anew. */
export type Receipts = ReadonlyMap<number, unknown>

const TAG = 3

/**
 * That calls of a handle had their effect, by which a call that is asked again is answered without a second effect. It
 * belongs to the place where a memory is stored and not to the memory: no export has it.
 */
export const receiptKind: RecordKind<Receipts> = {
  tag: TAG,
  name: 'receipt',
  isExported: false,
  limits: {},
  encode(answers) {
    const stored = Array.from(
      answers,
      ([call, answer]): StoredAnswer => (answer === undefined ? [call] : [call, answer]),
    )
    return encodeTagged(TAG, { answers: stored })
  },
  decode(row) {
    const { answers } = decodeTagged(row, 'receipt') as { readonly answers: readonly StoredAnswer[] }
    return new Map(answers.map(([call, answer]) => [call, answer]))
  },
  validate: () => 'is a receipt, which belongs to the place where a memory is stored',
  subjects: () => [],
  references: () => [],
}
