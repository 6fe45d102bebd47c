import { HEAP } from '../base/heap-size.js'
import type { Watch } from '../base/interner.js'
import { loadStrings, part, saveStrings, type CheckpointParts } from '../base/checkpoint-parts.js'

/** Words of the longest name that is looked for in a cue. */
const LONGEST = 6

/** Turns a text into the words by which names are compared. */
export type Words = (text: string) => string[]

/**
 * Which episodes use which names: concepts, predicates. Names are found again in a cue by their words.
 * Uses are counted, so that `remove` is the inverse of `add`.
 */
export class Names {
  readonly #words: Words
  /** Uses by slot, by name. */
  readonly #uses = new Map<string, Map<number, number>>()
  /** Names by their words joined with a space. */
  readonly #byWords = new Map<string, Set<string>>()
  /** The names of each slot, in no order. */
  readonly #bySlot = new Map<number, readonly string[]>()
  readonly #watch: Watch | undefined
  /** Slots of all names together. */
  #entries = 0
  /** How often a name came or went. */
  #changes = 0

  /** @param watch is told which names begin and end to be used. */
  constructor(words: Words, watch?: Watch) {
    this.#words = words
    this.#watch = watch
  }

  /** Grows whenever a name is added or removed, so that a cache of derived values knows when it is stale. */
  get changes(): number {
    return this.#changes
  }

  /** Distinct names. */
  get size(): number {
    return this.#uses.size
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    const { size } = this.#uses
    return (
      size * (HEAP.key + HEAP.map + HEAP.name) +
      this.#byWords.size * (HEAP.key + HEAP.set) +
      (this.#entries - size) * HEAP.entry +
      this.#bySlot.size * (HEAP.entry + HEAP.array + HEAP.object + HEAP.empty) +
      this.#entries * HEAP.field
    )
  }

  add(slot: number, name: string): void {
    let uses = this.#uses.get(name)
    if (uses === undefined) {
      this.#uses.set(name, (uses = new Map()))
      this.#changes++
      const words = this.#words(name).join(' ')
      const same = this.#byWords.get(words)
      if (same === undefined) this.#byWords.set(words, new Set([name]))
      else same.add(name)
      this.#watch?.begins(name)
    }
    const before = uses.get(slot)
    uses.set(slot, (before ?? 0) + 1)
    if (before !== undefined) return
    this.#entries++
    // An array that is pushed to, or made by spreading another, takes room for sixteen more.
    this.#bySlot.set(slot, this.of(slot).concat(name))
  }

  /** Makes the names of an episode these, each as often as it is used. Quick where they are what they were. */
  replace(slot: number, names: readonly string[]): void {
    const wanted = new Map<string, number>()
    for (const name of names) wanted.set(name, (wanted.get(name) ?? 0) + 1)
    const before = [...this.of(slot)]
    const uses = (name: string) => this.#uses.get(name)?.get(slot) ?? 0
    if (before.length === wanted.size && before.every((name) => uses(name) === wanted.get(name))) return
    for (const name of before) for (let left = uses(name); left > 0; left--) this.remove(slot, name)
    for (const name of names) this.add(slot, name)
  }

  save(parts: CheckpointParts, name: string): void {
    saveStrings(parts, `${name}.names`, [...this.#uses.keys()])
    const uses = [...this.#uses.values()]
    parts.set(
      `${name}.counts`,
      Uint32Array.from(uses, ({ size }) => size),
    )
    parts.set(`${name}.slots`, Uint32Array.from(uses.flatMap((uses) => [...uses.keys()])))
    parts.set(`${name}.uses`, Uint32Array.from(uses.flatMap((uses) => [...uses.values()])))
  }

  load(parts: CheckpointParts, name: string): void {
    const counts = part(parts, `${name}.counts`, Uint32Array)
    const slots = part(parts, `${name}.slots`, Uint32Array)
    const uses = part(parts, `${name}.uses`, Uint32Array)
    let at = 0
    loadStrings(parts, `${name}.names`).forEach((known, i) => {
      for (const end = at + counts[i]; at < end; at++)
        for (let use = 0; use < uses[at]; use++) this.add(slots[at], known)
    })
  }

  remove(slot: number, name: string): void {
    const uses = this.#uses.get(name)
    const left = (uses?.get(slot) ?? 0) - 1
    if (uses === undefined || left < 0) return
    if (left > 0) uses.set(slot, left)
    else {
      uses.delete(slot)
      this.#entries--
      const others = this.of(slot).filter((other) => other !== name)
      if (others.length === 0) this.#bySlot.delete(slot)
      else this.#bySlot.set(slot, others)
    }
    if (uses.size > 0) return
    this.#uses.delete(name)
    this.#changes++
    const words = this.#words(name).join(' ')
    const same = this.#byWords.get(words)!
    same.delete(name)
    if (same.size === 0) this.#byWords.delete(words)
    this.#watch?.ends(name)
  }

  /** All names, in no order. */
  all(): Iterable<string> {
    return this.#uses.keys()
  }

  /** The names that an episode uses, in no order. */
  of(slot: number): readonly string[] {
    return this.#bySlot.get(slot) ?? []
  }

  /** The names that a text mentions, sorted; where they overlap the longest, leftmost first. */
  mentioned(text: string): string[] {
    const words = this.#words(text)
    const found = new Set<string>()
    let start = 0
    while (start < words.length) {
      let length = Math.min(LONGEST, words.length - start)
      let names = this.#byWords.get(words.slice(start, start + length).join(' '))
      while (names === undefined && --length > 0)
        names = this.#byWords.get(words.slice(start, start + length).join(' '))
      for (const name of names ?? []) found.add(name)
      start += Math.max(1, length)
    }
    return [...found].sort()
  }

  /** The episodes that use a name, in no order. */
  slots(name: string): Iterable<number> {
    return this.#uses.get(name)?.keys() ?? []
  }

  /** Whether an episode uses a name. */
  has(name: string, slot: number): boolean {
    return this.#uses.get(name)?.has(slot) ?? false
  }

  /** How many episodes use a name. */
  count(name: string): number {
    return this.#uses.get(name)?.size ?? 0
  }
}
