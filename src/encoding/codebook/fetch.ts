import type { OnOpenProgress } from '../../api/open-progress.js'
import { AgidbError } from '../../base/errors.js'
import { joinBytes } from '../../base/join-bytes.js'
import { hashOf } from './check.js'

/**
 * The bytes of a codebook.
 *
 * @param onProgress told of the bytes that have come, after each piece of them.
 * @throws AgidbError `AGIDB_CODEBOOK` when they cannot be had
 */
export async function fetchCodebook(url: URL, onProgress?: OnOpenProgress): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${url.href} answered ${response.status}`)
    const { body, headers } = response
    if (onProgress && body) return await counted({ body, headers }, onProgress)
    return new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AgidbError(
      'AGIDB_CODEBOOK',
      `the codebook cannot be fetched (${reason}); give agidb/codebook.bin as its bytes or its URL, or 'none'`,
      { url: url.href },
      { cause },
    )
  }
}

/**
 * The file of the ranker's models for memories with a codebook; `undefined` where it cannot be had, which the console
 * is told.
 *
 * @param digest the hash of the file of this version; see `hashOf`.
 */
export async function fetchModels(url: URL, digest: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    if ((await hashOf(bytes)) !== digest) throw new Error('what it answered is not the file of this version')
    return bytes
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    console.warn(
      `agidb: ${url.href} cannot be fetched (${reason}), so memories are ranked as without a codebook; ` +
        'serve ranker.bin of this version at that address',
    )
    return undefined
  }
}

/** The bytes of a response, counted while they come. */
async function counted(
  { body, headers }: { body: ReadableStream<Uint8Array>; headers: Response['headers'] },
  onProgress: OnOpenProgress,
): Promise<Uint8Array<ArrayBuffer>> {
  // Of what is compressed on its way the header says another length than that of the bytes that come out.
  const length = headers.get('content-encoding') === null ? Number(headers.get('content-length')) : 0
  const pieces: Uint8Array[] = []
  let done = 0
  const reader = body.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    pieces.push(read.value)
    done += read.value.length
    onProgress({ what: 'codebook', done, ...(length > 0 && { of: length }) })
  }
  onProgress({ what: 'codebook', done, of: done })
  return joinBytes(pieces)
}
