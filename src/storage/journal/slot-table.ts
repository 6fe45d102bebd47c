import { part, type CheckpointArray, type CheckpointParts } from '../../base/checkpoint-parts.js'
import { Pages, roomier } from '../../base/pages.js'
import type { Piece } from './pieces.js'
import { KINDS } from './changes.js'
import type { SignatureKind } from '../../api/storage.js'

/** The furthest that a new slot may lie beyond the highest one, so that a damaged number cannot fill the memory. */
export const MAX_SLOT_GAP = 1 << 20

/** Slots of a database, at most, for the same reason: if all are in use their table takes 1.6 GB. */
export const MAX_SLOTS = 1 << 26

const REMOVED = -1
const NO_SIGNS: readonly Piece[] = []

/**
 * Where the entries of each slot lie in the journal: 24 bytes a slot in typed arrays, however long the rows, and 12 for
 * each kind of signature that a `setSignatures` entry brought; of slots in whose neighbourhood none was used since the
 * journal was begun, nothing. Position 0 is the file header, so it stands for a slot that was never used, or was not
 * signed.
 */
export class SlotTable {
  private pages = new Pages()
  /** This and the others: by place. */
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
    const arrays = [
      this.puts,
      this.rows,
      this.spans,
      this.sizes,
      ...Array.from(this.signs.values(), ({ ats, sizes }) => [ats, sizes]).flat(),
    ]
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.pages.bytes)
  }

  /** One more than the highest slot ever used. */
  get nextSlot(): number {
    return this.next
  }

  /** Whether an episode may be put into this slot, when `nextSlot` is the next one: no slot is used twice. */
  isFree(slot: number, nextSlot = this.next): boolean {
    return (
      Number.isInteger(slot) &&
      slot >= 0 &&
      slot < Math.min(nextSlot + MAX_SLOT_GAP, MAX_SLOTS) &&
      this.putAt(slot) === 0
    )
  }

  /** Bytes of the entries in which there is something of a live slot that counts: adds them up. */
  get liveBytes(): number {
    let bytes = 0
    for (let place = 0; place < this.puts.length; place++) {
      if (this.puts[place] <= 0) continue
      bytes += this.sizes[place]
      if (this.rows[place] !== this.puts[place]) bytes += this.spans[place]
      if (this.signs.size > 0) for (const sign of this.signsAt(place)) bytes += sign.bytes
    }
    return bytes
  }

  isLive(slot: number): boolean {
    return this.putAt(slot) > 0
  }

  isRemoved(slot: number): boolean {
    return this.putAt(slot) === REMOVED
  }

  /** The live slots from `from` to `end`, exclusive, ascending. */
  liveSlots(from = 0, end = this.next): number[] {
    const slots: number[] = []
    for (const [first, last] of this.pages.stretches(from, end)) {
      for (let slot = first; slot < last; slot++) if (this.isLive(slot)) slots.push(slot)
    }
    return slots
  }

  /** `span`: bytes of the entry up to and with its row. `bytes`: all of it. */
  put(slot: number, at: number, span: number, bytes: number): void {
    const place = this.pages.take(slot)
    this.grow()
    if (slot >= this.next) this.next = slot + 1
    this.puts[place] = at
    this.rows[place] = at
    this.spans[place] = span
    this.sizes[place] = bytes
  }

  update(slot: number, at: number, span: number): void {
    const place = this.pages.placeOf(slot)
    this.rows[place] = at
    this.spans[place] = span
  }

  /** An entry at `at`, of `bytes`, has signatures of these kinds for a live slot. */
  setSignatures(slot: number, kinds: readonly SignatureKind[], at: number, bytes: number): void {
    const { length } = this.puts
    const place = this.pages.placeOf(slot)
    for (const kind of kinds) {
      let signs = this.signs.get(kind)
      if (!signs) this.signs.set(kind, (signs = { ats: new Float64Array(length), sizes: new Uint32Array(length) }))
      signs.ats[place] = at
      signs.sizes[place] = bytes
    }
  }

  remove(slot: number): void {
    this.puts[this.pages.placeOf(slot)] = REMOVED
  }

  /** The entry that put a live slot. */
  putOf(slot: number): Piece {
    const place = this.pages.placeOf(slot)
    return { at: this.puts[place], bytes: this.sizes[place] }
  }

  /** The entries that gave a live slot the latest signature of some kind after that, in their order. */
  signsOf(slot: number): readonly Piece[] {
    return this.signs.size === 0 ? NO_SIGNS : this.signsAt(this.pages.placeOf(slot))
  }

  /** The entry with the latest row of a live slot, up to and with that row. */
  rowOf(slot: number): Piece {
    const place = this.pages.placeOf(slot)
    return { at: this.rows[place], bytes: this.spans[place] }
  }

  save(parts: CheckpointParts, name: string): void {
    parts.set(`${name}.next`, Uint32Array.of(this.next))
    const byPlace = this.pages.save(parts, name)
    // Where places are slots there is none beyond the next one.
    const end = byPlace === name ? Math.min(this.next, this.pages.places) : this.pages.places
    const columns = { puts: this.puts, rows: this.rows, spans: this.spans, sizes: this.sizes }
    for (const [what, array] of Object.entries(columns)) parts.set(`${byPlace}.${what}`, array.subarray(0, end))
    for (const [kind, { ats, sizes }] of this.signs) {
      parts.set(`${byPlace}.${kind}.ats`, ats.subarray(0, end))
      parts.set(`${byPlace}.${kind}.sizes`, sizes.subarray(0, end))
    }
  }

  /**
   * Takes over what was saved of a journal of `end` bytes, into a table that has nothing. Throws, and changes nothing,
   * when an array is missing or of another length, or when an entry of a live slot would lie outside of the journal:
   * what a table says is read as it says.
   */
  load(parts: CheckpointParts, name: string, end: number): void {
    const [next, ...more] = part(parts, `${name}.next`, Uint32Array)
    if (next === undefined || next > MAX_SLOTS || more.length > 0)
      throw new TypeError(`the checkpoint has a table of ${next} slots`)
    const byPlace = Pages.nameIn(parts, name)
    const puts = part(parts, `${byPlace}.puts`, Float64Array)
    const column = <A extends CheckpointArray>(what: string, type: new (...args: never[]) => A): A => {
      const found = part(parts, `${byPlace}.${what}`, type)
      if (found.length !== puts.length)
        throw new TypeError(`the checkpoint has ${what} of ${found.length} slots, not ${puts.length}`)
      return found
    }
    const [rows, spans, sizes] = [
      column('rows', Float64Array),
      column('spans', Uint32Array),
      column('sizes', Uint32Array),
    ]
    const signs = KINDS.filter((kind) => parts.has(`${byPlace}.${kind}.ats`)).map(
      (kind) =>
        [kind, { ats: column(`${kind}.ats`, Float64Array), sizes: column(`${kind}.sizes`, Uint32Array) }] as const,
    )
    const pages = Pages.load(parts, name, puts.length, next)
    const lies = (at: number, bytes: number): boolean => Number.isInteger(at) && at > 0 && at + bytes <= end
    let used = this.next
    for (const [from, to] of pages.stretches()) {
      for (let slot = from; slot < to; slot++) {
        const place = pages.placeOf(slot)
        if (!(place < puts.length) || puts[place] === 0) continue
        // The last row of what was removed is read, too.
        const put = puts[place] === REMOVED || lies(puts[place], sizes[place])
        const fits =
          put &&
          lies(rows[place], spans[place]) &&
          signs.every(([, { ats, sizes }]) => ats[place] === 0 || lies(ats[place], sizes[place]))
        if (!fits) throw new TypeError(`the checkpoint has an entry of slot ${slot} where there is none`)
        used = Math.max(used, slot + 1)
      }
    }
    if (next !== used) throw new TypeError(`the checkpoint has slots up to ${used}, and ${next} as the next one`)
    Object.assign(this, { puts, rows, spans, sizes, next, pages })
    for (const [kind, sign] of signs) this.signs.set(kind, sign)
  }

  /** Where a slot was put, or {@link REMOVED}; 0 if it was never used. */
  private putAt(slot: number): number {
    const place = this.pages.placeOf(slot)
    return place >= 0 && place < this.puts.length ? this.puts[place] : 0
  }

  private signsAt(place: number): Piece[] {
    const found: Piece[] = []
    for (const { ats, sizes } of this.signs.values()) {
      const at = ats[place]
      if (at > 0 && !found.some((sign) => sign.at === at)) found.push({ at, bytes: sizes[place] })
    }
    return found.sort((a, b) => a.at - b.at)
  }

  /** Makes room for what pages have. */
  private grow(): void {
    this.puts = roomier(this.puts, this.pages)
    this.rows = roomier(this.rows, this.pages)
    this.spans = roomier(this.spans, this.pages)
    this.sizes = roomier(this.sizes, this.pages)
    for (const signs of this.signs.values()) {
      signs.ats = roomier(signs.ats, this.pages)
      signs.sizes = roomier(signs.sizes, this.pages)
    }
  }
}
