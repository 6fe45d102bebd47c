import { readFile } from 'node:fs/promises'
import { deniedReading, isDenied } from '../../base/denied.js'
import { AgidbError } from '../../base/errors.js'

/** The bytes of the codebook beside the library, of a path, or of a `file:` URL, which Node cannot fetch. */
export async function readCodebook(
  file: string | URL = new URL('./built/minilm-256.bin', import.meta.url),
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readFile(file)
  } catch (cause) {
    const name = String(file)
    const message = isDenied(cause)
      ? deniedReading(file instanceof URL ? file.pathname : file)
      : `the codebook at ${name} cannot be read; give the path or URL of agidb/codebook.bin, or 'none'`
    throw new AgidbError('AGIDB_CODEBOOK', message, { file: name }, { cause })
  }
}
