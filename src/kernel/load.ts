import { type KernelFile, type LoadKernelOptions, loadKernelOr } from './loading.js'
import type { Kernel } from './port.js'
import * as reference from './reference/kernel.js'

export type { LoadKernelOptions } from './loading.js'

/** The kernel with its graphs. */
const WHOLE: KernelFile = {
  name: 'agidb_kernel_bg.wasm',
  url: () => new URL('./built/agidb_kernel_bg.wasm', import.meta.url),
}

/** The kernel for this runtime, as {@link loadKernelOr}, with its graphs and with the TypeScript kernel at hand. */
export function loadKernel(options?: LoadKernelOptions): Promise<Kernel> {
  return loadKernelOr(WHOLE, async () => reference, options)
}
