import { decodeUtf8 } from '../../base/utf8.js'
import { type CoActivation, LEAST_WEIGHT, MAX_TAG_LINKS, type TagLink, type TagLinks, type TagTable } from '../graph.js'
import {
  checkCount,
  checkEmptyGraph,
  checkEntityName,
  checkedWeight,
  checkFactor,
  checkTagLink,
  checkTime,
} from './checks.js'
import { damaged, opened, sealed, WordReader, WordWriter } from './image.js'
import { compareHashes, type Hash, hashName, hashOfKey, keyOfHash } from './name-hash.js'

/** A link as it is kept. */
export interface HashLink extends TagLink {
  readonly a: Hash
  readonly b: Hash
}

/** Links by the hashes of two tags: what the kernels have each their own of. Weights are float32. */
export interface HashTable {
  readonly size: number
  readonly bytes: number
  get(a: Hash, b: Hash): TagLink | undefined
  /** Where there are {@link MAX_TAG_LINKS} others the weakest sixteenth goes first: by weight, then {@link mixed}. */
  set(a: Hash, b: Hash, link: TagLink): void
  remove(a: Hash, b: Hash): boolean
  /** All links, in no order; or those of a tag as the first, the second, or either of two (1, 2, 3). */
  links(tag?: Hash, side?: number): HashLink[]
  decay(factor: number): void
  clear(): void
}

/** Bytes of a link of a pair, and of one with a direction, in WebAssembly. */
export const PAIR_BYTES = 32
export const EDGE_BYTES = 40
/** Links that go at once. */
export const EVICTED_LINKS = MAX_TAG_LINKS / 16

/** The hash of two hashes, by which a link has its place: products with odd numbers and shifts, as in XXH32. */
export function mixed(a: Hash, b: Hash): number {
  let x = a.low ^ Math.imul(a.high, 0x9e37_79b1)
  x = Math.imul(x ^ (x >>> 15), 0x85eb_ca77) ^ b.low
  x = Math.imul(x ^ (x >>> 13), 0xc2b2_ae3d) ^ b.high
  x = Math.imul(x ^ (x >>> 16), 0x9e37_79b1)
  return (x ^ (x >>> 15)) >>> 0
}

/** Co-activation of tags on the tables of a kernel: knows the names for the hashes. */
export class TagGraph implements CoActivation {
  readonly #names = new Map<bigint, string>()
  readonly #pairs: NamedTable
  readonly #edges: NamedTable

  constructor(
    pairs: HashTable,
    edges: HashTable,
    private readonly release: () => void,
  ) {
    this.#pairs = new NamedTable(pairs, this.#names, false, (a, b) => this.#forgetBare([a, b]))
    this.#edges = new NamedTable(edges, this.#names, true, (a, b) => this.#forgetBare([a, b]))
  }

  get pairs(): TagTable {
    return this.#pairs
  }

  get edges(): TagTable {
    return this.#edges
  }

  get bytes(): number {
    return this.#pairs.table.bytes + this.#edges.table.bytes
  }

