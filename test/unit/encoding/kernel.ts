import { readKernel } from '../../../src/kernel/node.js'
import { loadKernel } from '../../../src/kernel/load.js'

/** The WebAssembly kernel, one for the file that imports this. */
export const kernel = await loadKernel({ kernel: await readKernel() })
