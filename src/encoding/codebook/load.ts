import { bytesOf, checkedCodebook } from './check.js'
import type { Codebook } from './codebook.js'
import { fetchCodebook } from './fetch.js'

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
