import { LEAST_WEIGHT, MAX_TAG_LINKS, type TagLink } from '../../graph.js'
import { compareHashes, type Hash } from '../../graph/name-hash.js'
import { EVICTED_LINKS, type HashLink, type HashTable, mixed } from '../../graph/tags.js'

/** Says what a table of links means. */
export class ReferenceTagTable implements HashTable {
  readonly #links = new Map<string, HashLink>()

  /** @param linkBytes of a link in WebAssembly */
  constructor(private readonly linkBytes: number) {}

  get size(): number {
    return this.#links.size
  }

  get bytes(): number {
    return 2 * this.size * this.linkBytes
  }

  get(a: Hash, b: Hash): TagLink | undefined {
    const link = this.#links.get(keyOf(a, b))
    return link && { weight: link.weight, count: link.count, atMs: link.atMs }
  }

  set(a: Hash, b: Hash, { weight, count, atMs }: TagLink): void {
    const key = keyOf(a, b)
    if (this.size === MAX_TAG_LINKS && !this.#links.has(key)) this.#evict()
    this.#links.set(key, { a, b, weight, count, atMs })
  }

  remove(a: Hash, b: Hash): boolean {
    return this.#links.delete(keyOf(a, b))
  }

  links(tag?: Hash, side = 3): HashLink[] {
    const is = (hash: Hash) => tag === undefined || compareHashes(hash, tag) === 0
    return [...this.#links.values()].filter(({ a, b }) => ((side & 1) > 0 && is(a)) || ((side & 2) > 0 && is(b)))
  }

  decay(factor: number): void {
    for (const [key, link] of this.#links) {
      const weight = Math.fround(link.weight * factor)
      if (weight < LEAST_WEIGHT) this.#links.delete(key)
      else this.#links.set(key, { ...link, weight })
    }
  }

  clear(): void {
    this.#links.clear()
  }

  #evict(): void {
    const links = this.links().map((link) => ({ link, hash: mixed(link.a, link.b) }))
    links.sort((x, y) => x.link.weight - y.link.weight || x.hash - y.hash)
    const last = links[EVICTED_LINKS - 1]
    for (const { link, hash } of links)
      if (link.weight < last.link.weight || (link.weight === last.link.weight && hash <= last.hash))
        this.remove(link.a, link.b)
  }
}

function keyOf(a: Hash, b: Hash): string {
  return `${a.high} ${a.low} ${b.high} ${b.low}`
}
