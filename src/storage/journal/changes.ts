import { AgidbError } from '../../base/errors.js'
import { crc32c } from '../../base/crc32c.js'
import { PERCEIVED, SPACES } from '../../encoding/spaces/spaces.js'
import type { StorageChange, SignatureKind, Signatures, EncodedSignatures } from '../../api/storage.js'
import { decodeUtf8 } from '../../base/utf8.js'

/** Bytes of an entry before its id. `docs/format.md` has the layout. */
export const ENTRY_HEADER_BYTES = 16
/** Bytes of a signature before its own. */
export const SIGNATURE_HEADER_BYTES = 4
/** Bytes of the checksum after the signatures of an entry that has {@link SIGNATURES_CHECKED}. */
export const SIGNATURES_CHECKSUM_BYTES = 4
/** In the byte with the number of signatures: a checksum of them stands after the last one. */
export const SIGNATURES_CHECKED = 0x80

/** An operation is stored as its index here plus one. Only ever append. */
export const OPERATIONS = ['put', 'update', 'remove', 'setSignatures'] as const
/** The kinds of signatures. Each is stored as the tag of its space, which is its index here plus one. */
export const KINDS: readonly SignatureKind[] = SPACES.filter(({ storedWith }) => storedWith === undefined).map(
  ({ kind }) => kind,
)
/** The kinds that the encoder makes, so that its version counts for them. */
export const ENCODED: ReadonlySet<SignatureKind> = new Set(
  SPACES.filter(({ identifiedBy }) => identifiedBy === 'encoder').map(({ kind }) => kind),
)

/** The signatures that come with an episode and cannot be made of its row again: those of pictures and sounds. */
export function perceivedOf(signatures: Signatures): Signatures {
  const kinds = PERCEIVED.filter((kind) => signatures[kind] !== undefined)
  return Object.fromEntries(kinds.map((kind) => [kind, signatures[kind]]))
}

const utf8 = new TextEncoder()

/** An entry of a frame, not yet decoded: positions are relative to the bytes that it was read from. */
export interface Entry {
  readonly op: (typeof OPERATIONS)[number]
  readonly slot: number
  /** Where the entry starts. */
  readonly at: number
  /** Where its id starts, its row, its signatures; where the entry ends. */
  readonly idAt: number
  readonly rowAt: number
  readonly signaturesAt: number
  /** Where its signatures end: before their checksum, if they have one. */
  readonly signaturesEnd: number
  readonly end: number
}

/** The oldest version of the format whose readers know all of these changes. */
export function formatOf(changes: readonly StorageChange[]): number {
  const isNew = (change: StorageChange): boolean =>
    change.op === 'setSignatures' || KINDS.some((kind) => !ENCODED.has(kind) && signatureOf(change, kind) !== undefined)
  return changes.some(isNew) ? 2 : 1
}

/** The signatures of an episode after a `setSignatures` change. */
export function mergeSignatures(
  before: EncodedSignatures,
  { signatures, encoder = 0 }: EncodedSignatures,
): EncodedSignatures {
  const encoded = [...ENCODED].some((kind) => signatures[kind] !== undefined)
  return { signatures: { ...before.signatures, ...signatures }, encoder: encoded ? encoder : before.encoder }
}

/** The bytes of a frame's body, and where each change's entry lies in it. */
export interface EncodedChanges {
  readonly body: Uint8Array
  readonly entries: readonly Entry[]
}

/** Gives memory of so many bytes, with anything in it. */
export type Room = (bytes: number) => Uint8Array

/**
 * Encodes the changes of one commit into a new array, leaving `before` bytes free at its start.
 * Throws `AGIDB_TOO_LARGE` for a body over `limit` bytes, and for an id or a signature over 65,535.
 *
 * @param room gives what to encode into, instead of a new array; then what is free has anything in it.
 * @param checked gives the signatures of each entry a checksum. Default false.
 */
export function encodeChanges(
  changes: readonly StorageChange[],
  before: number,
  limit: number,
  room: Room = (bytes) => new Uint8Array(bytes),
  checked = false,
): EncodedChanges {
  let size = before + 4
  for (const change of changes) size += entrySize(change, checked)
  if (size - before > limit) {
    const message = `one commit of ${size - before} bytes is over the limit of ${limit}: commit fewer changes at a time`
    throw new AgidbError('AGIDB_TOO_LARGE', message, { bytes: size - before, limit })
  }
  const body = room(size)
  const view = new DataView(body.buffer, body.byteOffset, size)
  view.setUint32(before, changes.length, true)
  const entries: Entry[] = []
  let at = before + 4
  for (const change of changes) {
    const entry = writeEntry(body, view, at, change, checked)
    entries.push(entry)
    at = entry.end
  }
  return { body, entries }
}

