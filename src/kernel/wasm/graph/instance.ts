import * as wasm from '../../built/agidb_graphs.js'
import { GRAPH_EXPORTS } from '../../brought-graphs.js'
import type { GraphKernel } from '../../graph.js'
import { WasmGraphs } from './kernel.js'

let graphs: GraphKernel | undefined
/** The memory of the graphs where they are a module of their own. */
let ownMemory: WebAssembly.Memory | undefined
let loading: Promise<wasm.InitOutput> | undefined

/** The graphs of this thread, once they are loaded or taken from a kernel. */
export function wasmGraphs(): GraphKernel | undefined {
  return graphs
}

/** Bytes of memory that the graphs of this thread have beside that of the kernel. */
export function wasmGraphMemory(): number {
  return ownMemory?.buffer.byteLength ?? 0
}

/** The graphs of a kernel that brings them along. All WebAssembly kernels of a thread are one. */
export function adoptGraphs(exports: object): GraphKernel {
  if (graphs === undefined) {
    wasm.adopt(exports)
    graphs = new WasmGraphs()
  }
  return graphs
}

/**
 * Loads the graphs as a module of their own, with a memory of its own, unless they are there. All memories of a thread
 * share it.
 *
 * @throws what `WebAssembly.instantiate` throws, and a `LinkError` for a module that is not that of the graphs.
 */
export async function loadGraphs(module: WebAssembly.Module): Promise<void> {
  if (graphs !== undefined) return
  const exported = new Set(WebAssembly.Module.exports(module).map(({ name }) => name))
  const missing = GRAPH_EXPORTS.filter((name) => !exported.has(name))
  if (missing.length > 0) throw new WebAssembly.LinkError(`the module does not export ${missing.join(', ')}`)
  loading ??= wasm.default(module)
  try {
    ownMemory = (await loading).memory
  } catch (error) {
    loading = undefined
    throw error
  }
  graphs ??= new WasmGraphs()
}
