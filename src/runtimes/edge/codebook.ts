import type { OnOpenProgress } from '../../api/open-progress.js'
import type { Codebook } from '../../encoding/codebook/codebook.js'
import { type CodebookSource, loadCodebook } from '../../encoding/codebook/load.js'

/** Codebooks that were read, by the bytes that a program imported. */
const read = new WeakMap<object, Codebook>()

/**
 * The codebook of a memory. All memories of an isolate that were given the same bytes share it, since reading it takes
 * tens of milliseconds. A promise is not shared: one request must not wait for another.
 *
 * @param onProgress told of the bytes that have come, where they are fetched.
 * @throws AgidbError `AGIDB_CODEBOOK`
 */
export async function sharedCodebook(
  source: CodebookSource,
  onProgress?: OnOpenProgress,
): Promise<Codebook | undefined> {
  if (typeof source === 'string') return loadCodebook(source, onProgress)
  const known = read.get(source)
  if (known !== undefined) return known
  const codebook = await loadCodebook(source, onProgress)
  if (codebook !== undefined) read.set(source, codebook)
  return codebook
}