function signatureOf(change: StorageChange, kind: SignatureKind): Uint8Array | undefined {
  return 'signatures' in change ? change.signatures[kind] : undefined
}

/** The row that a change brings. */
function rowOf(change: StorageChange): Uint8Array | undefined {
  return 'row' in change ? change.row : undefined
}

function entrySize(change: StorageChange, checked: boolean): number {
  const idBytes = utf8Length(change.id)
  if (idBytes > 0xffff) throw new AgidbError('AGIDB_TOO_LARGE', 'an id may have at most 65,535 bytes in UTF-8')
  let size = ENTRY_HEADER_BYTES + idBytes + (rowOf(change)?.length ?? 0)
  let signed = false
  for (const kind of KINDS) {
    const bytes = signatureOf(change, kind)
    if (bytes === undefined) continue
    if (bytes.length > 0xffff) throw new AgidbError('AGIDB_TOO_LARGE', 'a signature may have at most 65,535 bytes')
    size += SIGNATURE_HEADER_BYTES + bytes.length
    signed = true
  }
  return checked && signed ? size + SIGNATURES_CHECKSUM_BYTES : size
}

function writeEntry(body: Uint8Array, view: DataView, at: number, change: StorageChange, checked: boolean): Entry {
  const row = rowOf(change)
  const idAt = at + ENTRY_HEADER_BYTES
  const rowAt = idAt + writeUtf8(change.id, body, idAt)
  const signaturesAt = rowAt + (row?.length ?? 0)
  if (row) body.set(row, rowAt)
  let [signaturesEnd, count] = [signaturesAt, 0]
  for (let i = 0; i < KINDS.length; i++) {
    const kind = KINDS[i]
    const bytes = signatureOf(change, kind)
    if (bytes === undefined) continue
    view.setUint8(signaturesEnd, i + 1)
    view.setUint8(signaturesEnd + 1, ENCODED.has(kind) ? encoderOf(change) : 0)
    view.setUint16(signaturesEnd + 2, bytes.length, true)
    body.set(bytes, signaturesEnd + SIGNATURE_HEADER_BYTES)
    signaturesEnd += SIGNATURE_HEADER_BYTES + bytes.length
    count++
  }
  const isChecked = checked && count > 0
  if (isChecked) view.setUint32(signaturesEnd, crc32c(body, signaturesAt, signaturesEnd), true)
  const end = signaturesEnd + (isChecked ? SIGNATURES_CHECKSUM_BYTES : 0)
  view.setUint8(at + 4, OPERATIONS.indexOf(change.op) + 1)
  view.setUint8(at + 5, count | (isChecked ? SIGNATURES_CHECKED : 0))
  view.setUint16(at + 6, rowAt - idAt, true)
  view.setUint32(at + 8, change.slot, true)
  view.setUint32(at + 12, signaturesAt - rowAt, true)
  view.setUint32(at, crc32c(body, at + 4, signaturesAt), true)
  return { op: change.op, slot: change.slot, at, idAt, rowAt, signaturesAt, signaturesEnd, end }
}

function encoderOf(change: StorageChange): number {
  return 'signatures' in change ? (change.encoder ?? 0) : 0
}

/** Bytes of a text in UTF-8, where half a surrogate pair becomes U+FFFD. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    bytes += unit < 0x800 ? 1 : 2
    // Two units, four bytes.
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(i + 1))) i++
  }
  return bytes
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}

/**
 * Writes a text, and answers how many bytes it has: ids are short and nearly always ASCII, for which to call the
 * encoder takes longer than to write it.
 */
function writeUtf8(text: string, into: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0x80) return utf8.encodeInto(text, into.subarray(at)).written
    into[at + i] = unit
  }
  return text.length
}

/** Whether the bytes of an entry up to its row are as they were written. */
export function entryIsIntact(bytes: Uint8Array, entry: Entry): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.getUint32(entry.at, true) === crc32c(bytes, entry.at + 4, entry.signaturesAt)
}

/**
 * Whether the signatures of an entry are as they were written; `undefined` where they have no checksum, as in journals
 * of earlier versions, and only that of the whole frame can tell.
 */
export function signaturesAreIntact(bytes: Uint8Array, entry: Entry): boolean | undefined {
  const { at, signaturesAt, signaturesEnd, end } = entry
  if (bytes[at + 5] === 0) return true
  if (signaturesEnd === end) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.getUint32(signaturesEnd, true) === crc32c(bytes, signaturesAt, signaturesEnd)
}

