import { AgidbError } from '../base/errors.js'
import { crc32c } from '../base/crc32c.js'

/** The version of the export format that is written. */
export const EXPORT_VERSION = 1
/** The version of an export whose rows are encrypted with the keys of the memory, and the newest that is read. */
export const SEALED_EXPORT_VERSION = 2
/** Bytes before the first chunk. `docs/format.md` has the layout. */
export const EXPORT_HEADER_BYTES = 56
/** Bytes of the random salt of an encrypted export. */
export const SALT_BYTES = 16
/** Bytes with which the nonce of each of its chunks begins. */
export const NONCE_PREFIX_BYTES = 7

/** `AGIDBEXP`. */
const MAGIC = Uint8Array.of(0x41, 0x47, 0x49, 0x44, 0x42, 0x45, 0x58, 0x50)
const CHECKED_BYTES = EXPORT_HEADER_BYTES - 4
const PLAIN = 0
const AES_256_GCM = 1
/** Derivations over this take minutes: a file that asks for them is an attack on the reader. */
const MOST_ITERATIONS = 10_000_000

/** How an export is encrypted. */
export interface Encryption {
  /** Rounds of PBKDF2. */
  readonly iterations: number
  readonly salt: Uint8Array
  readonly noncePrefix: Uint8Array
}

/** What an export says of itself before its first chunk. */
export interface ExportHeader {
  /** Whether its rows are encrypted with the keys of the memory. */
  readonly isSealed: boolean
  /** How its chunks are encrypted; absent when they are not. */
  readonly encryption?: Encryption
}

/** Whether bytes begin like an export; a file of JSON lines does not. */
export function isExport(bytes: Uint8Array): boolean {
  return bytes.length >= MAGIC.length && MAGIC.every((byte, i) => bytes[i] === byte)
}

export function encodeExportHeader({ isSealed, encryption }: ExportHeader): Uint8Array {
  const bytes = new Uint8Array(EXPORT_HEADER_BYTES)
  const view = new DataView(bytes.buffer)
  bytes.set(MAGIC, 0)
  view.setUint32(8, isSealed ? SEALED_EXPORT_VERSION : EXPORT_VERSION, true)
  view.setUint32(12, EXPORT_HEADER_BYTES, true)
  view.setUint32(16, encryption === undefined ? PLAIN : AES_256_GCM, true)
  if (encryption !== undefined) {
    view.setUint32(20, encryption.iterations, true)
    bytes.set(encryption.salt, 24)
    bytes.set(encryption.noncePrefix, 40)
  }
  view.setUint32(CHECKED_BYTES, crc32c(bytes, 0, CHECKED_BYTES), true)
  return bytes
}

/**
 * What the header of an export says. Magic and version are read before all else, since they keep their places in every
 * later format.
 *
 * @throws AgidbError `AGIDB_FOREIGN_FILE`, `AGIDB_NEWER_FORMAT`, `AGIDB_CORRUPT`.
 */
export function decodeExportHeader(bytes: Uint8Array): ExportHeader {
  if (!isExport(bytes))
    throw new AgidbError(
      'AGIDB_FOREIGN_FILE',
      'this is no export of agidb: expected a file that export() wrote, or JSON lines',
    )
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = bytes.length >= 12 ? view.getUint32(8, true) : EXPORT_VERSION
  if (version > SEALED_EXPORT_VERSION) {
    const message =
      `the export has format ${version}; this version of agidb reads formats up to ${SEALED_EXPORT_VERSION}: ` +
      'use a newer one'
    throw new AgidbError('AGIDB_NEWER_FORMAT', message, { version, supported: SEALED_EXPORT_VERSION })
  }
  if (bytes.length < EXPORT_HEADER_BYTES) throw damaged('it is cut short in its header')
  if (view.getUint32(CHECKED_BYTES, true) !== crc32c(bytes, 0, CHECKED_BYTES))
    throw damaged('the checksum of its header is wrong')
  const cipher = view.getUint32(16, true)
  if (version < 1 || view.getUint32(12, true) !== EXPORT_HEADER_BYTES || cipher > AES_256_GCM)
    throw damaged('its header makes no sense')
  const isSealed = version === SEALED_EXPORT_VERSION
  if (cipher === PLAIN) return { isSealed }
  const iterations = view.getUint32(20, true)
  if (iterations < 1 || iterations > MOST_ITERATIONS)
    throw damaged(`it asks for ${iterations} rounds of key derivation; 1 to ${MOST_ITERATIONS} are accepted`)
  const salt = bytes.slice(24, 24 + SALT_BYTES)
  return { isSealed, encryption: { iterations, salt, noncePrefix: bytes.slice(40, 40 + NONCE_PREFIX_BYTES) } }
}

/** An export that is not as it was written. */
export function damaged(what: string, details: Record<string, unknown> = {}, cause?: unknown): AgidbError {
  return new AgidbError('AGIDB_CORRUPT', `the export is damaged: ${what}; nothing of it was imported`, details, {
    cause,
  })
}
