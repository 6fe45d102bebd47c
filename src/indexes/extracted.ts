import type { Episode } from '../api/episode.js'
import { Bits } from '../base/bits.js'
import { loadStrings, saveStrings, type CheckpointParts } from '../base/checkpoint-parts.js'
import type { Index } from './port.js'

/** Indexes which extractor has read which episode. */
export function extractedIndex(): Index<Extracted> {
  const extracted = new Extracted()
  return {
    contents: extracted,
    add: (slot, { extraction }) => extracted.set(slot, extraction),
    update: (slot, { extraction }) => extracted.set(slot, extraction),
    remove: (slot) => extracted.set(slot, undefined),
  }
}

type Reader = Pick<NonNullable<Episode['extraction']>, 'extractor' | 'version'>
type Reading = Reader & Pick<NonNullable<Episode['extraction']>, 'given'>

/** The episodes that each version of an extractor has read. */
export class Extracted {
  readonly #byReader = new Map<string, Bits>()
  /** Those that were read, and of which the caller gave no statement. */
  readonly #foundAlone = new Bits()

  /** Bytes of memory. */
  get bytes(): number {
    let sum = this.#foundAlone.bytes
    for (const slots of this.#byReader.values()) sum += slots.bytes
    return sum
  }

  /** How many episodes an extractor has read. */
  count(reader: Reader): number {
    return this.#byReader.get(keyOf(reader))?.count ?? 0
  }

  has(slot: number, reader: Reader): boolean {
    return this.#byReader.get(keyOf(reader))?.has(slot) ?? false
  }

  /** Whether any extractor has read the episode of a slot. */
  isRead(slot: number): boolean {
    for (const slots of this.#byReader.values()) if (slots.has(slot)) return true
    return false
  }

  /** Whether all statements of the episode of a slot, if it has any, were found in its text: the caller gave none. */
  isFoundAlone(slot: number): boolean {
    return this.#foundAlone.has(slot)
  }

  /** Says which extractor has read the episode of a slot; `undefined` for none. */
  set(slot: number, reading: Reading | undefined): void {
    const key = reading && keyOf(reading)
    if (reading?.given === 0) this.#foundAlone.add(slot)
    else this.#foundAlone.remove(slot)
    for (const [other, slots] of this.#byReader) {
      if (other === key) continue
      slots.remove(slot)
      if (slots.count === 0) this.#byReader.delete(other)
    }
    if (key === undefined) return
    let slots = this.#byReader.get(key)
    if (slots === undefined) this.#byReader.set(key, (slots = new Bits()))
    slots.add(slot)
  }

  save(parts: CheckpointParts, name: string): void {
    saveStrings(parts, `${name}.readers`, [...this.#byReader.keys()])
    this.#foundAlone.save(parts, `${name}.foundAlone`)
    for (const [i, slots] of [...this.#byReader.values()].entries()) slots.save(parts, `${name}.${i}`)
  }

  load(parts: CheckpointParts, name: string): void {
    this.#foundAlone.load(parts, `${name}.foundAlone`)
    for (const [i, key] of loadStrings(parts, `${name}.readers`).entries()) {
      const slots = new Bits()
      slots.load(parts, `${name}.${i}`)
      this.#byReader.set(key, slots)
    }
  }
}

function keyOf({ extractor, version }: Reader): string {
  return `${extractor} ${version}`
}
