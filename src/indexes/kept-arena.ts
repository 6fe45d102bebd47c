import { part, type ImageParts } from '../core/image.js'
import type { Arena, Kernel } from '../kernel/port.js'
import type { ImagePart, StoredImage } from '../storage/port.js'

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() }

/**
 * An arena in an image. Its blocks, nearly all of it, are marked with the digest of their content: those that have not
 * changed since the last image are not written again.
 */
export class KeptArena {
  readonly arena: Arena
  readonly #kernel: Kernel
  readonly #name: string
  /** The digest of each block, and the stamp that it had then. */
  #digests: { readonly stamp: number; readonly digest: string }[] = []

  constructor(kernel: Kernel, name: string, arena: Arena) {
    this.#kernel = kernel
    this.#name = name
    this.arena = arena
  }

  /** All parts. The arena must not change until they are written. */
  save(): ImagePart[] {
    const { layout, slots, rows, blocks } = this.arena.image()
    this.#digests = blocks.map(({ stamp, bytes }, i) => {
      const known = this.#digests[i]
      return known?.stamp === stamp ? known : { stamp, digest: this.#kernel.digest(bytes()) }
    })
    const digests = this.#digests.map(({ digest }) => digest)
    const about = utf8.encoder.encode(JSON.stringify({ layout, digests } satisfies About))
    return [
      { name: `${this.#name}.about`, array: () => about },
      { name: `${this.#name}.slots`, array: () => slots },
      { name: `${this.#name}.rows`, array: () => rows },
      ...digests.map((mark, i): ImagePart => ({ name: `${this.#name}.${i}`, array: blocks[i].bytes, mark })),
    ]
  }

  /** Fills the empty arena from its parts. Throws when they are not what was saved. */
  async load(parts: ImageParts, image: StoredImage): Promise<void> {
    const { layout, digests } = JSON.parse(utf8.decoder.decode(part(parts, `${this.#name}.about`, Uint8Array))) as About
    const slots = part(parts, `${this.#name}.slots`, Uint32Array)
    const rows = part(parts, `${this.#name}.rows`, Uint8Array)
    await this.arena.restore({ layout, slots, rows, blocks: digests.length }, (block, bytes) => image.fill(`${this.#name}.${block}`, bytes))
    this.#digests = this.arena.image().blocks.map(({ stamp, bytes }, i) => {
      const digest = this.#kernel.digest(bytes())
      if (digest !== digests[i]) throw new Error(`block ${i} of ${this.#name} is damaged`)
      return { stamp, digest }
    })
  }
}

interface About {
  readonly layout: string
  readonly digests: readonly string[]
}
