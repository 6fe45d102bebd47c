import { readFile } from 'node:fs/promises'

/** The bytes of the kernel beside the library, or of a `file:` URL, which Node cannot fetch. */
export function readKernel(url = new URL('./built/agidb_kernel_bg.wasm', import.meta.url)): Promise<BufferSource> {
  return readFile(url)
}
