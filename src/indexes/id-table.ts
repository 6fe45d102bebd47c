import { longer, part, type CheckpointParts } from '../base/checkpoint-parts.js'
import { Column } from '../base/column.js'
import { sameBytes } from '../base/same-bytes.js'
import { decodeUtf8 } from '../base/utf8.js'

const NONE = 0
/** A place in the table whose id was removed: a search goes on after it. */
const GONE = 0xffff_ffff
const utf8 = new TextEncoder()

/**
 * Ids by slot and slots by id, without an object for each: the ids in UTF-8 one after the other, and a hash table of
 * slots with linear probing (Knuth, TAOCP 3, 6.4, algorithm L).
 */
export class IdTable {
  readonly #starts = new Column(Float64Array, 0)
  readonly #lengths = new Column(Uint16Array, 0)
  #bytes = new Uint8Array(1 << 15)
  #end = 0
  /** One more than a slot, by the hash of its id; a power of two long. */
  #table = new Uint32Array(1 << 10)
  /** Places that are not {@link NONE}. */
  #taken = 0
  #size = 0
  /** Of the id that is looked for. */
  #scratch = new Uint8Array(256)

  /** Ids held. */
  get size(): number {
    return this.#size
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#bytes.length + this.#table.byteLength + this.#starts.bytes + this.#lengths.bytes
  }

  id(slot: number): string | undefined {
    const length = this.#lengths.get(slot)
    return length === 0 ? undefined : decodeUtf8(this.#of(slot))
  }

  slot(id: string): number | undefined {
    const wanted = this.#encode(id)
    for (
      let place = hash(wanted) & (this.#table.length - 1);
      this.#table[place] !== NONE;
      place = (place + 1) & (this.#table.length - 1)
    ) {
      const slot = this.#table[place] - 1
      if (this.#table[place] !== GONE && sameBytes(this.#of(slot), wanted)) return slot
    }
    return undefined
  }

  /** @param id not empty, at most 65,535 bytes in UTF-8, in no other slot; the slot has none. */
  add(slot: number, id: string): void {
    const bytes = this.#encode(id)
    if (this.#end + bytes.length > this.#bytes.length) this.#bytes = longer(this.#bytes, 2 * (this.#end + bytes.length))
    this.#bytes.set(bytes, this.#end)
    this.#starts.set(slot, this.#end)
    this.#lengths.set(slot, bytes.length)
    this.#end += bytes.length
    this.#size++
    if (2 * (this.#taken + 1) > this.#table.length) this.#rehash()
    else this.#enter(slot)
  }

  remove(slot: number): void {
    const id = this.#of(slot)
    if (id.length === 0) return
    let place = hash(id) & (this.#table.length - 1)
    while (this.#table[place] !== slot + 1) place = (place + 1) & (this.#table.length - 1)
    this.#table[place] = GONE
    id.fill(0)
    this.#lengths.set(slot, 0)
    this.#size--
  }

  save(parts: CheckpointParts, name: string): void {
    parts.set(`${name}.utf8`, this.#bytes.subarray(0, this.#end))
    parts.set(`${name}.table`, this.#table)
    parts.set(`${name}.counts`, Float64Array.of(this.#taken, this.#size))
    this.#starts.save(parts, `${name}.starts`)
    this.#lengths.save(parts, `${name}.lengths`)
  }

  load(parts: CheckpointParts, name: string): void {
    this.#bytes = part(parts, `${name}.utf8`, Uint8Array<ArrayBuffer>)
    this.#end = this.#bytes.length
    this.#table = part(parts, `${name}.table`, Uint32Array<ArrayBuffer>)
    ;[this.#taken, this.#size] = part(parts, `${name}.counts`, Float64Array)
    this.#starts.load(parts, `${name}.starts`)
    this.#lengths.load(parts, `${name}.lengths`)
  }

  #encode(id: string): Uint8Array {
    if (3 * id.length > this.#scratch.length) this.#scratch = new Uint8Array(6 * id.length)
    return this.#scratch.subarray(0, utf8.encodeInto(id, this.#scratch).written)
  }

  #of(slot: number): Uint8Array {
    const start = this.#starts.get(slot)
    return this.#bytes.subarray(start, start + this.#lengths.get(slot))
  }

  #enter(slot: number): void {
    let place = hash(this.#of(slot)) & (this.#table.length - 1)
    while (this.#table[place] !== NONE) place = (place + 1) & (this.#table.length - 1)
    this.#table[place] = slot + 1
    this.#taken++
  }

  /** A table in which a quarter of the places is taken, and the bytes of the ids that are left. */
  #rehash(): void {
    let length = this.#table.length
    while (length < 4 * this.#size) length *= 2
    this.#table = new Uint32Array(length)
    this.#taken = 0
    const before = this.#bytes
    this.#bytes = new Uint8Array(before.length)
    this.#end = 0
    for (const [from, end] of this.#lengths.stretches())
      for (let slot = from; slot < end; slot++) {
        const bytes = this.#lengths.get(slot)
        if (bytes === 0) continue
        const start = this.#starts.get(slot)
        this.#bytes.set(before.subarray(start, start + bytes), this.#end)
        this.#starts.set(slot, this.#end)
        this.#end += bytes
        this.#enter(slot)
      }
  }
}

/** FNV-1a, 32 bits (Fowler, Noll and Vo), with a last mix of its high bits into the low ones. */
function hash(bytes: Uint8Array): number {
  let h = 0x811c9dc5
  for (const byte of bytes) h = Math.imul(h ^ byte, 0x01000193)
  return (h ^ (h >>> 15)) >>> 0
}
