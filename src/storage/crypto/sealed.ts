// How an encrypted row or signature begins. docs/format.md has the layout.
import { TAG_BYTES } from '../../kernel/port.js'
import { NONCE_BYTES } from './cipher.js'

/**
 * 31, then `AGIDBS`, then the version. No row and no tag of a record kind begins with 31, so a version of agidb that
 * does not know encrypted rows refuses them as a newer format.
 */
const MAGIC = Uint8Array.of(0x1f, 0x41, 0x47, 0x49, 0x44, 0x42, 0x53, 1)
const COUNT_AT = MAGIC.length
const KEYS_AT = COUNT_AT + 2
/** The most keys that one row may need together. */
export const MAX_KEYS = 0xffff

/** What stands before the text: which keys it takes to read it. */
export function sealedHead(keys: readonly number[]): Uint8Array {
  const head = new Uint8Array(KEYS_AT + 4 * keys.length)
  const view = new DataView(head.buffer)
  head.set(MAGIC)
  view.setUint16(COUNT_AT, keys.length, true)
  keys.forEach((key, i) => view.setUint32(KEYS_AT + 4 * i, key, true))
  return head
}

/** Head, nonce and encrypted text one after the other. */
export function encodeSealed(head: Uint8Array, nonce: Uint8Array, text: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(head.length + NONCE_BYTES + text.length)
  bytes.set(head)
  bytes.set(nonce, head.length)
  bytes.set(text, head.length + NONCE_BYTES)
  return bytes
}

/** Whether these bytes are encrypted by agidb. */
export function isSealed(bytes: Uint8Array): boolean {
  if (bytes.length < KEYS_AT + NONCE_BYTES + TAG_BYTES) return false
  for (let i = 0; i < MAGIC.length; i++) if (bytes[i] !== MAGIC[i]) return false
  return true
}

/** The parts of encrypted bytes, as views. */
export interface Sealed {
  /** The numbers of the keys, ascending. */
  readonly keys: readonly number[]
  readonly nonce: Uint8Array
  readonly text: Uint8Array
}

/** Reads encrypted bytes; `undefined` where they are cut short. To be asked where {@link isSealed} says so. */
export function decodeSealed(bytes: Uint8Array): Sealed | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = view.getUint16(COUNT_AT, true)
  const nonceAt = KEYS_AT + 4 * count
  const textAt = nonceAt + NONCE_BYTES
  if (count === 0 || textAt + TAG_BYTES > bytes.length) return undefined
  const keys = Array.from({ length: count }, (_, i) => view.getUint32(KEYS_AT + 4 * i, true))
  return { keys, nonce: bytes.subarray(nonceAt, textAt), text: bytes.subarray(textAt) }
}

/** By how many bytes encrypted bytes are longer than what they hold. */
export function overheadOf(sealed: Uint8Array): number {
  const count = new DataView(sealed.buffer, sealed.byteOffset, sealed.byteLength).getUint16(COUNT_AT, true)
  return KEYS_AT + 4 * count + NONCE_BYTES + TAG_BYTES
}
