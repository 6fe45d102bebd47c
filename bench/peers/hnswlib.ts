import { peer, type Contender } from './contender.js'

interface Module {
  default(): Promise<{
    HEAPU8: Uint8Array
    HierarchicalNSW: new (
      space: 'cosine',
      dimensions: number,
      autoSave: string,
    ) => {
      initIndex(most: number, m: number, efConstruction: number, seed: number): void
      addPoints(points: readonly Float32Array[], labels: readonly number[], replaceDeleted: boolean): void
      setEfSearch(ef: number): void
      searchKnn(query: Float32Array, k: number, filter: undefined): { neighbors: number[] }
    }
  }>
}

/**
 * hnswlib in WebAssembly, m 16, efConstruction 200. It is built for pages and keeps its index in IndexedDB; here it is
 * told that there is a window.
 */
export const hnswlib: readonly Contender<Float32Array>[] = [64, 256].map((ef) => ({
  name: `hnswlib-wasm, ef ${ef}`,
  async open({ count }) {
    Object.assign(globalThis, { window: globalThis })
    // Its entry waits for IndexedDB; this is what the entry loads.
    const { default: factory } = await peer<Module>('hnswlib-wasm/dist/hnswlib-317962d7.js')
    const library = await factory()
    const index = new library.HierarchicalNSW('cosine', 256, '')
    index.initIndex(count, 16, 200, 100)
    index.setEfSearch(ef)
    let next = 0
    return {
      add: (vectors) =>
        index.addPoints(
          vectors,
          vectors.map(() => next++),
          false,
        ),
      search: (query, k) => index.searchKnn(query, k, undefined).neighbors,
      bytes: () => library.HEAPU8.length,
    }
  },
}))
