import { longer, part, type CheckpointParts } from '../../base/checkpoint-parts.js'
import { BLOCK, Blocks, FIELDS, LAST, NEXT, NONE, Unpacked } from './blocks.js'
import type { Lengths } from './documents.js'

/** A chain of blocks for each term, by ascending slot. */
export class PostingLists {
  readonly blocks = new Blocks()
  /** By term, its first block and its last. */
  #ends = new Uint32Array(2 * 512)
  readonly #unpacked = new Unpacked()
  readonly #other = new Unpacked()

  /** Bytes of memory. */
  get bytes(): number {
    return this.blocks.bytes + this.#ends.byteLength
  }

  /** The first block of a term, or {@link NONE}. */
  first(term: number): number {
    return 2 * term < this.#ends.length ? this.#ends[2 * term] : NONE
  }

  /** The highest slot that has a term, which some has. */
  last(term: number): number {
    return this.blocks.table[this.#ends[2 * term + 1] * FIELDS + LAST]
  }

  /** @param documents of which this is one already */
  add(term: number, slot: number, frequency: number, documents: Lengths): void {
    if (2 * term + 1 >= this.#ends.length) this.#ends = longer(this.#ends, 2 * Math.ceil(1.5 * (term + 1)))
    const { blocks } = this
    const last = this.#ends[2 * term + 1]
    if (last !== NONE && slot < blocks.table[last * FIELDS + LAST]) {
      this.#insert(term, slot, frequency, documents)
      return
    }
    let block = last
    if (last === NONE || blocks.count(last) === BLOCK) {
      block = blocks.create()
      if (last === NONE) this.#ends[2 * term] = block
      else blocks.table[last * FIELDS + NEXT] = block
      this.#ends[2 * term + 1] = block
    }
    blocks.append(block, slot, frequency, documents.length(slot))
  }

  remove(term: number, slot: number, documents: Lengths): void {
    const { blocks } = this
    const unpacked = this.#unpacked
    const { before, block } = this.#find(term, slot)
    if (block === NONE) return
    blocks.read(block, unpacked)
    const at = unpacked.slots.subarray(0, unpacked.count).indexOf(slot)
    if (at < 0) return
    unpacked.slots.copyWithin(at, at + 1, unpacked.count)
    unpacked.frequencies.copyWithin(at, at + 1, unpacked.count)
    blocks.write(block, unpacked, 0, unpacked.count - 1, documents)
    if (unpacked.count === 1) this.#unlink(term, before, block)
    else if (!this.#join(term, before, block, documents))
      this.#join(term, block, blocks.table[block * FIELDS + NEXT], documents)
    blocks.sweep()
  }

  save(parts: CheckpointParts, name: string): void {
    this.blocks.save(parts, `${name}.blocks`)
    parts.set(`${name}.ends`, this.#ends)
  }

  load(parts: CheckpointParts, name: string): void {
    this.blocks.load(parts, `${name}.blocks`)
    this.#ends = part(parts, `${name}.ends`, Uint32Array<ArrayBuffer>)
  }

  /** The first block that goes as far as a slot, and the one before it. */
  #find(term: number, slot: number): { readonly before: number; readonly block: number } {
    const { table } = this.blocks
    let before = NONE
    let block = this.first(term)
    while (block !== NONE && table[block * FIELDS + LAST] < slot) {
      before = block
      block = table[block * FIELDS + NEXT]
    }
    return { before, block }
  }

  /** Adds a posting before the last one; a block that was full becomes two. */
  #insert(term: number, slot: number, frequency: number, documents: Lengths): void {
    const { blocks } = this
    const unpacked = this.#unpacked
    const { slots, frequencies } = unpacked
    const { block } = this.#find(term, slot)
    blocks.read(block, unpacked)
    let at = unpacked.count++
    for (; at > 0 && slots[at - 1] > slot; at--) {
      slots[at] = slots[at - 1]
      frequencies[at] = frequencies[at - 1]
    }
    slots[at] = slot
    frequencies[at] = frequency
    const { count } = unpacked
    if (count <= BLOCK) {
      blocks.write(block, unpacked, 0, count, documents)
      return
    }
    const half = count >> 1
    const second = blocks.create()
    blocks.write(block, unpacked, 0, half, documents)
    blocks.write(second, unpacked, half, count, documents)
    blocks.table[second * FIELDS + NEXT] = blocks.table[block * FIELDS + NEXT]
    blocks.table[block * FIELDS + NEXT] = second
    if (this.#ends[2 * term + 1] === block) this.#ends[2 * term + 1] = second
  }

  /** Makes one block of two that follow each other, if they fill half of one. */
  #join(term: number, first: number, second: number, documents: Lengths): boolean {
    const { blocks } = this
    if (first === NONE || second === NONE || 2 * (blocks.count(first) + blocks.count(second)) > BLOCK) return false
    const [into, other] = [this.#unpacked, this.#other]
    blocks.read(first, into)
    blocks.read(second, other)
    into.slots.set(other.slots.subarray(0, other.count), into.count)
    into.frequencies.set(other.frequencies.subarray(0, other.count), into.count)
    blocks.write(first, into, 0, into.count + other.count, documents)
    this.#unlink(term, first, second)
    return true
  }

  #unlink(term: number, before: number, block: number): void {
    const { table } = this.blocks
    const next = table[block * FIELDS + NEXT]
    if (before === NONE) this.#ends[2 * term] = next
    else table[before * FIELDS + NEXT] = next
    if (next === NONE) this.#ends[2 * term + 1] = before
    this.blocks.drop(block)
  }
}
