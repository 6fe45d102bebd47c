import { join } from 'node:path'
import { peer, type Contender, type Index, type Setting } from './contender.js'

interface Usearch {
  add(keys: BigUint64Array, vectors: Float32Array, threads: number): void
  search(query: Float32Array, k: number, threads: number): { keys: BigUint64Array }
  save(path: string): void
  load(path: string): void
}

interface Module {
  Index: new (config: Record<string, number | string | boolean>) => Usearch
}

const CONNECTIVITY = 16
const EXPANSION_ADD = 128

/** usearch, native, HNSW of one bit a dimension. Its Node binding takes floats alone, and makes bits of them inside. */
export const usearchBits: readonly Contender<Uint8Array>[] = [64, 1024].map((ef) =>
  contender(
    `usearch (native), HNSW b1, ef ${ef}`,
    { dimensions: 8192, metric: 'hamming', quantization: 'b1', expansion_search: ef },
    unpacked,
  ),
)

export const usearchLatents: readonly Contender<Float32Array>[] = [64, 256].map((ef) =>
  contender(
    `usearch (native), HNSW f32, ef ${ef}`,
    { dimensions: 256, metric: 'cos', quantization: 'f32', expansion_search: ef },
    (vector) => vector,
  ),
)

type Config = Record<'dimensions' | 'expansion_search', number> & Record<'metric' | 'quantization', string>

function contender<Item>(name: string, config: Config, floats: (item: Item) => Float32Array): Contender<Item> {
  const made = async ({ folder }: Setting, saved: boolean): Promise<Index<Item>> => {
    const { Index } = await peer<Module>('usearch/javascript/dist/esm/usearch.js')
    const index = new Index({ ...config, connectivity: CONNECTIVITY, expansion_add: EXPANSION_ADD, multi: false })
    const path = join(folder, 'usearch.index')
    if (saved) index.load(path)
    let next = 0n
    return {
      add(items) {
        const flat = new Float32Array(config.dimensions * items.length)
        items.forEach((item, i) => flat.set(floats(item), config.dimensions * i))
        index.add(
          BigUint64Array.from(items, () => next++),
          flat,
          1,
        )
      },
      search: (query, k) => Array.from(index.search(floats(query), k, 1).keys, Number),
      save: () => index.save(path),
    }
  }
  return { name, open: (setting) => made(setting, false), reopen: (setting) => made(setting, true) }
}

function unpacked(bits: Uint8Array): Float32Array {
  const floats = new Float32Array(8 * bits.length)
  for (let i = 0; i < floats.length; i++) floats[i] = (bits[i >> 3] >> (i & 7)) & 1
  return floats
}
