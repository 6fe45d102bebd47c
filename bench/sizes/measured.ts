import type { Stats } from '../../src/api/stats.js'
import type { Answered, Begun, Filled } from './story.js'

/** What one place says of one size; times in milliseconds. */
export interface Measured extends Filled, Begun, Answered, Taken {
  readonly diskBytes: number
  /** What JavaScript's heap has more than before the memory was opened; in Chromium, all that page and worker have. */
  readonly heapBytes: number
  /** Likewise what the buffers beside the heap have, WebAssembly's memory not counted in Node. */
  readonly bufferBytes: number
  /** Likewise what the process has of main memory. */
  readonly residentBytes?: number
  /** What open until all texts were read, and the recalls, took of the processors, each; known in Node alone. */
  readonly openCpuMs?: number
  readonly recallCpuMs?: number
  readonly observeCpuMs?: number
  /** What MiniSearch with stems takes for the same questions among the same turns, in the same place. */
  readonly miniSearch?: readonly number[]
}

/** What the engine says of its memory. */
export interface Taken {
  /** WebAssembly, copies of signatures in other threads included. */
  readonly wasmBytes: number
  /** All that it counts. */
  readonly memoryBytes: number
  readonly threads: number
}

export function taken({ memory, memoryParts, shards }: Pick<Stats, 'memory' | 'memoryParts' | 'shards'>): Taken {
  return { memoryBytes: memory, wasmBytes: memoryParts.kernel + memoryParts.shards, threads: shards.threads }
}
