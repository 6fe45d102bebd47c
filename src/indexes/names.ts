import { HEAP } from '../base/heap-size.js'
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
  /** Slots of all names together. */
  #entries = 0
  /** Uses by slot, of all names together: made by the first {@link replace}, then kept up to date. */
  #usesOf: Map<number, number> | undefined
  /** How often a name came or went. */
  #changes = 0

  constructor(words: Words) {
    this.#words = words
  }

  /** Grows whenever a name comes that was not there, or goes: who keeps what follows from the names knows by it. */
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
      size * (HEAP.key + HEAP.map) +
      this.#byWords.size * (HEAP.key + HEAP.set) +
      (this.#entries - size + (this.#usesOf?.size ?? 0)) * HEAP.entry
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
    }
    if (!uses.has(slot)) this.#entries++
    uses.set(slot, (uses.get(slot) ?? 0) + 1)
    this.#count(slot, 1)
  }

  /** Makes the names of an episode these, each as often as it is used. Quick where they are what they were. */
  replace(slot: number, names: readonly string[]): void {
    this.#usesOf ??= this.#countAll()
    const wanted = new Map<string, number>()
    for (const name of names) wanted.set(name, (wanted.get(name) ?? 0) + 1)
    const isSame = [...wanted].every(([name, uses]) => this.#uses.get(name)?.get(slot) === uses)
    if (isSame && (this.#usesOf.get(slot) ?? 0) === names.length) return
    for (const [name, uses] of [...this.#uses])
      for (let left = uses.get(slot) ?? 0; left > 0; left--) this.remove(slot, name)
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
    this.#count(slot, -1)
    if (left > 0) uses.set(slot, left)
    else {
      uses.delete(slot)
      this.#entries--
    }
    if (uses.size > 0) return
    this.#uses.delete(name)
    this.#changes++
    const words = this.#words(name).join(' ')
    const same = this.#byWords.get(words)!
    same.delete(name)
    if (same.size === 0) this.#byWords.delete(words)
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

  #count(slot: number, more: number): void {
    if (this.#usesOf === undefined) return
    const uses = (this.#usesOf.get(slot) ?? 0) + more
    if (uses === 0) this.#usesOf.delete(slot)
    else this.#usesOf.set(slot, uses)
  }

  #countAll(): Map<number, number> {
    const usesOf = new Map<number, number>()
    for (const uses of this.#uses.values())
      for (const [slot, count] of uses) usesOf.set(slot, (usesOf.get(slot) ?? 0) + count)
    return usesOf
  }
}
