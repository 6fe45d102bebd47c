import { AgidbError } from '../core/errors.js'
import type { Kernel } from './port.js'
// Not on demand: bundlers refuse a worker in more than one piece unless they are told to make modules.
import { referenceKernel } from './reference.js'
import { wasmKernel } from './wasm.js'

/** Where the kernel comes from. */
export interface LoadKernelOptions {
  /** The built WebAssembly kernel. Default: fetched from beside the library. */
  readonly kernel?: WebAssembly.Module | BufferSource | URL
  /** Use the TypeScript kernel even where WebAssembly SIMD is there. Default false. */
  readonly referenceKernel?: boolean
}

/**
 * The kernel for this runtime: WebAssembly, or TypeScript where WebAssembly SIMD is missing, may not
 * be compiled from bytes, or is not where it is looked for by default ({@link Kernel.name} says which).
 *
 * Throws `AGIDB_KERNEL` when a `kernel` was given and cannot be used.
 */
export async function loadKernel(options: LoadKernelOptions = {}): Promise<Kernel> {
  const { kernel } = options
  if (options.referenceKernel) return referenceKernel()
  try {
    const source = kernel ?? new URL('./built/agidb_kernel_bg.wasm', import.meta.url)
    return await wasmKernel(await compile(source))
  } catch (cause) {
    if (kernel === undefined) return referenceKernel()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AgidbError(
      'AGIDB_KERNEL',
      `the given kernel cannot be used (${reason}); it must be agidb/kernel.wasm of this version as a ` +
        'WebAssembly.Module, its bytes or its URL, and the runtime must have WebAssembly SIMD',
      { reason },
      { cause },
    )
  }
}

/** Where a kernel comes from, in a form that crosses to another thread. */
export type KernelSource = WebAssembly.Module | BufferSource | { readonly url: string } | undefined

/** The source as {@link loadKernel} takes it. */
export function kernelSource(source: KernelSource): LoadKernelOptions['kernel'] {
  return source !== undefined && 'url' in source ? new URL(source.url) : source
}

async function compile(source: WebAssembly.Module | BufferSource | URL): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source
  if (!(source instanceof URL)) return WebAssembly.compile(source)
  const response = await fetch(source)
  if (!response.ok) throw new Error(`${source.href} answered ${response.status}`)
  // By its bytes: streaming needs a server that sends the right media type.
  return WebAssembly.compile(await response.arrayBuffer())
}
