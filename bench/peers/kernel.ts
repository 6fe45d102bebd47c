import { latentQuery, latentSignature } from '../../src/hdc/latent.js'
import { readKernel } from '../../src/kernel/built-node.js'
import { loadKernel } from '../../src/kernel/load.js'
import { SIGNATURE_BYTES, type Hypervector, type Kernel, type Query } from '../../src/kernel/port.js'
import type { Contender } from './contender.js'

/** This library's kernel, by an exact scan. It keeps nothing: the engine does. */
export const kernelBits = contender<Uint8Array>('agidb kernel', (_, bits) => bits, (kernel, bits) => kernel.query(bits))

/** The same over sign projections of latents, asked with a weighted query: near to the cosine, not exact. */
export const kernelLatents = contender<Float32Array>('agidb kernel, sign projections', latentSignature, latentQuery)

function contender<Item>(name: string, signature: (kernel: Kernel, item: Item) => Hypervector, asked: (kernel: Kernel, item: Item) => Query): Contender<Item> {
  return {
    name,
    async open() {
      const kernel = await loadKernel({ kernel: await readKernel() })
      const arena = kernel.arena()
      let next = 0
      return {
        add(items) {
          const signatures = new Uint8Array(SIGNATURE_BYTES * items.length)
          items.forEach((item, i) => signatures.set(signature(kernel, item), SIGNATURE_BYTES * i))
          arena.setMany(Uint32Array.from(items, () => next++), signatures)
        },
        search: (query, k) => [...arena.scan(asked(kernel, query), k).slots],
        bytes: () => arena.bytes,
      }
    },
  }
}
