import { loadStrings, part, saveStrings, type CheckpointParts } from './checkpoint-parts.js'

/**
 * Bytes of a string beside its characters, its places in the map and in two arrays, about: measured in Node 20 on
 * 30,000 to 400,000 strings of six characters, which took 55 to 82 bytes each.
 */
const STRING = 64

/** Is told which strings are in use. */
export interface Watch {
  begins(name: string): void
  ends(name: string): void
}

/** Gives strings small numbers and counts their uses. A number is used again once nothing uses its string. */
export class Interner {
  readonly #numbers = new Map<string, number>()
  readonly #names: (string | undefined)[] = []
  readonly #uses: number[] = []
  readonly #free: number[] = []
  readonly #watch: Watch | undefined
  #characters = 0

  constructor(watch?: Watch) {
    this.#watch = watch
  }

  /** Strings in use. */
  get size(): number {
    return this.#numbers.size
  }

  /** Bytes of memory, as an estimate. */
  get bytes(): number {
    return STRING * this.#names.length + this.#characters
  }

  /** The number of a string that is in use, or `undefined`. */
  find(name: string): number | undefined {
    return this.#numbers.get(name)
  }

  /** How often the string of a number is in use. */
  uses(number: number): number {
    return this.#uses[number]
  }

  /** The strings in use, in no order. */
  all(): Iterable<string> {
    return this.#numbers.keys()
  }

  name(number: number): string | undefined {
    return this.#names[number]
  }

  add(name: string): number {
    let number = this.#numbers.get(name)
    if (number === undefined) {
      number = this.#free.pop() ?? this.#names.length
      this.#numbers.set(name, number)
      this.#names[number] = name
      this.#uses[number] = 0
      this.#characters += name.length
      this.#watch?.begins(name)
    }
    this.#uses[number]++
    return number
  }

  save(parts: CheckpointParts, name: string): void {
    saveStrings(
      parts,
      name,
      Array.from(this.#names, (name) => name ?? ''),
    )
    parts.set(`${name}.uses`, Uint32Array.from(this.#uses))
  }

  load(parts: CheckpointParts, name: string): void {
    const uses = part(parts, `${name}.uses`, Uint32Array)
    loadStrings(parts, name).forEach((name, number) => {
      this.#names.push(uses[number] === 0 ? undefined : name)
      this.#uses.push(uses[number])
      if (uses[number] === 0) this.#free.push(number)
      else {
        this.#numbers.set(name, number)
        this.#characters += name.length
        this.#watch?.begins(name)
      }
    })
  }

  remove(number: number): void {
    if (--this.#uses[number] > 0) return
    const name = this.#names[number]!
    this.#numbers.delete(name)
    this.#characters -= name.length
    this.#names[number] = undefined
    this.#free.push(number)
    this.#watch?.ends(name)
  }
}
