import type { Traits } from '../hdc/traits.js'
import { Column } from './column.js'

/** The traits of each live episode's text, by slot. */
export class TraitIndex {
  readonly #bits = new Column(Uint16Array, 0)
  readonly #words = new Column(Uint16Array, 0)

  add(slot: number, { bits, words }: Traits): void {
    this.#bits.set(slot, bits)
    this.#words.set(slot, Math.min(words, 0xffff))
  }

  remove(slot: number): void {
    this.#bits.set(slot, 0)
    this.#words.set(slot, 0)
  }

  /** Whether the text at `slot` has a trait, a bit of `TRAIT`. */
  has(slot: number, trait: number): boolean {
    return (this.#bits.get(slot) & trait) !== 0
  }

  /** Words of the text at `slot`. */
  words(slot: number): number {
    return this.#words.get(slot)
  }
}
