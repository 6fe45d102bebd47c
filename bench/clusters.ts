import { type Arena, type Kernel, type Query, SIGNATURE_BYTES } from '../src/kernel/port.js'
import { shuffled } from './random.js'

/** Signatures that a cluster's middle is made of, on the average. */
const SAMPLE = 40
const ROUNDS = 5

/**
 * An inverted file: every signature belongs to the cluster whose middle is nearest, and of a query only the clusters
 * with the nearest middles are looked at (Jégou, Douze and Schmid 2011, without their codes). Middles are made by
 * Lloyd's algorithm from a sample; the middle of signatures is what most of them have at each dimension, which has the
 * least distance to all.
 */
export class Clusters {
  readonly #middles: Arena
  readonly #items: readonly Uint32Array[]

  /** @param signatures one after the other; an item's number is its place. */
  constructor(kernel: Kernel, signatures: readonly Uint8Array[], count: number, random: () => number) {
    const sample = shuffled(signatures, random).slice(0, SAMPLE * count)
    this.#middles = kernel.arena({ rows: count })
    sample.slice(0, count).forEach((signature, cluster) => this.#middles.set(cluster, signature))
    const own = (signature: Uint8Array) => this.#middles.scan(kernel.query(signature), 1).slots[0]
    for (let round = 0; round < ROUNDS; round++) {
      gathered(sample.map(own), count).forEach((members, cluster) => {
        if (members.length > 0) this.#middles.set(cluster, kernel.bundle(Array.from(members, (item) => sample[item])))
      })
    }
    this.#items = gathered(signatures.map(own), count)
  }

  /** Bytes for each item. */
  get bytes(): number {
    return 4 + (this.#items.length * SIGNATURE_BYTES) / this.#items.reduce((sum, { length }) => sum + length, 0)
  }

  /** The items of so many clusters, those with the best middles. */
  near(query: Query, probes: number): Uint32Array {
    return Uint32Array.from(
      [...this.#middles.scan(query, probes).slots].flatMap((cluster) => [...this.#items[cluster]]),
    ).sort()
  }

  free(): void {
    this.#middles.free()
  }
}

/** The items of each cluster, by the cluster of each item. */
function gathered(clusters: readonly number[], count: number): Uint32Array[] {
  const items = Array.from({ length: count }, (): number[] => [])
  clusters.forEach((cluster, item) => items[cluster].push(item))
  return items.map((of) => Uint32Array.from(of))
}
