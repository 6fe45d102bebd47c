import { bytesOf, checkedCodebook } from './check.js'
import type { Codebook } from './codebook.js'
import { fetchCodebook } from './fetch.js'
import { codebookUrl } from './file.js'
import type { OnOpenProgress } from '../../api/open-progress.js'

/** Where the codebook comes from: `static` is the one beside the library, `none` is none. */
export type CodebookSource = 'static' | 'none' | BufferSource | URL

/**
 * Loads a codebook and checks its contents against its id.
 *
 * @param onProgress told of the bytes that have come, where they are fetched.
 * @returns `undefined` for `none`
 * @throws AgidbError `AGIDB_CODEBOOK` when it is not there, is none, is damaged, or is of a newer version
 */
export async function loadCodebook(
  source: CodebookSource = 'static',
  onProgress?: OnOpenProgress,
): Promise<Codebook | undefined> {
  if (source === 'none') return undefined
  const url = source === 'static' ? codebookUrl() : source
  if (url instanceof URL) return checkedCodebook(await fetchCodebook(url, onProgress))
  return checkedCodebook(bytesOf(url))
}
