import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { EntryId } from '../../api/entry-facet.js'
import { encodeUtf8 } from '../../base/utf8.js'

/** The id of the entry with a content: SHA-256 of its UTF-8 (FIPS 180-4), in hexadecimal. */
export function entryIdOf(content: string): EntryId {
  return bytesToHex(sha256(encodeUtf8(content)))
}
