import { HEAP } from './heap.js'
import { loadStrings, part, saveStrings, type ImageParts } from '../core/image.js'

/** Gives strings small numbers and counts their uses. A number is used again once nothing uses its string. */
export class Interner {
  readonly #numbers = new Map<string, number>()
  readonly #names: (string | undefined)[] = []
  readonly #uses: number[] = []
  readonly #free: number[] = []

  /** Strings in use. */
  get size(): number {
    return this.#numbers.size
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return this.#names.length * HEAP.name
  }

  /** The number of a string that is in use, or `undefined`. */
  find(name: string): number | undefined {
    return this.#numbers.get(name)
  }

  name(number: number): string | undefined {
    return this.#names[number]
  }

  /** Strings in use. */
  names(): IterableIterator<string> {
    return this.#numbers.keys()
  }

  add(name: string): number {
    let number = this.#numbers.get(name)
    if (number === undefined) {
      number = this.#free.pop() ?? this.#names.length
      this.#numbers.set(name, number)
      this.#names[number] = name
      this.#uses[number] = 0
    }
    this.#uses[number]++
    return number
  }

  save(parts: ImageParts, name: string): void {
    saveStrings(parts, name, Array.from(this.#names, (name) => name ?? ''))
    parts.set(`${name}.uses`, Uint32Array.from(this.#uses))
  }

  load(parts: ImageParts, name: string): void {
    const uses = part(parts, `${name}.uses`, Uint32Array)
    loadStrings(parts, name).forEach((name, number) => {
      this.#names.push(uses[number] === 0 ? undefined : name)
      this.#uses.push(uses[number])
      if (uses[number] === 0) this.#free.push(number)
      else this.#numbers.set(name, number)
    })
  }

  remove(number: number): void {
    if (--this.#uses[number] > 0) return
    this.#numbers.delete(this.#names[number]!)
    this.#names[number] = undefined
    this.#free.push(number)
  }
}
