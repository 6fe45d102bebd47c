import { AgidbError } from '../base/errors.js'
import type { Kernel } from './port.js'
import type { referenceKernel } from './reference/kernel.js'
import { wasmKernel } from './wasm/kernel.js'

/** The first byte of a page of HTML. */
const LESS_THAN = 0x3c

/** Where the kernel comes from. */
export interface LoadKernelOptions {
  /** The built WebAssembly kernel. Default: fetched from beside the library. */
  readonly kernel?: WebAssembly.Module | BufferSource | URL
  /** Use the TypeScript kernel even where WebAssembly SIMD is there. Default false. */
  readonly referenceKernel?: boolean
}

/** A built kernel that lies beside the library. */
export interface KernelFile {
  readonly name: string
  /** Its address. A module in the bundle of an edge worker may have none: then this throws. */
  readonly url: () => URL
}

/** What has the TypeScript kernel. */
export interface ReferenceKernels {
  readonly referenceKernel: typeof referenceKernel
}

/**
 * The kernel for this runtime: WebAssembly, or TypeScript where WebAssembly SIMD is missing, may not be compiled from
 * bytes, or is not where it is looked for by default ({@link Kernel.name} says which, {@link Kernel.fallback} why).
 *
 * Throws `AGIDB_KERNEL` when a `kernel` was given and cannot be used, or neither kernel can be loaded.
 *
 * @param beside the kernel that is used when none is given.
 * @param reference loads the TypeScript kernel, when it is needed.
 */
export async function loadKernelOr(
  beside: KernelFile,
  reference: () => Promise<ReferenceKernels>,
  options: LoadKernelOptions = {},
): Promise<Kernel> {
  const { kernel } = options
  if (options.referenceKernel) return (await reference()).referenceKernel()
  try {
    return await wasmKernel(await compileModule(kernel ?? beside.url()))
  } catch (cause) {
    if (kernel === undefined) {
      const fallback = explained(cause, beside.name)
      const { referenceKernel } = await reference().catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new AgidbError(
          'AGIDB_KERNEL',
          `the WebAssembly kernel cannot be used: ${fallback}; nor can the TypeScript kernel: ${reason}`,
          { reason: fallback },
          { cause },
        )
      })
      return referenceKernel(undefined, fallback)
    }
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
export type KernelSource = WebAssembly.Module | BufferSource | { readonly url: string }

/**
 * The WebAssembly kernel of a thread that works for another.
 *
 * Throws what `fetch`, `WebAssembly.compile` and `WebAssembly.instantiate` throw.
 */
export async function kernelFrom(source: KernelSource): Promise<Kernel> {
  return wasmKernel(await compileModule('url' in source ? new URL(source.url) : source))
}

/** A module of which there are the bytes, or the address. */
export async function compileModule(source: WebAssembly.Module | BufferSource | URL): Promise<WebAssembly.Module> {
  if (isModule(source)) return source as WebAssembly.Module
  if (!(source instanceof URL)) return WebAssembly.compile(source as BufferSource)
  const response = await fetch(source)
  if (!response.ok) throw new Error(`${source.href} answered ${response.status}`)
  const bytes = await response.arrayBuffer()
  // Servers of single-page applications answer every address with the page.
  if (new Uint8Array(bytes)[0] === LESS_THAN)
    throw new Error(`${source.href} answered with a page (HTML), not with the kernel`)
  // By its bytes: streaming needs a server that sends the right media type.
  return WebAssembly.compile(bytes)
}

/**
 * Whether a kernel is compiled. The sandboxes of edge runtimes are given modules of another realm, of which
 * `instanceof` says no.
 */
function isModule(source: object): boolean {
  return Object.prototype.toString.call(source) === '[object WebAssembly.Module]'
}

/** Why the WebAssembly kernel cannot be used, and what to do about it. */
function explained(cause: unknown, name: string): string {
  const reason = cause instanceof Error ? cause.message : String(cause)
  if (/unsafe-eval|content security policy/i.test(reason)) {
    return "the content security policy of the page forbids WebAssembly; add 'wasm-unsafe-eval' to script-src"
  }
  if (/CompileError/.test(String(cause)))
    return `this runtime cannot compile it (${reason}); WebAssembly SIMD is needed`
  return (
    `${reason}; serve ${name} of this version at that address, ` +
    'or pass open({ kernel }) with agidb/kernel.wasm ' +
    'as its URL, its bytes or a WebAssembly.Module'
  )
}
