/** The furthest that a new slot may lie beyond the highest one, so that a damaged number cannot fill the memory. */
export const MAX_SLOT_GAP = 1 << 20

const REMOVED = -1

/**
 * Where the entries of each slot lie in the journal: 24 bytes a slot in typed arrays, however long the
 * rows. Position 0 is the file header, so it stands for a slot that was never used.
 */
export class SlotTable {
  private puts = new Float64Array(0)
  private rows = new Float64Array(0)
  private spans = new Uint32Array(0)
  private sizes = new Uint32Array(0)
  private next: number

  constructor(nextSlot: number) {
    this.next = nextSlot
  }

  /** One more than the highest slot ever used. */
  get nextSlot(): number {
    return this.next
  }

  /** Whether an episode may be put into this slot, when `nextSlot` is the next one: no slot is used twice. */
  isFree(slot: number, nextSlot = this.next): boolean {
    return Number.isInteger(slot) && slot >= 0 && slot < nextSlot + MAX_SLOT_GAP && !this.puts[slot]
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

  remove(slot: number): void {
    this.puts[slot] = REMOVED
  }

  /** Position of the entry that put a live slot: its signatures are there. */
  putAt(slot: number): number {
    return this.puts[slot]
  }

  /** Bytes of that entry. */
  putBytes(slot: number): number {
    return this.sizes[slot]
  }

  /** Position of the entry with the latest row of a live slot. */
  rowAt(slot: number): number {
    return this.rows[slot]
  }

  /** Bytes of that entry up to and with its row. */
  rowSpan(slot: number): number {
    return this.spans[slot]
  }

  private grow(needed: number): void {
    const length = Math.max(needed, 1024, Math.ceil(this.puts.length * 1.5))
    const { puts, rows, spans, sizes } = this
    this.puts = new Float64Array(length)
    this.rows = new Float64Array(length)
    this.spans = new Uint32Array(length)
    this.sizes = new Uint32Array(length)
    this.puts.set(puts)
    this.rows.set(rows)
    this.spans.set(spans)
    this.sizes.set(sizes)
  }
}
