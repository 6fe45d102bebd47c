import type { Hits } from '../port.js'

/**
 * The `k` best of a stream of scored slots: descending by score, ties ascending by slot. A binary
 * heap with the worst of the kept at its root.
 */
export class TopK {
  private readonly slots: number[] = []
  private readonly scores: number[] = []

  constructor(private readonly k: number) {}

  offer(slot: number, score: number): void {
    if (this.slots.length < this.k) {
      this.slots.push(slot)
      this.scores.push(score)
      this.rise(this.slots.length - 1)
    } else if (this.k > 0 && (score > this.scores[0] || (score === this.scores[0] && slot < this.slots[0]))) {
      this.slots[0] = slot
      this.scores[0] = score
      this.sink()
    }
  }

  hits(): Hits {
    const { slots, scores } = this
    const order = slots.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || slots[a] - slots[b])
    return {
      slots: Uint32Array.from(order, (i) => slots[i]),
      scores: Int32Array.from(order, (i) => scores[i]),
    }
  }

  private rise(i: number): void {
    for (let parent = (i - 1) >> 1; i > 0 && this.worse(i, parent); i = parent, parent = (i - 1) >> 1) {
      this.swap(i, parent)
    }
  }

  private sink(): void {
    for (let i = 0; ; ) {
      let worst = i
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (child < this.slots.length && this.worse(child, worst)) worst = child
      }
      if (worst === i) return
      this.swap(i, worst)
      i = worst
    }
  }

  private worse(i: number, j: number): boolean {
    return this.scores[i] < this.scores[j] || (this.scores[i] === this.scores[j] && this.slots[i] > this.slots[j])
  }

  private swap(i: number, j: number): void {
    for (const list of [this.slots, this.scores]) {
      const kept = list[i]
      list[i] = list[j]
      list[j] = kept
    }
  }
}
