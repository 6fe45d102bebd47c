import { bringsGraphs } from './brought-graphs.js'
import type { GraphKernel } from './graph.js'
import type { Kernel } from './port.js'
import { adoptGraphs, wasmGraphMemory, wasmGraphs } from './wasm/graph/instance.js'

export { loadGraphs } from './wasm/graph/instance.js'

/**
 * What makes graphs for a kernel: the same whenever it is asked for. A kernel that does not bring them along needs
 * `loadGraphs` first.
 */
export function graphKernelOf(kernel: Kernel): GraphKernel {
  if (kernel.graphs !== undefined) return kernel.graphs()
  const loaded = wasmGraphs()
  if (loaded !== undefined) return loaded
  if (!bringsGraphs(kernel)) throw new Error('the module of the graphs is not loaded')
  return adoptGraphs(kernel.exports!)
}

/** Bytes that the graphs of a kernel have beside its own; `undefined` where those of their objects are to be added. */
export function graphMemoryBytes(kernel: Kernel): number | undefined {
  return kernel.graphs === undefined ? wasmGraphMemory() : undefined
}
