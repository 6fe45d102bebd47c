import { readFile } from 'node:fs/promises'
import { peer, resolved, type Contender } from './contender.js'

interface Module {
  default(init: { module_or_path: Uint8Array }): Promise<unknown>
  EdgeVecConfig: new (
    dimensions: number,
  ) => { indexType: number; metric: string; vector_type: number; ef_search: number }
  EdgeVec: new (config: object) => Edge
  JsIndexType: { Flat: number; Hnsw: number }
  VectorType: { Float32: number; Binary: number }
}

interface Edge {
  insertBinary(vector: Uint8Array): number
  insertBatchFlat(vectors: Float32Array, count: number): Uint32Array
  searchBinary(query: Uint8Array, k: number): { id: number }[]
  search(query: Float32Array, k: number): { id: number }[]
  memoryUsage(): number
}

/** EdgeVec (WebAssembly). It keeps its index in IndexedDB alone, so in Node it cannot be opened again. */
export const edgevecBits: readonly Contender<Uint8Array>[] = [
  bits('edgevec, flat', 'Flat'),
  bits('edgevec, HNSW', 'Hnsw'),
]

export const edgevecLatents: readonly Contender<Float32Array>[] = [
  {
    // Of unit vectors the order is the same; by 'cosine' and 'dot', version 0.9.0 answers with the farthest.
    name: 'edgevec, HNSW f32, by l2',
    async open() {
      const { edge } = await opened(256, 'Hnsw', 'Float32', 'l2')
      return {
        add(vectors) {
          const flat = new Float32Array(256 * vectors.length)
          vectors.forEach((vector, i) => flat.set(vector, 256 * i))
          edge.insertBatchFlat(flat, vectors.length)
        },
        search: (query, k) => edge.search(query, k).map(({ id }) => id - 1),
        bytes: () => edge.memoryUsage(),
      }
    },
  },
]

function bits(name: string, kind: 'Flat' | 'Hnsw'): Contender<Uint8Array> {
  return {
    name,
    async open() {
      const { edge } = await opened(8192, kind, 'Binary', 'hamming')
      return {
        add: (vectors) => vectors.forEach((vector) => edge.insertBinary(vector)),
        search: (query, k) => edge.searchBinary(query, k).map(({ id }) => id - 1),
        bytes: () => edge.memoryUsage(),
      }
    },
  }
}

async function opened(
  dimensions: number,
  kind: 'Flat' | 'Hnsw',
  type: 'Float32' | 'Binary',
  metric: string,
): Promise<{ edge: Edge }> {
  const module = await peer<Module>('edgevec/edgevec.js')
  await module.default({ module_or_path: await readFile(resolved('edgevec/edgevec_bg.wasm')) })
  const config = new module.EdgeVecConfig(dimensions)
  config.indexType = module.JsIndexType[kind]
  config.vector_type = module.VectorType[type]
  config.metric = metric
  return { edge: new module.EdgeVec(config) }
}
