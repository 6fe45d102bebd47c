import { longer, part, type CheckpointParts } from '../../base/checkpoint-parts.js'
import { PAGE, Pages, roomier } from '../../base/pages.js'
import { pairWidth, readPairs, writePair } from './pairs.js'

/** Bytes of what was removed from which on the rest is moved together, if they are more than half. */
const LEAST_GARBAGE = 1 << 16

/** Where a length has a byte, all that are longer have this one. */
export const MAX_LENGTH = 255

/** Tells the length of the document in a slot. */
export type Lengths = Pick<Documents, 'length'>

/**
 * The terms of each document by their numbers, in the order in which they were added, with their frequencies; and its
 * length.
 */
export class Documents {
  #pages = new Pages()
  /** Where each begins, by place; 0 is none. */
  #starts = new Uint32Array(PAGE)
  #lengths = new Uint32Array(PAGE)
  /** The same again, {@link MAX_LENGTH} at most: searches look at many, which lie closer together so. */
  #short = new Uint8Array(PAGE)
  /** How many terms, then each with its frequency. */
  #memory = new Uint8Array(1024)
  #end = 1
  #garbage = 0
  #size = 0
  #totalLength = 0
  /** Where the terms begin of the document that was found last. */
  at = 0
  /** What was read last, and beyond its count anything. */
  terms = new Uint32Array(64)
  frequencies = new Uint32Array(64)

  /** Live documents. */
  get size(): number {
    return this.#size
  }

  get totalLength(): number {
    return this.#totalLength
  }

  /** The length of the document in a slot that has one. */
  length(slot: number): number {
    return this.#lengths[this.#pages.placeOf(slot)]
  }

  /** {@link length}, {@link MAX_LENGTH} at most. */
  short(slot: number): number {
    return this.#short[this.#pages.placeOf(slot)]
  }

  /** Copies the {@link short} lengths of the documents in `count` slots. Where there is none can be anything. */
  lengths(first: number, count: number, into: Uint8Array): void {
    for (let at = 0; at < count; ) {
      const place = this.#pages.placeOf(first + at)
      let end = at + PAGE - ((first + at) % PAGE)
      while (end < count && this.#pages.placeOf(first + end) === place + end - at) end += PAGE
      if (place >= 0) into.set(this.#short.subarray(place, place + Math.min(end, count) - at), at)
      at = end
    }
  }

  /** The terms and frequencies of all documents: a view, valid until the next change. */
  get memory(): Uint8Array {
    return this.#memory
  }

  /** Bytes of memory. */
  get bytes(): number {
    return (
      this.#memory.length + this.#starts.byteLength + this.#lengths.byteLength + this.#short.length + this.#pages.bytes
    )
  }

  /**
   * @param slot has no document
   * @param count of terms and frequencies, how many are its
   */
  add(slot: number, terms: Uint32Array, frequencies: Uint32Array, count: number): void {
    const place = this.#pages.take(slot)
    this.#starts = roomier(this.#starts, this.#pages)
    this.#lengths = roomier(this.#lengths, this.#pages)
    this.#short = roomier(this.#short, this.#pages)
    let bytes = pairWidth(count, 1)
    let length = 0
    for (let i = 0; i < count; i++) {
      bytes += pairWidth(terms[i], frequencies[i])
      length += frequencies[i]
    }
    if (this.#end + bytes > this.#memory.length)
      this.#memory = longer(this.#memory, Math.ceil(1.5 * (this.#end + bytes)))
    this.#starts[place] = this.#end
    this.#lengths[place] = length
    this.#short[place] = Math.min(length, MAX_LENGTH)
    this.#end = writePair(this.#memory, this.#end, count, 1)
    for (let i = 0; i < count; i++) this.#end = writePair(this.#memory, this.#end, terms[i], frequencies[i])
    this.#size++
    this.#totalLength += length
  }

  remove(slot: number): void {
    if (!this.has(slot)) return
    const place = this.#pages.placeOf(slot)
    const start = this.#starts[place]
    const { end } = this.#read(start)
    this.#memory.fill(0, start, end)
    this.#garbage += end - start
    this.#size--
    this.#totalLength -= this.#lengths[place]
    this.#starts[place] = 0
    this.#lengths[place] = 0
    this.#short[place] = 0
    if (this.#garbage > LEAST_GARBAGE && this.#garbage > this.#end / 2) this.#sweep()
  }

  has(slot: number): boolean {
    const place = this.#pages.placeOf(slot)
    return place >= 0 && place < this.#starts.length && this.#starts[place] !== 0
  }

  /**
   * Finds a document. Answers how many terms it has, which {@link memory} has from {@link at} on; 0 if there is none.
   */
  find(slot: number): number {
    if (!this.has(slot)) return 0
    this.at = readPairs(this.#memory, this.#starts[this.#pages.placeOf(slot)], 1, this.terms, this.frequencies)
    return this.terms[0]
  }

  /**
   * Reads which terms a document has into {@link terms}, in the order in which they were added, and how often into
   * {@link frequencies}.
   *
   * @returns how many they are; 0 if there is no document.
   */
  read(slot: number): number {
    return this.has(slot) ? this.#read(this.#starts[this.#pages.placeOf(slot)]).count : 0
  }

  save(parts: CheckpointParts, name: string): void {
    parts.set(`${name}.bytes`, this.#memory.subarray(0, this.#end))
    const byPlace = this.#pages.save(parts, name)
    parts.set(`${byPlace}.starts`, this.#starts.subarray(0, this.#pages.places))
    parts.set(`${byPlace}.lengths`, this.#lengths.subarray(0, this.#pages.places))
    parts.set(`${name}.counts`, Float64Array.of(this.#garbage, this.#size, this.#totalLength))
  }

  load(parts: CheckpointParts, name: string): void {
    this.#memory = part(parts, `${name}.bytes`, Uint8Array<ArrayBuffer>)
    this.#end = this.#memory.length
    const byPlace = Pages.nameIn(parts, name)
    this.#starts = part(parts, `${byPlace}.starts`, Uint32Array<ArrayBuffer>)
    this.#lengths = part(parts, `${byPlace}.lengths`, Uint32Array<ArrayBuffer>)
    this.#short = Uint8Array.from(this.#lengths, (length) => Math.min(length, MAX_LENGTH))
    this.#pages = Pages.load(parts, name, this.#starts.length)
    ;[this.#garbage, this.#size, this.#totalLength] = part(parts, `${name}.counts`, Float64Array)
  }

  #read(start: number): { readonly count: number; readonly end: number } {
    const at = readPairs(this.#memory, start, 1, this.terms, this.frequencies)
    const count = this.terms[0]
    if (count > this.terms.length) {
      this.terms = new Uint32Array(2 * count)
      this.frequencies = new Uint32Array(2 * count)
    }
    return { count, end: readPairs(this.#memory, at, count, this.terms, this.frequencies) }
  }

  #sweep(): void {
    const memory = new Uint8Array(this.#end - this.#garbage)
    let end = 1
    for (let place = 0; place < this.#starts.length; place++) {
      const start = this.#starts[place]
      if (start === 0) continue
      const document = this.#memory.subarray(start, this.#read(start).end)
      memory.set(document, end)
      this.#starts[place] = end
      end += document.length
    }
    this.#memory = memory
    this.#end = end
    this.#garbage = 0
  }
}
