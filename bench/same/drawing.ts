import { drawn, seeded } from '../random.js'

const SUBJECTS = ['Ann', 'Bob', 'Cleo']
const OBJECTS = ['Oslo', 'Rome', 'Pune']
/** Few, so that several episodes say the same: then there is something to consolidate. */
const PREDICATES = ['lives in', 'lives in', 'likes']
const SMALL_TALK = ['Good morning!', 'How are you today?', 'Thanks, that is great.', 'See you tomorrow then.']

/** Random choices for one history: the same for the same seed. */
export class Drawing {
  readonly #random: () => number

  constructor(seed: number) {
    // Numbers of neighbouring seeds are the same but for the first: so the seed is drawn, too.
    this.#random = seeded(seeded(seed)() * 2 ** 32)
  }

  /** A whole number from 0 and below `end`. */
  below(end: number): number {
    return Math.floor(this.#random() * end)
  }

  /** Whether something that happens with this probability happens. */
  chance(probability: number): boolean {
    return this.#random() < probability
  }

  of<T>(items: readonly T[]): T {
    return drawn(items, this.#random)
  }

  /** One of the ids; sometimes one that nothing has. */
  id(ids: readonly string[]): string {
    return ids.length === 0 || this.chance(0.03) ? 'nothing has this id' : this.of(ids)
  }

  /** Up to `most` of the ids, each once. */
  ids(ids: readonly string[], most: number): string[] {
    if (ids.length === 0) return []
    return [...new Set(Array.from({ length: this.below(most + 1) }, () => this.of(ids)))]
  }

  /** The value, or with the given probability nothing. */
  maybe<T>(value: T, absence = 0.5): T | undefined {
    return this.chance(absence) ? undefined : value
  }

  subject(): string {
    return this.of(SUBJECTS)
  }

  concept(): string {
    return this.of([...SUBJECTS, ...OBJECTS])
  }

  statement(): { readonly subject: string; readonly predicate: string; readonly object: string } {
    return { subject: this.subject(), predicate: this.of(PREDICATES), object: this.of(OBJECTS) }
  }

  /** A sentence: a statement in one of several wordings, an appointment, or small talk. */
  sentence({ subject, predicate, object } = this.statement()): string {
    return this.of([
      `${subject} ${predicate} ${object}.`,
      `${subject} ${predicate} ${object}.`,
      `Yes, ${subject} still ${predicate} ${object}, as far as I know.`,
      `${subject} no longer ${predicate} ${object}.`,
      `${subject} meets Bob in ${object} at ${1 + this.below(12)} on ${this.of(['Monday', 'Friday', '3 May'])}.`,
      `The train to ${object} takes ${1 + this.below(9)} hours.`,
      this.of(SMALL_TALK),
    ])
  }

  latent(size: number): Float32Array {
    return Float32Array.from({ length: size }, () => this.#random() * 2 - 1)
  }
}

/** All names that histories speak of. */
export const CONCEPTS: readonly string[] = [...SUBJECTS, ...OBJECTS]
export const SESSIONS: readonly string[] = SUBJECTS