/**
 * The entry at position `at`. With `partial`, the bytes may end after the row.
 * Throws `AGIDB_CORRUPT` when what is there is no entry.
 */
export function readEntry(bytes: Uint8Array, at: number, partial = false): Entry {
  if (at + ENTRY_HEADER_BYTES > bytes.length) throw malformed('an entry is cut short')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const op = OPERATIONS[view.getUint8(at + 4) - 1]
  if (!op) throw malformed(`unknown operation ${view.getUint8(at + 4)}`)
  const idAt = at + ENTRY_HEADER_BYTES
  const rowAt = idAt + view.getUint16(at + 6, true)
  const signaturesAt = rowAt + view.getUint32(at + 12, true)
  if (signaturesAt > bytes.length) throw malformed('an entry is cut short')
  let [signaturesEnd, end] = [signaturesAt, signaturesAt]
  if (!partial) {
    const signatures = view.getUint8(at + 5)
    for (let left = signatures & ~SIGNATURES_CHECKED; left > 0; left--) {
      if (signaturesEnd + SIGNATURE_HEADER_BYTES > bytes.length) throw malformed('a signature is cut short')
      signaturesEnd += SIGNATURE_HEADER_BYTES + view.getUint16(signaturesEnd + 2, true)
    }
    end = signaturesEnd + (signatures & SIGNATURES_CHECKED ? SIGNATURES_CHECKSUM_BYTES : 0)
    if (end > bytes.length) throw malformed('a signature is cut short')
  }
  return { op, slot: view.getUint32(at + 8, true), at, idAt, rowAt, signaturesAt, signaturesEnd, end }
}

/** The entries of a body that starts at `at` and ends with the bytes. Throws `AGIDB_CORRUPT`. */
export function readEntries(bytes: Uint8Array, at: number): Entry[] {
  if (at + 4 > bytes.length) throw malformed('the number of entries is missing')
  const count = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true)
  const entries: Entry[] = []
  let next = at + 4
  for (let index = 0; index < count; index++) {
    const entry = readEntry(bytes, next)
    entries.push(entry)
    next = entry.end
  }
  if (next !== bytes.length) throw malformed(`${bytes.length - next} bytes too many after the last entry`)
  return entries
}

/** The id of an entry. */
export function entryId(bytes: Uint8Array, entry: Entry): string {
  try {
    return decodeUtf8(bytes.subarray(entry.idAt, entry.rowAt))
  } catch (cause) {
    throw malformed('an id is no UTF-8', cause)
  }
}

/** The signatures of an entry, as views, and the encoder of those that one made: the oldest counts. */
export function entrySignatures(bytes: Uint8Array, entry: Entry): EncodedSignatures {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const signatures: Signatures = {}
  let encoder: number | undefined
  for (let at = entry.signaturesAt; at < entry.signaturesEnd; ) {
    const kind = KINDS[view.getUint8(at) - 1]
    if (!kind) throw malformed(`unknown kind of signature ${view.getUint8(at)}`)
    const end = at + SIGNATURE_HEADER_BYTES + view.getUint16(at + 2, true)
    signatures[kind] = bytes.subarray(at + SIGNATURE_HEADER_BYTES, end)
    if (ENCODED.has(kind)) encoder = Math.min(view.getUint8(at + 1), encoder ?? 255)
    at = end
  }
  return { signatures, ...(encoder !== undefined && { encoder }) }
}

/** The kinds of signature that an entry has. */
export function entryKinds(bytes: Uint8Array, entry: Entry): SignatureKind[] {
  return Object.keys(entrySignatures(bytes, entry).signatures) as SignatureKind[]
}

/** The change that an entry stands for; its arrays are views. */
export function entryChange(bytes: Uint8Array, entry: Entry): StorageChange {
  const { op, slot } = entry
  const id = entryId(bytes, entry)
  if (op === 'remove') return { op, slot, id }
  if (op === 'setSignatures') return { op, slot, id, ...entrySignatures(bytes, entry) }
  const row = bytes.subarray(entry.rowAt, entry.signaturesAt)
  return op === 'update' ? { op, slot, id, row } : { op, slot, id, row, ...entrySignatures(bytes, entry) }
}

function malformed(what: string, cause?: unknown): AgidbError {
  return new AgidbError(
    'AGIDB_CORRUPT',
    `a journal frame has a right checksum but cannot be read: ${what}`,
    {},
    { cause },
  )
}
