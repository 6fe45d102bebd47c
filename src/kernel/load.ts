import { type LoadKernelOptions, loadKernelOr } from './loading.js'
import type { Kernel } from './port.js'
import * as reference from './reference/kernel.js'

export { type KernelSource, kernelSource, type LoadKernelOptions } from './loading.js'

/** The kernel for this runtime, as {@link loadKernelOr}, with the TypeScript kernel at hand. */
export function loadKernel(options?: LoadKernelOptions): Promise<Kernel> {
  return loadKernelOr(async () => reference, options)
}
