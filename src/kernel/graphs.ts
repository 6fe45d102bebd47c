import type { GraphKernel } from './graph.js'
import type { Kernel } from './port.js'
import { WasmGraphs } from './wasm/graph/kernel.js'

let wasmGraphs: WasmGraphs | undefined

/** What makes graphs in the memory of a kernel: the same whenever it is asked for. */
export function graphKernelOf(kernel: Kernel): GraphKernel {
  // All WebAssembly kernels of a thread are one.
  return kernel.graphs?.() ?? (wasmGraphs ??= new WasmGraphs())
}
