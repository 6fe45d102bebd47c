import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { AgidbError } from '../../base/errors.js'
import { codebookContents, parseCodebook, type Codebook } from './codebook.js'

/** The bytes of a source that is there. */
export function bytesOf(source: BufferSource): Uint8Array<ArrayBuffer> {
  if (!ArrayBuffer.isView(source)) return new Uint8Array(source)
  return new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength)
}

/**
 * Reads a codebook from its bytes, which are kept, and checks its contents against its id.
 *
 * @throws AgidbError `AGIDB_CODEBOOK`
 */
export async function checkedCodebook(bytes: Uint8Array<ArrayBuffer>): Promise<Codebook> {
  const codebook = parseCodebook(bytes)
  const found = (await hashOf(codebookContents(bytes))).slice(0, codebook.id.length)
  if (found !== codebook.id) {
    throw new AgidbError(
      'AGIDB_CODEBOOK',
      `the codebook ${codebook.id} has contents of ${found}: it is damaged, fetch it again`,
      { id: codebook.id, found },
    )
  }
  return codebook
}

/**
 * SHA-256 in hexadecimal, by the runtime, several times as fast; but a page that was not sent securely has no
 * `crypto.subtle`.
 */
export async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return bytesToHex(
    crypto.subtle === undefined ? sha256(bytes) : new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)),
  )
}
