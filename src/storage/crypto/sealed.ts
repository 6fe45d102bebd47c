// How an encrypted row or signature begins. docs/format.md has the layout.
import { TAG_BYTES } from '../../kernel/port.js'
import { NONCE_BYTES } from './cipher.js'

/**
 * 31, then `AGIDBS`, then the version. No row and no tag of a record kind begins with 31, so a version of agidb that
 * does not know encrypted rows refuses them as a newer format.
 */
const MAGIC = Uint8Array.of(0x1f, 0x41, 0x47, 0x49, 0x44, 0x42, 0x53, 2)
const COUNT_AT = MAGIC.length
const FIRST_AT = COUNT_AT + 2
const KEYS_AT = FIRST_AT + 2
/** The most keys that one row may need together. */
export const MAX_KEYS = 0xffff

/** Which keys it takes to read a row. */
export interface KeyNumbers {
  /** The numbers of the keys: those that every version of the row was encrypted with, then those that came later. */
  readonly numbers: readonly number[]
  /** How many every version had, one at least: without one of these, no version can be read. */
  readonly first: number
}

/** What stands before the text: which keys it takes to read it. */
export function sealedHead({ numbers, first }: KeyNumbers): Uint8Array {
  const head = new Uint8Array(KEYS_AT + 4 * numbers.length)
  const view = new DataView(head.buffer)
  head.set(MAGIC)
  view.setUint16(COUNT_AT, numbers.length, true)
  view.setUint16(FIRST_AT, first, true)
  numbers.forEach((key, i) => view.setUint32(KEYS_AT + 4 * i, key, true))
  return head
}

/** Bytes of a head, a nonce, and a text of so many bytes that is encrypted: one after the other. */
export function sealedLength(head: Uint8Array, text: number): number {
  return head.length + NONCE_BYTES + text + TAG_BYTES
}

/** Where the encrypted text and its tag lie after this head and the nonce. */
export function textIn(head: Uint8Array, sealed: Uint8Array): Uint8Array {
  return sealed.subarray(head.length + NONCE_BYTES)
}

/** Whether these bytes are encrypted by agidb. */
export function isSealed(bytes: Uint8Array): boolean {
  if (bytes.length < KEYS_AT + NONCE_BYTES + TAG_BYTES) return false
  for (let i = 0; i < MAGIC.length; i++) if (bytes[i] !== MAGIC[i]) return false
  return true
}

/** The parts of encrypted bytes, as views. */
export interface Sealed {
  readonly keys: KeyNumbers
  readonly nonce: Uint8Array
  readonly text: Uint8Array
}

/** Reads encrypted bytes; `undefined` where they are cut short. To be asked where {@link isSealed} says so. */
export function decodeSealed(bytes: Uint8Array): Sealed | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = view.getUint16(COUNT_AT, true)
  const nonceAt = KEYS_AT + 4 * count
  const textAt = nonceAt + NONCE_BYTES
  const first = view.getUint16(FIRST_AT, true)
  if (first === 0 || first > count || textAt + TAG_BYTES > bytes.length) return undefined
  const numbers = Array.from({ length: count }, (_, i) => view.getUint32(KEYS_AT + 4 * i, true))
  return { keys: { numbers, first }, nonce: bytes.subarray(nonceAt, textAt), text: bytes.subarray(textAt) }
}

/** By how many bytes encrypted bytes are longer than what they hold. */
export function overheadOf(sealed: Uint8Array): number {
  const count = new DataView(sealed.buffer, sealed.byteOffset, sealed.byteLength).getUint16(COUNT_AT, true)
  return KEYS_AT + 4 * count + NONCE_BYTES + TAG_BYTES
}