  remove(tag: string): number {
    checkEntityName(tag)
    const hash = hashName(tag)
    const bare = [hash]
    let removed = 0
    for (const { table } of [this.#pairs, this.#edges]) {
      for (const { a, b } of table.links(hash, 3)) {
        table.remove(a, b)
        bare.push(a, b)
        removed++
      }
    }
    this.#forgetBare(bare)
    return removed
  }

  decay(factor: number): void {
    checkFactor(factor)
    for (const { table } of [this.#pairs, this.#edges]) table.decay(Math.fround(factor))
    this.#forgetUnused()
  }

  save(): Uint8Array {
    this.#forgetUnused()
    const writer = new WordWriter()
    for (const { table } of [this.#pairs, this.#edges]) {
      writer.word(table.size)
      for (const { a, b, weight, count, atMs } of table.links().sort(compareLinks)) {
        for (const word of [a.low, a.high, b.low, b.high]) writer.word(word)
        writer.float(weight)
        writer.word(count)
        writer.double(atMs)
      }
    }
    const utf8 = new TextEncoder()
    for (const key of [...this.#names.keys()].sort((a, b) => (a < b ? -1 : 1))) {
      const bytes = utf8.encode(this.#names.get(key))
      writer.word(bytes.length)
      writer.bytesOf(bytes)
    }
    return sealed('COAX', this.pairs.size + this.edges.size, writer.bytes)
  }

  load(bytes: Uint8Array): void {
    checkEmptyGraph(this.pairs.size + this.edges.size)
    const { body, count } = opened('COAX', bytes)
    const reader = new WordReader('COAX', body)
    try {
      for (const { table } of [this.#pairs, this.#edges]) readLinks(reader, table)
      while (!reader.ended) {
        const name = decodeUtf8(reader.bytesOf(reader.word()))
        this.#names.set(keyOfHash(hashName(name)), name)
      }
      if (this.pairs.size + this.edges.size !== count) throw damaged('COAX', 'it has another number of links')
      const used = this.#used()
      if (used.size !== this.#names.size || [...used].some((key) => !this.#names.has(key)))
        throw damaged('COAX', 'its names are not those of its links')
    } catch (error) {
      this.#clear()
      throw error
    }
  }

  free(): void {
    this.#clear()
    this.release()
  }

  #clear(): void {
    for (const { table } of [this.#pairs, this.#edges]) table.clear()
    this.#names.clear()
  }

  /** Forgets the names of those tags that are in no link. */
  #forgetBare(tags: readonly Hash[]): void {
    const tables = [this.#pairs, this.#edges]
    for (const key of new Set(tags.map(keyOfHash)))
      if (tables.every(({ table }) => table.links(hashOfKey(key), 3).length === 0)) this.#names.delete(key)
  }

  /** Forgets the names of all tags that are in no link. */
  #forgetUnused(): void {
    const used = this.#used()
    for (const key of this.#names.keys()) if (!used.has(key)) this.#names.delete(key)
  }

  #used(): Set<bigint> {
    const links = [...this.#pairs.table.links(), ...this.#edges.table.links()]
    return new Set(links.flatMap(({ a, b }) => [keyOfHash(a), keyOfHash(b)]))
  }
}

/** A table by the names of tags. */
class NamedTable implements TagTable {
  constructor(
    readonly table: HashTable,
    private readonly names: Map<bigint, string>,
    private readonly directed: boolean,
    private readonly gone: (a: Hash, b: Hash) => void,
  ) {}

  get size(): number {
    return this.table.size
  }

  add(a: string, b: string, weight: number, atMs: number): number {
    const more = checkedWeight(weight, -1, 1)
    checkTime(atMs)
    const { weight: before, count } = this.get(a, b) ?? { weight: 0, count: 0 }
    const now = Math.min(1, Math.max(0, Math.fround(before + more)))
    const link = { weight: now < LEAST_WEIGHT ? 0 : now, count: Math.min(count + 1, 0xffff_ffff), atMs }
    this.set(a, b, link)
    return link.weight
  }

  get(a: string, b: string): TagLink | undefined {
    return this.table.get(...this.#hashes(a, b))
  }

  set(a: string, b: string, link: TagLink): void {
    checkTagLink(link)
    const [first, second] = this.#hashes(a, b)
    const weight = Math.fround(link.weight)
    if (weight < LEAST_WEIGHT) {
      this.#remove(first, second)
      return
    }
    this.table.set(first, second, { ...link, weight })
    for (const name of [a, b]) this.names.set(keyOfHash(hashName(name)), name)
  }

  remove(a: string, b: string): boolean {
    return this.#remove(...this.#hashes(a, b))
  }

  from(tag: string, most: number): TagLinks {
    return this.#links(tag, this.directed ? 1 : 3, most)
  }

  to(tag: string, most: number): TagLinks {
    return this.#links(tag, this.directed ? 2 : 3, most)
  }

  #remove(a: Hash, b: Hash): boolean {
    const removed = this.table.remove(a, b)
    if (removed) this.gone(a, b)
    return removed
  }

  #links(tag: string, side: number, most: number): TagLinks {
    checkEntityName(tag)
    checkCount(most, 'most')
    const hash = hashName(tag)
    const others = this.table.links(hash, side).map(({ a, b, weight }) => {
      const other = side === 2 || (side === 3 && compareHashes(a, hash) !== 0) ? a : b
      return { other, weight }
    })
    others.sort((x, y) => y.weight - x.weight || compareHashes(x.other, y.other))
    const best = others.slice(0, most)
    return {
      tags: best.map(({ other }) => this.names.get(keyOfHash(other)) as string),
      weights: Float32Array.from(best, ({ weight }) => weight),
    }
  }

  /** Of a pair the lower hash is the first. */
  #hashes(a: string, b: string): [Hash, Hash] {
    checkEntityName(a)
    checkEntityName(b)
    const [first, second] = [hashName(a), hashName(b)]
    return this.directed || compareHashes(first, second) <= 0 ? [first, second] : [second, first]
  }
}

function compareLinks(x: HashLink, y: HashLink): number {
  return compareHashes(x.a, y.a) || compareHashes(x.b, y.b)
}

function readLinks(reader: WordReader, table: HashTable): void {
  const size = reader.word()
  if (size > MAX_TAG_LINKS) throw damaged('COAX', 'it has too many links')
  for (let i = 0; i < size; i++) {
    const [aLow, aHigh, bLow, bHigh] = [reader.word(), reader.word(), reader.word(), reader.word()]
    const [weight, count, atMs] = [reader.float(), reader.word(), reader.double()]
    if (!(weight >= LEAST_WEIGHT && weight <= 1) || !Number.isFinite(atMs))
      throw damaged('COAX', 'a weight or a time is out of range')
    table.set({ high: aHigh, low: aLow }, { high: bHigh, low: bLow }, { weight, count, atMs })
  }
}
