import { HEAP, heapBytes } from '../base/heap-size.js'
import type { LearningEvent, LearningKind } from '../api/learning.js'

/** What V8 takes for the place of an event: an object, an element and an entry of a set. */
const PLACE = HEAP.object + 3 * HEAP.field + HEAP.entry

/** A learning event and its place: the slot that it took, by which events and episodes are ordered. */
export interface Logged<K extends LearningKind = LearningKind> {
  readonly slot: number
  readonly event: LearningEvent<K>
}

/** A learning event to be: what it tells, without its id and time. */
export type NewEvent<K extends LearningKind = LearningKind> = { [Kind in K]: Omit<LearningEvent<Kind>, 'id' | 'at'> }[K]

/**
 * The learning events that are stored as such, in order (floor 7). That an episode was stored stands in the episode
 * itself.
 */
export class LearningLog {
  #logged: Logged[] = []
  readonly #ids = new Set<string>()
  #bytes = 0

  get size(): number {
    return this.#logged.length
  }

  /** Bytes of memory, about: the events themselves, which other tables refer to. */
  get bytes(): number {
    return this.#bytes
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Takes an event in: the next one, or one that is back at its place. */
  apply(event: LearningEvent, slot: number): void {
    let at = this.#logged.length
    while (at > 0 && this.#logged[at - 1].slot > slot) at--
    this.#logged.splice(at, 0, { slot, event })
    this.#ids.add(event.id)
    this.#bytes += PLACE + heapBytes(event)
  }

  /** Takes events out, which are no more; those that are not here are passed over. One pass over the log. */
  retract(events: readonly LearningEvent[]): void {
    for (const event of events) if (this.#ids.delete(event.id)) this.#bytes -= PLACE + heapBytes(event)
    this.#logged = this.#logged.filter(({ event }) => this.#ids.has(event.id))
  }

  all(): readonly Logged[] {
    return this.#logged
  }
}
