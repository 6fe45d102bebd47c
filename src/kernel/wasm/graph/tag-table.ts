import * as wasm from '../../built/agidb_graphs.js'
import type { TagLink } from '../../graph.js'
import type { Hash } from '../../graph/name-hash.js'
import type { HashLink, HashTable } from '../../graph/tags.js'

/** Two hashes, weight, count, and time in two. */
const WORDS = 8
const NO_HASH: Hash = { high: 0, low: 0 }

/** Links of tags in the memory of WebAssembly. */
export class WasmTagTable implements HashTable {
  #tags: wasm.WasmTags

  constructor(private readonly linkBytes: number) {
    this.#tags = new wasm.WasmTags(linkBytes)
  }

  get size(): number {
    return this.#tags.size(0)
  }

  get bytes(): number {
    return this.#tags.size(1)
  }

  get(a: Hash, b: Hash): TagLink | undefined {
    const [link] = linksOf(this.#tags.get(keyOf(a, b)))
    return link && { weight: link.weight, count: link.count, atMs: link.atMs }
  }

  set(a: Hash, b: Hash, { weight, count, atMs }: TagLink): void {
    const words = new Uint32Array(WORDS)
    words.set(keyOf(a, b))
    const view = new DataView(words.buffer)
    view.setFloat32(16, weight, true)
    view.setUint32(20, count, true)
    view.setFloat64(24, atMs, true)
    this.#tags.set(words)
  }

  remove(a: Hash, b: Hash): boolean {
    return this.#tags.remove(keyOf(a, b))
  }

  links(tag?: Hash, side = 3): HashLink[] {
    const { low, high } = tag ?? NO_HASH
    return linksOf(this.#tags.links(low, high, tag === undefined ? 0 : side))
  }

  decay(factor: number): void {
    this.#tags.decay(factor)
  }

  clear(): void {
    this.#tags.free()
    this.#tags = new wasm.WasmTags(this.linkBytes)
  }

  free(): void {
    this.#tags.free()
  }
}

function keyOf(a: Hash, b: Hash): Uint32Array {
  return Uint32Array.of(a.low, a.high, b.low, b.high)
}

function linksOf(words: Uint32Array): HashLink[] {
  const view = new DataView(words.buffer, words.byteOffset)
  return Array.from({ length: words.length / WORDS }, (_, i) => {
    const [aLow, aHigh, bLow, bHigh] = words.subarray(i * WORDS)
    return {
      a: { high: aHigh, low: aLow },
      b: { high: bHigh, low: bLow },
      weight: view.getFloat32(32 * i + 16, true),
      count: view.getUint32(32 * i + 20, true),
      atMs: view.getFloat64(32 * i + 24, true),
    }
  })
}
