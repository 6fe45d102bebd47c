import type { LearningEvent, LearningKind } from '../core/learning.js'

/** A learning event and its place: the slot that it took, by which events and episodes are ordered. */
export interface Logged<K extends LearningKind = LearningKind> {
  readonly slot: number
  readonly event: LearningEvent<K>
}

/** A learning event to be: what it tells, without its id and time. */
export type NewEvent<K extends LearningKind = LearningKind> = { [Kind in K]: Omit<LearningEvent<Kind>, 'id' | 'at'> }[K]

/** The learning events that are stored as such, in order (floor 7). That an episode was stored stands in the episode itself. */
export class LearningLog {
  readonly #logged: Logged[] = []
  readonly #ids = new Set<string>()

  get size(): number {
    return this.#logged.length
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  append(slot: number, event: LearningEvent): void {
    this.#logged.push({ slot, event })
    this.#ids.add(event.id)
  }

  all(): readonly Logged[] {
    return this.#logged
  }
}
