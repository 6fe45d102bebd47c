import { AgidbError } from '../../base/errors.js'

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
