import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { EntryId } from '../../api/entry-facet.js'
import { encodeUtf8 } from '../../base/utf8.js'

/** SHA-256 of bytes, or of a text in UTF-8 (FIPS 180-4), in hexadecimal. */
export function hashOf(document: string | Uint8Array): string {
  return bytesToHex(sha256(typeof document === 'string' ? encodeUtf8(document) : document))
}

/** The id of the entry with a content. */
export function entryIdOf(content: string): EntryId {
  return hashOf(content)
}
