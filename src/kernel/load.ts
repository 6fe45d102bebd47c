import type { Kernel } from './port.js'

/** Where the kernel comes from. */
export interface LoadKernelOptions {
  /** The built WebAssembly kernel. Default: the one beside the library. */
  readonly kernel?: WebAssembly.Module | BufferSource | URL
  /** Use the TypeScript kernel even where WebAssembly SIMD is there. Default false. */
  readonly referenceKernel?: boolean
}

/** The kernel for this runtime. */
export async function loadKernel(_options: LoadKernelOptions = {}): Promise<Kernel> {
  const { referenceKernel } = await import('./reference.js')
  return referenceKernel()
}
