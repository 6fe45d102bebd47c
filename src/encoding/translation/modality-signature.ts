import type { Modality } from '../../api/sensory.js'
import type { Hypervector, Kernel } from '../../kernel/port.js'

/** What was perceived at once, by modality: every modality has a role of its own. */
export type Perceived = Readonly<Partial<Record<Modality, Hypervector>>>

/** Against a tie-breaker of weight 1. */
const PART_WEIGHT = 2

/**
 * Bundles the signatures of several modalities, each bound to its role, so that each can be unbound again. Two parts
 * leave a similarity of 0.75 to the part that is unbound, four about 0.69.
 */
export class ModalitySignatures {
  readonly #kernel: Kernel

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /** `undefined` where nothing was perceived. */
  signature(perceived: Perceived): Hypervector | undefined {
    const parts = Object.entries(perceived).flatMap(([modality, signature]) => {
      return signature === undefined ? [] : [this.#kernel.bind(this.#role(modality), signature)]
    })
    if (parts.length === 0) return undefined
    // Broken by a part, ties would lean to it; by a rotation of all parts they do not.
    const tieBreaker = this.#kernel.permute(
      parts.reduce((a, b) => this.#kernel.bind(a, b)),
      1,
    )
    const weights = new Int32Array(parts.length + 1).fill(PART_WEIGHT)
    weights[parts.length] = 1
    return this.#kernel.bundle([...parts, tieBreaker], weights)
  }

  /** The noisy signature of a modality. */
  unbind(signature: Hypervector, modality: Modality): Hypervector {
    return this.#kernel.bind(signature, this.#role(modality))
  }

  #role(modality: Modality): Hypervector {
    return this.#kernel.fromName(`agidb/role/${modality}`)
  }
}
