/**
 * Numbers that look random and follow from a seed: xoshiro128** (Blackman and Vigna, 2018), its state filled by
 * splitmix32. The same seed gives the same numbers everywhere.
 */
export class Random {
  readonly #state = new Uint32Array(4)

  constructor(seed: number) {
    let z = seed >>> 0
    for (let i = 0; i < 4; i++) {
      z = (z + 0x9e3779b9) >>> 0
      let mixed = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
      this.#state[i] = mixed ^ (mixed >>> 15)
    }
  }

  /** A whole number from 0 to below `n`, each as likely as the others. */
  below(n: number): number {
    const limit = 0x100000000 - (0x100000000 % n)
    let drawn = this.#next()
    while (drawn >= limit) drawn = this.#next()
    return drawn % n
  }

  /** Fills an array with 0 to its length − 1 in a random order (Fisher and Yates). */
  shuffle(order: Uint32Array): void {
    for (let i = 0; i < order.length; i++) order[i] = i
    for (let i = order.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      ;[order[i], order[j]] = [order[j], order[i]]
    }
  }

  #next(): number {
    const s = this.#state
    const product = Math.imul(s[1], 5)
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0
    const shifted = s[1] << 9
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= shifted
    s[3] = (s[3] << 11) | (s[3] >>> 21)
    return result
  }
}
