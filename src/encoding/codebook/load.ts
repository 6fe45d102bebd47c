import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { AgidbError } from '../../base/errors.js'
import { codebookContents, parseCodebook, type Codebook } from './codebook.js'

/** Where the codebook comes from: `static` is the one beside the library, `none` is none. */
export type CodebookSource = 'static' | 'none' | BufferSource | URL

/**
 * Loads a codebook and checks its contents against its id.
 *
 * @returns `undefined` for `none`
 * @throws AgidbError `AGIDB_CODEBOOK` when it is not there, is none, is damaged, or is of a newer version
 */
export async function loadCodebook(source: CodebookSource = 'static'): Promise<Codebook | undefined> {
  if (source === 'none') return undefined
  if (source === 'static' || source instanceof URL) return checkedCodebook(await fetchCodebook(source))
  return checkedCodebook(bytesOf(source))
}

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
 * The bytes of the codebook beside the library, or of a URL.
 *
 * @throws AgidbError `AGIDB_CODEBOOK` when they cannot be had
 */
export async function fetchCodebook(source: 'static' | URL): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const url = source === 'static' ? new URL('./built/minilm-256.bin', import.meta.url) : source
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${url.href} answered ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const url = source === 'static' ? import.meta.url : source.href
    throw new AgidbError(
      'AGIDB_CODEBOOK',
      `the codebook cannot be fetched (${reason}); give agidb/codebook.bin as its bytes or its URL, or 'none'`,
      { url },
      { cause },
    )
  }
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
