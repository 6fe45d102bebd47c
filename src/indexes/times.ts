import { Column } from '../base/column.js'
import type { CheckpointParts } from '../base/checkpoint-parts.js'
import { PAGE, PAGE_BITS } from '../base/pages.js'

const NEVER = Infinity

/**
 * Times by slot, `Infinity` for never. Of each page it knows between which times all of it lies: memories come in about
 * the order of their times, so that hardly any page must be looked into to tell which of its slots are earlier than a
 * time.
 */
export class Times extends Column<Float64Array> {
  /**
   * By room: no time of it is earlier, and none but `NEVER` is later. What was changed since may leave them farther
   * apart than they need be.
   */
  readonly #earliest: number[] = []
  readonly #latest: number[] = []

  constructor() {
    super(Float64Array, NEVER)
  }

  /** Bytes of memory. */
  override get bytes(): number {
    return super.bytes + 8 * (this.#earliest.length + this.#latest.length)
  }

  override set(slot: number, time: number): void {
    super.set(slot, time)
    this.#widen(this.placeOf(slot), time)
  }

  override load(parts: CheckpointParts, name: string): void {
    super.load(parts, name)
    const { values } = this
    for (let first = 0; first < values.length; first += PAGE) {
      let [earliest, latest] = [NEVER, -NEVER]
      for (let place = first; place < first + PAGE && place < values.length; place++) {
        const time = values[place]
        if (time < earliest) earliest = time
        if (time > latest && time < NEVER) latest = time
      }
      this.#earliest.push(earliest)
      this.#latest.push(latest)
    }
  }

  /** No time of the page that has this place is earlier. */
  earliest(place: number): number {
    return this.#earliest[place >> PAGE_BITS] ?? NEVER
  }

  /** No time of the page that has this place is later, but `Infinity`. */
  latest(place: number): number {
    return this.#latest[place >> PAGE_BITS] ?? -NEVER
  }

  #widen(place: number, time: number): void {
    if (time === NEVER) return
    const room = place >> PAGE_BITS
    while (this.#earliest.length <= room) {
      this.#earliest.push(NEVER)
      this.#latest.push(-NEVER)
    }
    if (time < this.#earliest[room]) this.#earliest[room] = time
    if (time > this.#latest[room]) this.#latest[room] = time
  }
}
