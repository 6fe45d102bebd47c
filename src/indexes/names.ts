import { HEAP } from '../base/heap-size.js'
import { Interner, type Watch } from '../base/interner.js'
import type { CheckpointParts } from '../base/checkpoint-parts.js'
import { Memberships } from './memberships.js'

/** Words of the longest name that is looked for in a cue. */
const LONGEST = 6

/** Turns a text into the words by which names are compared. */
export type Words = (text: string) => string[]

/** Which episodes use which names: concepts, predicates. Names are found again in a cue by their words. */
export class Names {
  readonly #words: Words | undefined
  readonly #watch: Watch | undefined
  readonly #names: Interner
  /** Numbers of names by slot, and the other way round. */
  readonly #uses = new Memberships()
  /** Names by their words joined with a space. */
  readonly #byWords = new Map<string, readonly string[]>()
  /** How often a name came or went. */
  #changes = 0

  /**
   * @param words without it no name is found in a text.
   * @param watch is told which names begin and end to be used.
   */
  constructor(words?: Words, watch?: Watch) {
    this.#words = words
    this.#watch = watch
    this.#names = new Interner({
      begins: (name) => this.#note(name, true),
      ends: (name) => this.#note(name, false),
    })
  }

  /** Grows whenever a name is added or removed, so that a cache of derived values knows when it is stale. */
  get changes(): number {
    return this.#changes
  }

  /** Distinct names. */
  get size(): number {
    return this.#names.size
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return this.#names.bytes + this.#uses.bytes + this.#byWords.size * (HEAP.key + HEAP.array + HEAP.field)
  }

  /** Makes the names of an episode these, in the place of those that it had. */
  set(slot: number, names: Iterable<string>): void {
    const wanted = new Set(names)
    const before = this.#uses.of(slot)
    if (before.length === wanted.size && before.every((number) => wanted.has(this.#names.name(number)!))) return
    // The new names come first, so that one that stays does not end in between.
    this.#uses.set(
      slot,
      Array.from(wanted, (name) => this.#names.add(name)),
    )
    for (const number of before) this.#names.remove(number)
  }

  save(parts: CheckpointParts, name: string): void {
    this.#names.save(parts, `${name}.names`)
    this.#uses.save(parts, name)
  }

  load(parts: CheckpointParts, name: string): void {
    this.#names.load(parts, `${name}.names`)
    this.#uses.load(parts, name)
  }

  /** All names, in no order. */
  all(): Iterable<string> {
    return this.#names.all()
  }

  /** The names that an episode uses, in no order. */
  of(slot: number): string[] {
    return this.#uses.of(slot).map((number) => this.#names.name(number)!)
  }

  /** The names that a text mentions, sorted; where they overlap the longest, leftmost first. */
  mentioned(text: string): string[] {
    const words = this.#words?.(text) ?? []
    const found = new Set<string>()
    let start = 0
    while (start < words.length) {
      let length = Math.min(LONGEST, words.length - start)
      const names = () => this.#byWords.get(words.slice(start, start + length).join(' '))
      while (length > 0 && names() === undefined) length--
      for (const name of names() ?? []) found.add(name)
      start += Math.max(1, length)
    }
    return [...found].sort()
  }

  /** The episodes that use a name, in no order. */
  slots(name: string): readonly number[] {
    const number = this.#names.find(name)
    return number === undefined ? [] : this.#uses.slots(number)
  }

  /** Whether an episode uses a name. */
  has(name: string, slot: number): boolean {
    const number = this.#names.find(name)
    return number !== undefined && this.#uses.has(slot, number)
  }

  /** How many episodes use a name. */
  count(name: string): number {
    const number = this.#names.find(name)
    return number === undefined ? 0 : this.#names.uses(number)
  }

  /** Notes that a name begins or ends to be used. */
  #note(name: string, begins: boolean): void {
    this.#changes++
    if (this.#words !== undefined) {
      const words = this.#words(name).join(' ')
      const names = (this.#byWords.get(words) ?? []).filter((other) => other !== name)
      // An array that is pushed to, or made by spreading another, takes room for sixteen more.
      if (begins) this.#byWords.set(words, names.concat(name))
      else if (names.length > 0) this.#byWords.set(words, names)
      else this.#byWords.delete(words)
    }
    if (begins) this.#watch?.begins(name)
    else this.#watch?.ends(name)
  }
}
