import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { peer, resolved, type Contender, type Index } from './contender.js'

interface Engine {
  add(resource: { embeddings: { id: string; title: string; url: string; embeddings: number[] }[] }): void
  search(query: Float32Array, k: number): { neighbors: { id: string }[] }
  serialize(): string
}

interface Glue extends WebAssembly.ModuleImports {
  __wbg_set_wasm(exports: WebAssembly.Exports): void
  Voy: { new (resource?: object): Engine; deserialize(serialized: string): Engine }
}

/**
 * voy (WebAssembly), a k-d tree. Its entry imports WebAssembly as bundlers do, so it is put together by hand. More than
 * 32 equal vectors make it panic, so it is given each but once, and those that are equal are answered with it.
 */
export const voy: Contender<Float32Array> = {
  name: 'voy, equal vectors once',
  open: async ({ folder }) => indexed(new (await glue()).Voy({ embeddings: [] }), [], folder),
  async reopen({ folder }) {
    const [serialized, groups] = await Promise.all(
      [SERIALIZED, GROUPS].map((name) => readFile(join(folder, name), 'utf8')),
    )
    return indexed((await glue()).Voy.deserialize(serialized), JSON.parse(groups) as number[][], folder)
  },
}

const [SERIALIZED, GROUPS] = ['voy.json', 'equal.json']

/** @param groups the numbers of equal vectors, by the id under which voy knows them */
function indexed(engine: Engine, groups: number[][], folder: string): Index<Float32Array> {
  const known = new Map<string, number>()
  let next = 0
  return {
    add(vectors) {
      const embeddings = vectors.flatMap((vector) => {
        const key = createHash('sha1').update(vector).digest('base64')
        const group = known.get(key)
        groups[group ?? groups.length] = [...(groups[group ?? -1] ?? []), next++]
        if (group !== undefined) return []
        known.set(key, groups.length - 1)
        return [{ id: String(groups.length - 1), title: '', url: '', embeddings: [...vector] }]
      })
      if (embeddings.length > 0) engine.add({ embeddings })
    },
    search: (query, k) =>
      engine
        .search(query, k)
        .neighbors.flatMap(({ id }) => groups[Number(id)])
        .slice(0, k),
    async save() {
      await writeFile(join(folder, SERIALIZED), engine.serialize())
      await writeFile(join(folder, GROUPS), JSON.stringify(groups))
    },
  }
}

async function glue(): Promise<Glue> {
  const glue = await peer<Glue>('voy-search/voy_search_bg.js')
  const bytes = await readFile(resolved('voy-search/voy_search_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(bytes, { './voy_search_bg.js': glue })
  glue.__wbg_set_wasm(instance.exports)
  return glue
}
