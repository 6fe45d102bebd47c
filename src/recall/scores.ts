import type { Indexes } from '../indexes/indexes.js'
import type { FetchSignatures } from '../indexes/signatures.js'
import { type Arena, type Kernel, type Query, SIGNATURE_BYTES } from '../kernel/port.js'

/** The arenas that can be asked for the scores of some slots. */
export interface Scorers {
  readonly text: Scorer
  readonly structured: Scorer
  readonly latent: Scorer | undefined
  readonly sentence: Scorer | undefined
}

export type Scorer = Pick<Arena, 'score'>

/** All arenas of the indexes: for memories of which they keep the rows, from which a few slots are scored in no time. */
export function scorersOf({ text, structured, latents, sentences }: Indexes): Scorers {
  return { text, structured, latent: latents?.arena, sentence: sentences?.arena }
}

/**
 * Scores given slots with the signatures of these alone: in a memory that is too large for its rows, to read some from the
 * storage is quicker than to go through all columns.
 */
export async function withScorers<T>(indexes: Indexes, fetch: FetchSignatures | undefined, slots: Uint32Array, use: (scorers: Scorers) => T): Promise<T> {
  if (fetch === undefined || indexes.hasRows) return use(scorersOf(indexes))
  const { kernel, latents, sentences } = indexes
  const few = { text: new Few(kernel, slots.length), latent: latents && new Few(kernel, slots.length), sentence: sentences && new Few(kernel, slots.length) }
  await fetch(slots, (slot, { text, latent, sentence }) => {
    few.text.take(slot, text)
    few.latent?.take(slot, latent)
    few.sentence?.take(slot, sentence)
  })
  const [text, latent, sentence] = [few.text, few.latent, few.sentence].map((some) => some?.arena())
  try {
    return use({ text: text!, latent, sentence, structured: indexes.structured })
  } finally {
    for (const arena of [text, latent, sentence]) arena?.free()
  }
}

/** A few signatures, put into an arena together. */
class Few {
  readonly #kernel: Kernel
  readonly #slots: Uint32Array
  readonly #signatures: Uint8Array
  #count = 0

  constructor(kernel: Kernel, most: number) {
    this.#kernel = kernel
    this.#slots = new Uint32Array(most)
    this.#signatures = new Uint8Array(most * SIGNATURE_BYTES)
  }

  take(slot: number, signature: Uint8Array | undefined): void {
    if (signature === undefined) return
    this.#slots[this.#count] = slot
    this.#signatures.set(signature, this.#count++ * SIGNATURE_BYTES)
  }

  arena(): Arena {
    const arena = this.#kernel.arena()
    arena.setMany(this.#slots.subarray(0, this.#count), this.#signatures.subarray(0, this.#count * SIGNATURE_BYTES))
    return arena
  }
}

/** Signatures from which on a scan asks at the heaviest dimensions alone. */
export const LARGE = 32_768
/** Dimensions asked at, times signatures: so that the scan takes about as long, however many there are. */
const WORK = 2 ** 28
/** With 512 dimensions 99.8 % of the ten best are among the hundred that the scan finds, with 1,024 practically all (`bench:speed -- --only heaviest`, of 100,000 turns). */
const DIMENSIONS = { least: 512, most: 1024 }

/** At how many dimensions an arena of so many signatures is to be asked; `undefined`: at all. */
export function dimensionsFor(signatures: number, query: Query): number | undefined {
  if (signatures < LARGE || query.planes === undefined) return undefined
  return Math.max(DIMENSIONS.least, Math.min(DIMENSIONS.most, Math.floor(WORK / signatures)))
}
