import { readFile } from 'node:fs/promises'
import { deniedReading, isDenied } from '../base/denied.js'
import { AgidbError } from '../base/errors.js'

const BESIDE = new URL('./built/agidb_kernel_bg.wasm', import.meta.url)

/**
 * The bytes of the kernel, which Node cannot fetch.
 *
 * @param url A `file:` URL. Default: that of the kernel beside the library.
 * @throws AgidbError `AGIDB_KERNEL` when there is no such file, as beside a bundle that left it behind, or Deno may not
 * read it
 */
export async function readKernel(url = BESIDE): Promise<BufferSource> {
  try {
    return await readFile(url)
  } catch (cause) {
    if (isDenied(cause)) throw new AgidbError('AGIDB_KERNEL', deniedReading(url.pathname), { url: url.href }, { cause })
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message =
      url === BESIDE
        ? `the kernel beside the library cannot be read (${reason}): a bundler that copies the library must leave ` +
          'agidb external, or copy agidb/kernel.wasm and agidb/codebook.bin, too, and pass their places as the ' +
          "options 'kernel' and 'codebook'"
        : `the kernel at ${url.href} cannot be read (${reason}); give the URL of agidb/kernel.wasm`
    throw new AgidbError('AGIDB_KERNEL', message, { url: url.href }, { cause })
  }
}
