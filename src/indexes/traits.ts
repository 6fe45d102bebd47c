import type { Traits } from '../encoding/traits.js'
import { Column } from '../base/column.js'
import type { CheckpointParts } from '../base/checkpoint-parts.js'
import type { Index, IndexTools } from './port.js'

/** Indexes what kind of text an episode has: questions, names, numbers and the like. */
export function traitIndex({ words }: IndexTools): Index<TraitIndex> {
  const traits = new TraitIndex()
  return {
    contents: traits,
    add: (slot, { text }, read) => traits.add(slot, words.traits(read, text)),
    update: (slot, { text }, read) => traits.add(slot, words.traits(read(), text)),
    remove: (slot) => traits.remove(slot),
  }
}

/** The traits of each live episode's text, by slot. */
export class TraitIndex {
  readonly #bits = new Column(Uint16Array, 0)
  readonly #words = new Column(Uint16Array, 0)

  /** Bytes of memory. */
  get bytes(): number {
    return this.#bits.bytes + this.#words.bytes
  }

  add(slot: number, { bits, words }: Traits): void {
    this.#bits.set(slot, bits)
    this.#words.set(slot, Math.min(words, 0xffff))
  }

  remove(slot: number): void {
    this.#bits.set(slot, 0)
    this.#words.set(slot, 0)
  }

  save(parts: CheckpointParts, name: string): void {
    this.#bits.save(parts, `${name}.bits`)
    this.#words.save(parts, `${name}.words`)
  }

  load(parts: CheckpointParts, name: string): void {
    this.#bits.load(parts, `${name}.bits`)
    this.#words.load(parts, `${name}.words`)
  }

  /** The traits of the text at `slot`, bits of `TRAIT`. */
  bits(slot: number): number {
    return this.#bits.get(slot)
  }

  /** Words of the text at `slot`. */
  words(slot: number): number {
    return this.#words.get(slot)
  }
}
