import { admit } from '../../journal/admission.js'
import type { StorageChange } from '../../../api/storage.js'

const [FREE, LIVE, REMOVED] = [0, 1, 2]

/** Which slots are live and which were removed: a byte each, so that a commit is checked without asking the server. */
export class Slots {
  #states = new Uint8Array(1024)
  #next: number

  constructor(next = 0) {
    this.#next = next
  }

  /** One more than the highest slot that was ever used. */
  get next(): number {
    return this.#next
  }

  /** Bytes of main memory. */
  get memory(): number {
    return this.#states.length
  }

  isLive(slot: number): boolean {
    return this.#states[slot] === LIVE
  }

  /** The live ones, ascending. */
  live(): number[] {
    const slots: number[] = []
    for (let slot = 0; slot < this.#next; slot++) if (this.#states[slot] === LIVE) slots.push(slot)
    return slots
  }

  /** @throws AgidbError `AGIDB_INTERNAL` when a change does not fit. */
  admit(changes: readonly StorageChange[]): void {
    admit(changes, {
      nextSlot: this.#next,
      isLive: (slot) => this.isLive(slot),
      isFree: (slot) => (this.#states[slot] ?? FREE) === FREE,
    })
  }

  set(slot: number, isLive: boolean): void {
    if (slot >= this.#states.length) {
      const larger = new Uint8Array(Math.max(slot + 1, 2 * this.#states.length))
      larger.set(this.#states)
      this.#states = larger
    }
    this.#states[slot] = isLive ? LIVE : REMOVED
    this.#next = Math.max(this.#next, slot + 1)
  }
}
