import type { LearningEvent } from '../../api/learning.js'
import { HEAP } from '../../base/heap-size.js'
import { conceptWords } from '../../encoding/concept.js'
import { said } from '../../encoding/predicate.js'
import { objectKey, relationOf } from '../../encoding/relation.js'

/** Words of a subject or an object that is looked for in a sentence, at most. */
const LONGEST = 6

/** What is claimed of one subject by one relation. */
export interface Claimed {
  /** One of the predicates; the others name the same relation. */
  readonly predicate: string
  /** Places of the beliefs by the key of their object. */
  readonly objects: ReadonlyMap<string, readonly number[]>
}

/**
 * Finds the beliefs on which a statement or a sentence bears. A belief has a place: its number in the order of
 * assertions.
 */
export class Claims {
  /** By the key of the subject, and the name of the relation. */
  readonly #subjects = new Map<string, Map<string, { predicate: string; objects: Map<string, number[]> }>>()
  /** By the stems of the claim, and of its statement. */
  readonly #said = new Map<string, number[]>()
  /** By the words of the subject, and those of the object. */
  readonly #ends = new Map<string, Map<string, number[]>>()
  /** By the stems of subject and predicate. */
  readonly #starts = new Map<string, number[]>()
  /** The words with which subjects begin, and the stems with which claims and statements do. */
  readonly #firsts = new Set<string>()
  /** Most words that a key of `#starts` has. */
  #longest = 0
  /** Places in all lists together. */
  #places = 0

  /** Bytes of memory, about. */
  get bytes(): number {
    let maps = 0
    for (const relations of this.#subjects.values())
      for (const { objects } of relations.values()) maps += objects.size + 2
    for (const objects of this.#ends.values()) maps += objects.size + 1
    const keys = this.#firsts.size + this.#subjects.size + this.#said.size + this.#ends.size + this.#starts.size + maps
    const lists = this.#places * (HEAP.array + HEAP.field)
    return keys * HEAP.key + (this.#subjects.size + this.#ends.size) * HEAP.map + lists
  }

  add(place: number, { claim, subject, predicate, object }: LearningEvent<'beliefAsserted'>): void {
    const sayings = new Set([said(claim).stems])
    if (subject !== undefined && predicate !== undefined && object !== undefined) {
      sayings.add(said(`${subject} ${predicate} ${object}`).stems)
      this.#state(place, subject, predicate, object)
    }
    for (const stems of sayings) {
      if (stems === '') continue
      this.#append(this.#said, stems, place)
      this.#firsts.add(firstOf(stems))
    }
  }

  /**
   * Whether a sentence that begins with these words may bear on a belief: most do not, and are not looked at closer.
   */
  mayBegin(words: readonly string[]): boolean {
    return words.length > 0 && (this.#firsts.has(words[0]) || this.#firsts.has(firstOf(said(words.join(' ')).stems)))
  }

  /** What is claimed of a subject, by its `objectKey`. */
  of(subject: string): Iterable<Claimed> {
    return this.#subjects.get(subject)?.values() ?? []
  }

  /** The beliefs whose claim or statement has these stems, be it said or denied. */
  saying(stems: string): readonly number[] {
    return this.#said.get(stems) ?? []
  }

  /** The beliefs with whose subject a sentence begins and with whose object it ends. */
  between(words: readonly string[]): number[] {
    const found: number[] = []
    for (let start = 1; start <= LONGEST && start < words.length; start++) {
      const objects = this.#ends.get(words.slice(0, start).join(' '))
      if (objects === undefined) continue
      for (let end = 1; end <= LONGEST && start + end < words.length; end++) {
        found.push(...(objects.get(words.slice(words.length - end).join(' ')) ?? []))
      }
    }
    return found
  }

  /** The beliefs with whose subject and predicate a sentence begins, by its stems. */
  beginning(stems: string): number[] {
    const found: number[] = []
    const words = stems.split(' ', this.#longest + 1)
    for (let length = 2; length <= this.#longest && length < words.length; length++) {
      found.push(...(this.#starts.get(words.slice(0, length).join(' ')) ?? []))
    }
    return found
  }

  #state(place: number, subject: string, predicate: string, object: string): void {
    const [about, what] = [objectKey(subject), objectKey(object)]
    const relations =
      this.#subjects.get(about) ?? new Map<string, { predicate: string; objects: Map<string, number[]> }>()
    this.#subjects.set(about, relations)
    this.#firsts.add(firstOf(conceptWords(subject).join(' ')))
    const { name } = relationOf(predicate)
    const claimed = relations.get(name) ?? { predicate, objects: new Map<string, number[]>() }
    relations.set(name, claimed)
    this.#append(claimed.objects, what, place)
    const start = conceptWords(subject).join(' ')
    const ends = this.#ends.get(start) ?? new Map<string, number[]>()
    this.#ends.set(start, ends)
    this.#append(ends, conceptWords(what).join(' '), place)
    const { stems } = said(`${subject} ${predicate}`)
    this.#longest = Math.max(this.#longest, stems.split(' ').length)
    this.#append(this.#starts, stems, place)
  }

  #append(lists: Map<string, number[]>, key: string, place: number): void {
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [place])
    else list.push(place)
    this.#places++
  }
}

function firstOf(words: string): string {
  const end = words.indexOf(' ')
  return end < 0 ? words : words.slice(0, end)
}
