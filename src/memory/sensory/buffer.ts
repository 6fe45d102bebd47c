import { HEAP, heapBytes, sampledBytes } from '../../base/heap-size.js'
import type { SensoryFrame, SensoryId } from '../../api/sensory.js'

/** Frames that are kept, at most. */
export const CAPACITY = 1_000
/** Milliseconds that a frame is kept. */
export const WINDOW_MS = 60_000

/** A frame, where it is stored, and which it is of all that ever came, from 1. */
export interface Buffered {
  readonly slot: number
  readonly frame: SensoryFrame
  readonly number: number
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

/**
 * The frames that came last, in the order in which they came. The newest stays here when it is too old to be seen: it
 * says how many there were.
 */
export class SensoryBuffer {
  readonly #frames = new Map<SensoryId, Buffered>()
  #observed = 0

  /** All frames that ever came. */
  get observed(): number {
    return this.#observed
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return sampledBytes(this.#frames.values(), this.#frames.size, (one) => heapBytes(one) + HEAP.entry)
  }

  has(id: SensoryId): boolean {
    return this.#frames.has(id)
  }

  /** Takes in the newest frame, or another version of one that is here. */
  put(slot: number, frame: SensoryFrame, number: number): void {
    this.#observed = Math.max(this.#observed, number)
    this.#frames.set(frame.id, { slot, frame, number, receivedAt: Date.parse(frame.receivedAt) })
  }

  remove(id: SensoryId): void {
    this.#frames.delete(id)
  }

  /** A frame that can be seen at this time. */
  find(id: SensoryId, now: number): Buffered | undefined {
    const found = this.#frames.get(id)
    return found !== undefined && fresh(found, now) ? found : undefined
  }

  /** The frames that can be seen at this time, the oldest first. */
  seen(now: number): Buffered[] {
    return [...this.#frames.values()].filter((one) => fresh(one, now))
  }

  /** The frames that go when another comes at this time. */
  leaving(now: number): Buffered[] {
    const over = this.seen(now).length - (CAPACITY - 1)
    let room = 0
    return [...this.#frames.values()].filter((one) => !fresh(one, now) || room++ < over)
  }
}

function fresh({ receivedAt }: Buffered, now: number): boolean {
  return now - receivedAt <= WINDOW_MS
}
