import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { AgidbError } from '../core/errors.js'
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
  const bytes = await read(source === 'static' ? new URL('./built/minilm-256.bin', import.meta.url) : source)
  const codebook = parseCodebook(bytes)
  const found = bytesToHex(sha256(codebookContents(bytes))).slice(0, codebook.id.length)
  if (found !== codebook.id) {
    throw new AgidbError('AGIDB_CODEBOOK', `the codebook ${codebook.id} has contents of ${found}: it is damaged, fetch it again`, { id: codebook.id, found })
  }
  return codebook
}

/**
 * The codebook of a page. Without it everything works, a little less well, so the one beside the library is used if it can be
 * loaded; one that was asked for must be there.
 *
 * @param source what the caller asked for, if anything.
 * @returns the codebook, if there is one, and what is wrong with the default one, if anything.
 * @throws AgidbError as {@link loadCodebook}, for a codebook that was asked for
 */
export async function codebookHere(source: CodebookSource | undefined): Promise<{ readonly codebook?: Codebook; readonly codebookProblem?: string }> {
  try {
    return { codebook: await loadCodebook(source) }
  } catch (error) {
    if (source !== undefined) throw error
    return { codebookProblem: error instanceof Error ? error.message : String(error) }
  }
}

async function read(source: BufferSource | URL): Promise<Uint8Array> {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
  if (!(source instanceof URL)) return new Uint8Array(source)
  try {
    const response = await fetch(source)
    if (!response.ok) throw new Error(`${source.href} answered ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AgidbError('AGIDB_CODEBOOK', `the codebook cannot be fetched (${reason}); give agidb/codebook.bin as its bytes or its URL, or 'none'`, { url: source.href }, { cause })
  }
}
