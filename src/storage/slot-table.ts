import { longer, part, type ImageArray, type ImageParts } from '../core/image.js'
import type { Piece } from './pieces.js'
import { KINDS } from './changes.js'
import type { SignatureKind } from './port.js'

/** The furthest that a new slot may lie beyond the highest one, so that a damaged number cannot fill the memory. */
export const MAX_SLOT_GAP = 1 << 20

/** Slots of a database, at most, for the same reason: their table then takes 1.6 GB. */
export const MAX_SLOTS = 1 << 26

const REMOVED = -1
const NO_SIGNS: readonly Piece[] = []

/**
 * Where the entries of each slot lie in the journal: 24 bytes a slot in typed arrays, however long the
 * rows, and 12 for each kind of signature that a `sign` brought. Position 0 is the file header, so it
 * stands for a slot that was never used, or was not signed.
 */
export class SlotTable {
  private puts = new Float64Array(0)
  private rows = new Float64Array(0)
  private spans = new Uint32Array(0)
  private sizes = new Uint32Array(0)
  private readonly signs = new Map<SignatureKind, { ats: Float64Array; sizes: Uint32Array }>()
  private next: number

  constructor(nextSlot: number) {
    this.next = nextSlot
  }

  /** Bytes of main memory. */
  get memoryBytes(): number {
    const arrays = [this.puts, this.rows, this.spans, this.sizes, ...Array.from(this.signs.values(), ({ ats, sizes }) => [ats, sizes]).flat()]
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** One more than the highest slot ever used. */
  get nextSlot(): number {
    return this.next
  }

  /** Whether an episode may be put into this slot, when `nextSlot` is the next one: no slot is used twice. */
  isFree(slot: number, nextSlot = this.next): boolean {
    return Number.isInteger(slot) && slot >= 0 && slot < Math.min(nextSlot + MAX_SLOT_GAP, MAX_SLOTS) && !this.puts[slot]
  }

  /** Bytes of the entries in which there is something of a live slot that counts: adds them up. */
  get liveBytes(): number {
    let bytes = 0
    for (let slot = 0; slot < this.next; slot++) {
      if (!this.isLive(slot)) continue
      bytes += this.sizes[slot]
      if (this.rows[slot] !== this.puts[slot]) bytes += this.spans[slot]
      if (this.signs.size > 0) for (const sign of this.signsOf(slot)) bytes += sign.bytes
    }
    return bytes
  }

  isLive(slot: number): boolean {
    return this.puts[slot] > 0
  }

  isRemoved(slot: number): boolean {
    return this.puts[slot] === REMOVED
  }

  /** `span`: bytes of the entry up to and with its row. `bytes`: all of it. */
  put(slot: number, at: number, span: number, bytes: number): void {
    if (slot >= this.puts.length) this.grow(slot + 1)
    if (slot >= this.next) this.next = slot + 1
    this.puts[slot] = at
    this.rows[slot] = at
    this.spans[slot] = span
    this.sizes[slot] = bytes
  }

  update(slot: number, at: number, span: number): void {
    this.rows[slot] = at
    this.spans[slot] = span
  }

  /** An entry at `at`, of `bytes`, has signatures of these kinds for a live slot. */
  sign(slot: number, kinds: readonly SignatureKind[], at: number, bytes: number): void {
    const { length } = this.puts
    for (const kind of kinds) {
      let signs = this.signs.get(kind)
      if (!signs) this.signs.set(kind, (signs = { ats: new Float64Array(length), sizes: new Uint32Array(length) }))
      signs.ats[slot] = at
      signs.sizes[slot] = bytes
    }
  }

  remove(slot: number): void {
    this.puts[slot] = REMOVED
  }

  /** The entry that put a live slot. */
  putOf(slot: number): Piece {
    return { at: this.puts[slot], bytes: this.sizes[slot] }
  }

  /** The entries that gave a live slot the latest signature of some kind after that, in their order. */
  signsOf(slot: number): readonly Piece[] {
    if (this.signs.size === 0) return NO_SIGNS
    const found: Piece[] = []
    for (const { ats, sizes } of this.signs.values()) {
      const at = ats[slot]
      if (at > 0 && !found.some((sign) => sign.at === at)) found.push({ at, bytes: sizes[slot] })
    }
    return found.sort((a, b) => a.at - b.at)
  }

  /** The entry with the latest row of a live slot, up to and with that row. */
  rowOf(slot: number): Piece {
    return { at: this.rows[slot], bytes: this.spans[slot] }
  }

  save(parts: ImageParts, name: string): void {
    const { next } = this
    parts.set(`${name}.next`, Uint32Array.of(next))
    parts.set(`${name}.puts`, this.puts.subarray(0, next))
    parts.set(`${name}.rows`, this.rows.subarray(0, next))
    parts.set(`${name}.spans`, this.spans.subarray(0, next))
    parts.set(`${name}.sizes`, this.sizes.subarray(0, next))
    for (const [kind, { ats, sizes }] of this.signs) {
      parts.set(`${name}.${kind}.ats`, ats.subarray(0, next))
      parts.set(`${name}.${kind}.sizes`, sizes.subarray(0, next))
    }
  }

  /**
   * Takes over what was saved of a journal of `end` bytes. Throws, and changes nothing, when an array is missing or of another length, or when an
   * entry of a live slot would lie outside of the journal: what a table says is read as it says.
   */
  load(parts: ImageParts, name: string, end: number): void {
    const [next, ...more] = part(parts, `${name}.next`, Uint32Array)
    if (next === undefined || next > MAX_SLOTS || more.length > 0) throw new TypeError(`the image has a table of ${next} slots`)
    const column = <A extends ImageArray>(what: string, type: new (...args: never[]) => A): A => {
      const found = part(parts, `${name}.${what}`, type)
      if (found.length !== next) throw new TypeError(`the image has ${what} of ${found.length} slots, not ${next}`)
      return found
    }
    const [puts, rows] = [column('puts', Float64Array), column('rows', Float64Array)]
    const [spans, sizes] = [column('spans', Uint32Array), column('sizes', Uint32Array)]
    const signs = KINDS.filter((kind) => parts.has(`${name}.${kind}.ats`)).map((kind) => [kind, { ats: column(`${kind}.ats`, Float64Array), sizes: column(`${kind}.sizes`, Uint32Array) }] as const)
    const lies = (at: number, bytes: number): boolean => Number.isInteger(at) && at > 0 && at + bytes <= end
    for (let slot = 0; slot < next; slot++) {
      if (puts[slot] === 0) continue
      // The last row of what was removed is read, too.
      const put = puts[slot] === REMOVED || lies(puts[slot], sizes[slot])
      const fits = put && lies(rows[slot], spans[slot]) && signs.every(([, { ats, sizes }]) => ats[slot] === 0 || lies(ats[slot], sizes[slot]))
      if (!fits) throw new TypeError(`the image has an entry of slot ${slot} where there is none`)
    }
    Object.assign(this, { puts, rows, spans, sizes, next })
    for (const [kind, sign] of signs) this.signs.set(kind, sign)
  }

  private grow(needed: number): void {
    const length = Math.max(needed, 1024, Math.ceil(this.puts.length * 1.5))
    this.puts = longer(this.puts, length)
    this.rows = longer(this.rows, length)
    this.spans = longer(this.spans, length)
    this.sizes = longer(this.sizes, length)
    for (const signs of this.signs.values()) {
      signs.ats = longer(signs.ats, length)
      signs.sizes = longer(signs.sizes, length)
    }
  }
}
