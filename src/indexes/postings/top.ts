/**
 * The `k` best of the slots that are offered, by descending score. Slots are offered in ascending order, and of equal
 * scores the slot that was offered first stands first.
 */
export class Top {
  readonly #k: number
  /** A heap: no score is less than its parent's at `(i - 1) >> 1`, and of equal ones the later is above. */
  readonly #scores: number[] = []
  readonly #slots: number[] = []

  /** @param k at least 1 */
  constructor(k: number) {
    this.#k = k
  }

  /** What a score must exceed to be among the best: above 0, as long as there are not `k`. */
  get least(): number {
    return this.#scores.length < this.#k ? 0 : this.#scores[0]
  }

  /** @param score above {@link least} */
  offer(slot: number, score: number): void {
    if (this.#scores.length < this.#k) {
      this.#scores.push(score)
      this.#slots.push(slot)
      this.#rise(this.#scores.length - 1)
    } else {
      this.#put(0, slot, score)
      this.#sink()
    }
  }

  /** Best first, ties ascending by slot. */
  best(): { readonly slots: number[]; readonly scores: number[] } {
    const [slots, scores] = [this.#slots, this.#scores]
    const order = slots.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || slots[a] - slots[b])
    return { slots: order.map((i) => slots[i]), scores: order.map((i) => scores[i]) }
  }

  #rise(at: number): void {
    const [slot, score] = [this.#slots[at], this.#scores[at]]
    for (let parent = (at - 1) >> 1; at > 0 && this.#worse(slot, score, parent); parent = (at - 1) >> 1) {
      this.#put(at, this.#slots[parent], this.#scores[parent])
      at = parent
    }
    this.#put(at, slot, score)
  }

  #sink(): void {
    const [slot, score] = [this.#slots[0], this.#scores[0]]
    const length = this.#slots.length
    let at = 0
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && this.#worse(this.#slots[child + 1], this.#scores[child + 1], child)) child++
      if (this.#worse(slot, score, child)) break
      this.#put(at, this.#slots[child], this.#scores[child])
      at = child
    }
    this.#put(at, slot, score)
  }

  #worse(slot: number, score: number, than: number): boolean {
    return score < this.#scores[than] || (score === this.#scores[than] && slot > this.#slots[than])
  }

  #put(at: number, slot: number, score: number): void {
    this.#slots[at] = slot
    this.#scores[at] = score
  }
}
