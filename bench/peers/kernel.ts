import { heaviest } from '../../src/encoding/heaviest.js'
import { latentQuery, latentSignature } from '../../src/encoding/latent.js'
import { dot } from '../../src/indexes/latents.js'
import { readKernel } from '../../src/kernel/node.js'
import { loadKernel } from '../../src/kernel/load.js'
import { SIGNATURE_BYTES, type Hypervector, type Kernel, type Query } from '../../src/kernel/port.js'
import { dimensionsFor } from '../../src/recall/evidence/scores.js'
import type { Contender } from './contender.js'

/** This library's kernel, by an exact scan. It keeps nothing: the engine does. */
export const kernelBits = contender<Uint8Array>(
  'agidb kernel',
  (_, bits) => bits,
  (kernel, bits) => kernel.query(bits),
)

/** The same over sign projections of latents, asked with a weighted query: near to the cosine, not exact. */
export const kernelLatents = contender<Float32Array>('agidb kernel, sign projections', latentSignature, latentQuery)

/**
 * Of the hundred best by the heaviest dimensions the ten with the greatest cosine, much as recall looks twice; the
 * floats are kept beside the signatures.
 */
export const kernelReranked: Contender<Float32Array> = {
  name: 'agidb kernel, 100 by cosine',
  async open() {
    const kernel = await loadKernel({ kernel: await readKernel() })
    const arena = kernel.arena()
    const kept: Float32Array[] = []
    return {
      add(latents) {
        const slots = Uint32Array.from(latents, (_, i) => kept.length + i)
        arena.setMany(slots, together(latents.map((latent) => latentSignature(kernel, latent))))
        kept.push(...latents)
      },
      search(latent, k) {
        const query = latentQuery(kernel, latent)
        const dimensions = dimensionsFor(arena.size, query)
        const { slots } = arena.scan(dimensions === undefined ? query : heaviest(query, dimensions), SHORTLIST)
        const cosines = Array.from(slots, (slot) => ({ slot, cosine: dot(latent, kept[slot]) }))
        return cosines
          .sort((a, b) => b.cosine - a.cosine)
          .slice(0, k)
          .map(({ slot }) => slot)
      },
      bytes: () => arena.bytes + kept.reduce((sum, { byteLength }) => sum + byteLength, 0),
    }
  },
}

const SHORTLIST = 100

function contender<Item>(
  name: string,
  signature: (kernel: Kernel, item: Item) => Hypervector,
  asked: (kernel: Kernel, item: Item) => Query,
): Contender<Item> {
  return {
    name,
    async open() {
      const kernel = await loadKernel({ kernel: await readKernel() })
      const arena = kernel.arena()
      let next = 0
      return {
        add(items) {
          arena.setMany(
            Uint32Array.from(items, () => next++),
            together(items.map((item) => signature(kernel, item))),
          )
        },
        search: (query, k) => [...arena.scan(asked(kernel, query), k).slots],
        bytes: () => arena.bytes,
      }
    },
  }
}

function together(signatures: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(SIGNATURE_BYTES * signatures.length)
  signatures.forEach((signature, i) => bytes.set(signature, SIGNATURE_BYTES * i))
  return bytes
}
