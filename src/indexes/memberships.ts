import { longer, part, type CheckpointParts } from '../base/checkpoint-parts.js'
import { Column } from '../base/column.js'

/** What an entry holds: its slot and number, and the entries that are next to it in their lists. */
const SLOT = 0
const NUMBER = 1
/** Of the slot; of a free entry the next that is free. */
const NEXT_OF_SLOT = 2
/** Of the number, whose list is circular. */
const NEXT = 3
const PREVIOUS = 4
const FIELDS = 5
/** No entry has this place. */
const NONE = 0

/**
 * Which numbers each slot has, and which slots have each number, without an object for either: an entry for each pair,
 * in a list of its slot and in one of its number. Takes 20 bytes an entry, 4 a number and 4 a slot, and room to grow.
 */
export class Memberships {
  /** One after the other; an entry is named by its place. */
  #entries = new Uint32Array(64 * FIELDS)
  #end = FIELDS
  #free = NONE
  /** The first entry of each slot. */
  readonly #first = new Column(Uint32Array, NONE)
  /** By number: the last entry, after which the first comes. */
  #last = new Uint32Array(64)

  /** Bytes of memory. */
  get bytes(): number {
    return this.#entries.byteLength + this.#last.byteLength + this.#first.bytes
  }

  /** Gives a slot these numbers, each once, in the place of those that it had. */
  set(slot: number, numbers: Iterable<number>): void {
    this.#remove(slot)
    let before = NONE
    for (const number of numbers) before = this.#add(slot, number, before)
  }

  /** Takes all numbers from a slot. Nothing of its entries is left. */
  #remove(slot: number): void {
    let entry = this.#first.get(slot)
    if (entry !== NONE) this.#first.set(slot, NONE)
    while (entry !== NONE) {
      const entries = this.#entries
      const number = entries[entry + NUMBER]
      const following = entries[entry + NEXT_OF_SLOT]
      const next = entries[entry + NEXT]
      const previous = entries[entry + PREVIOUS]
      entries[previous + NEXT] = next
      entries[next + PREVIOUS] = previous
      if (this.#last[number] === entry) this.#last[number] = previous === entry ? NONE : previous
      entries.fill(0, entry, entry + FIELDS)
      entries[entry + NEXT_OF_SLOT] = this.#free
      this.#free = entry
      entry = following
    }
  }

  /** The numbers of a slot, in the order in which it was given them. */
  of(slot: number): number[] {
    const numbers: number[] = []
    for (let entry = this.#first.get(slot); entry !== NONE; entry = this.#entries[entry + NEXT_OF_SLOT])
      numbers.push(this.#entries[entry + NUMBER])
    return numbers
  }

  /** Whether a slot has a number. */
  has(slot: number, number: number): boolean {
    let entry = this.#first.get(slot)
    while (entry !== NONE && this.#entries[entry + NUMBER] !== number) entry = this.#entries[entry + NEXT_OF_SLOT]
    return entry !== NONE
  }

  /** The slots that have a number, in no order. */
  slots(number: number): number[] {
    const slots: number[] = []
    const last = this.#last[number] ?? NONE
    let entry = last
    if (last !== NONE)
      do {
        entry = this.#entries[entry + NEXT]
        slots.push(this.#entries[entry + SLOT])
      } while (entry !== last)
    return slots
  }

  save(parts: CheckpointParts, name: string): void {
    const slots: number[] = []
    const numbers: number[] = []
    for (const [from, end] of this.#first.stretches())
      for (let slot = from; slot < end; slot++)
        for (const number of this.of(slot)) {
          slots.push(slot)
          numbers.push(number)
        }
    parts.set(`${name}.slots`, Uint32Array.from(slots))
    parts.set(`${name}.numbers`, Uint32Array.from(numbers))
  }

  load(parts: CheckpointParts, name: string): void {
    const slots = part(parts, `${name}.slots`, Uint32Array)
    const numbers = part(parts, `${name}.numbers`, Uint32Array)
    this.#entries = longer(this.#entries, this.#entries.length + slots.length * FIELDS)
    let before = NONE
    slots.forEach((slot, i) => {
      before = this.#add(slot, numbers[i], slot === slots[i - 1] ? before : NONE)
    })
  }

  /** @param before the last entry of the slot. */
  #add(slot: number, number: number, before: number): number {
    const entry = this.#take()
    if (number >= this.#last.length) this.#last = longer(this.#last, 2 * (number + 1))
    const entries = this.#entries
    if (before === NONE) this.#first.set(slot, entry)
    else entries[before + NEXT_OF_SLOT] = entry
    const last = this.#last[number] || entry
    const first = entries[last + NEXT] || entry
    this.#last[number] = entry
    entries.set([slot, number, NONE, first, last], entry)
    entries[last + NEXT] = entry
    entries[first + PREVIOUS] = entry
    return entry
  }

  #take(): number {
    const entry = this.#free
    if (entry !== NONE) {
      this.#free = this.#entries[entry + NEXT_OF_SLOT]
      return entry
    }
    const end = this.#end
    if (end === this.#entries.length) this.#entries = longer(this.#entries, FIELDS * Math.ceil((1.5 * end) / FIELDS))
    this.#end += FIELDS
    return end
  }
}
