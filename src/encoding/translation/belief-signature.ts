import type { Triple } from '../../api/episode.js'
import type { Hypervector, Kernel } from '../../kernel/port.js'
import type { Records } from '../record.js'
import { termCounts } from '../tokens.js'
import { LEAST_Z, standingOut } from './standing-out.js'

/** What a belief signature is made of: a statement or, without one, a claim in words; and how sure it is. */
export interface BeliefContent {
  readonly claim: string
  readonly triple?: Triple
  /** 0 to 1. */
  readonly confidence: number
}

/** Steps of the confidence: it is rounded to a multiple of 1/20. */
export const CONFIDENCE_STEPS = 20
/** Against a tie-breaker of weight 1. */
const PART_WEIGHT = 2

/**
 * Encodes beliefs: the bundle of the bindings of the statement, or of the claim under its own role, and of the
 * confidence under its own role. Confidences are levels between two fixed hypervectors, so that near confidences are
 * alike.
 */
export class BeliefSignatures {
  readonly #kernel: Kernel
  readonly #records: Records
  readonly #claim: Hypervector
  readonly #confidence: Hypervector
  #levels: readonly Hypervector[] | undefined

  constructor(kernel: Kernel, records: Records) {
    this.#kernel = kernel
    this.#records = records
    this.#claim = kernel.fromName('agidb/role/claim')
    this.#confidence = kernel.fromName('agidb/role/confidence')
  }

  signature(belief: BeliefContent): Hypervector {
    const { kernel, levels } = { kernel: this.#kernel, levels: this.#allLevels() }
    const step = Math.round(belief.confidence * CONFIDENCE_STEPS)
    const confidence = kernel.bind(this.#confidence, levels[step])
    // Seven parts of a statement never tie. A claim is one part, so a tie is broken by the claim itself.
    if (belief.triple !== undefined) return kernel.bundle([...this.#records.bindings(belief.triple), confidence])
    const claim = this.claim(belief.claim)
    return kernel.bundle([claim, confidence, kernel.permute(claim, 1)], Int32Array.of(PART_WEIGHT, PART_WEIGHT, 1))
  }

  /** A claim in words, bound to its role. */
  claim(claim: string): Hypervector {
    const terms = [...termCounts(claim).keys()]
    const names = terms.length === 0 ? [`claim:${claim}`] : terms.map((term) => `claim:${term}`)
    const text = this.#kernel.textSignature(names, new Int32Array(names.length).fill(1))
    return this.#kernel.bind(this.#claim, text)
  }

  /** The confidence in a belief signature; `undefined` where none stands out from chance. */
  confidence(signature: Hypervector): number | undefined {
    const noisy = this.#kernel.bind(signature, this.#confidence)
    let best = -1
    let most = LEAST_Z
    this.#allLevels().forEach((level, step) => {
      const z = standingOut(this.#kernel, noisy, level)
      if (z > most) [best, most] = [step, z]
    })
    return best < 0 ? undefined : best / CONFIDENCE_STEPS
  }

  /** How far a claim stands out in a belief signature, in standard deviations; `undefined` under 5. */
  claims(signature: Hypervector, claim: string): number | undefined {
    const z = standingOut(this.#kernel, signature, this.claim(claim))
    return z < LEAST_Z ? undefined : z
  }

  /** The level of each step: the first dimensions of one hypervector, the others of another. */
  #allLevels(): readonly Hypervector[] {
    if (this.#levels !== undefined) return this.#levels
    const [low, high] = [this.#kernel.fromName('agidb/level/low'), this.#kernel.fromName('agidb/level/high')]
    this.#levels = Array.from({ length: CONFIDENCE_STEPS + 1 }, (_, step) => {
      const bytes = Math.round((step * low.length) / CONFIDENCE_STEPS)
      const level = low.slice()
      level.set(high.subarray(0, bytes))
      return level
    })
    return this.#levels
  }
}
