import { AgidbError } from '../base/errors.js'
import { subtle } from '../base/web-crypto.js'
import { joinBytes } from '../base/join-bytes.js'
import {
  damaged,
  encodeExportHeader,
  type Encryption,
  type ExportHeader,
  NONCE_PREFIX_BYTES,
  SALT_BYTES,
} from './header.js'

/**
 * Rounds of PBKDF2-HMAC-SHA-256 by which a key is made of a passphrase: what OWASP recommends (Password Storage Cheat
 * Sheet, section PBKDF2, 2023 and since).
 */
export const ITERATIONS = 600_000
/** Bytes by which AES-GCM makes a chunk longer. */
export const TAG_BYTES = 16

/** Where a chunk stands. */
export interface ChunkPosition {
  /** Counts from 0. */
  readonly number: number
  /** Whether none comes after it. */
  readonly final: boolean
}

/** Encrypts or decrypts a chunk for its place. */
export type Crypt = (content: Uint8Array, place: ChunkPosition) => Promise<Uint8Array>

/** A cipher for a new export. */
export interface Sealing {
  readonly header: Uint8Array
  readonly seal: Crypt
}

/**
 * The cipher of a new export, with a random salt, so that no two exports have the same key. The chunks are chained by
 * the STREAM construction (Hoang, Reyhanitabar, Rogaway and Vizár 2015, "Online Authenticated-Encryption and its
 * Nonce-Reuse Misuse-Resistance"): number and final flag stand in the nonce, and once more, after the header of the
 * file, in what is authenticated with the content. So a chunk that is moved, left out, or made the last one does not
 * decrypt.
 *
 * @throws AgidbError `AGIDB_UNSUPPORTED` where there is no Web Crypto.
 */
export async function sealing(
  passphrase: string,
  { isSealed = false, iterations = ITERATIONS }: Partial<Pick<ExportHeader, 'isSealed'> & Encryption> = {},
): Promise<Sealing> {
  const encryption = {
    iterations,
    salt: crypto.getRandomValues(new Uint8Array(SALT_BYTES)),
    noncePrefix: crypto.getRandomValues(new Uint8Array(NONCE_PREFIX_BYTES)),
  }
  const header = encodeExportHeader({ isSealed, encryption })
  const key = await deriveKey(passphrase, encryption)
  return {
    header,
    seal: async (content, place) =>
      new Uint8Array(await subtle().encrypt(gcm(encryption, header, place), key, content.slice())),
  }
}

/**
 * The cipher of an export that has this header. It rejects a chunk that was changed with `AGIDB_CORRUPT`, and the first
 * one with `AGIDB_PASSPHRASE`, since another passphrase does the same.
 */
export async function opening(passphrase: string, { isSealed, encryption }: Required<ExportHeader>): Promise<Crypt> {
  const header = encodeExportHeader({ isSealed, encryption })
  const key = await deriveKey(passphrase, encryption)
  return async (content, place) => {
    try {
      return new Uint8Array(await subtle().decrypt(gcm(encryption, header, place), key, content.slice()))
    } catch (cause) {
      if (place.number === 0)
        throw new AgidbError(
          'AGIDB_PASSPHRASE',
          'this is not the passphrase of the export, or its first chunk was changed',
          {},
          { cause },
        )
      throw damaged(`chunk ${place.number} was changed, moved, or made the last one`, { chunk: place.number }, cause)
    }
  }
}

async function deriveKey(passphrase: string, { iterations, salt }: Encryption): Promise<CryptoKey> {
  // Composed and decomposed letters look the same to the person who types them (RFC 8265, section 4.2.2).
  const secret = new TextEncoder().encode(passphrase.normalize('NFC'))
  const material = await subtle().importKey('raw', secret, 'PBKDF2', false, ['deriveKey'])
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt: salt.slice(), iterations }
  return subtle().deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

function gcm(
  { noncePrefix }: Encryption,
  header: Uint8Array,
  { number, final }: ChunkPosition,
): { name: 'AES-GCM'; iv: Uint8Array<ArrayBuffer>; additionalData: Uint8Array<ArrayBuffer> } {
  const place = new Uint8Array(5)
  new DataView(place.buffer).setUint32(0, number, false)
  place[4] = final ? 1 : 0
  return { name: 'AES-GCM', iv: joinBytes([noncePrefix, place]), additionalData: joinBytes([header, place]) }
}
