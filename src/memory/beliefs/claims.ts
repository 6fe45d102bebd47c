import type { LearningEvent } from '../../api/learning.js'
import { HEAP } from '../../base/heap-size.js'
import { conceptWords } from '../../encoding/concept.js'
import { said } from '../../encoding/predicate.js'
import { DEFAULT_ONTOLOGY } from '../../encoding/ontology.js'
import { objectKey } from '../../encoding/relation.js'

/** What of a belief is indexed. */
type Asserted = Pick<LearningEvent<'beliefAsserted'>, 'claim' | 'subject' | 'predicate' | 'object'>

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
 * Finds the beliefs on which a statement or a sentence bears. A belief has a place, a number that grows in the order of
 * assertions. Beliefs may come in any order.
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
  /** How many subjects begin with a word, and how many claims and statements with a stem. */
  readonly #firsts = new Map<string, number>()
  /** Most words that a key of `#starts` ever had. */
  #longest = 0
  /** Places in all lists together. */
  #places = 0
  readonly #nameOf: (predicate: string) => string

  /** @param nameOf tells which relation a predicate names. Default: by what is known of relations without options. */
  constructor(nameOf: (predicate: string) => string = (predicate) => DEFAULT_ONTOLOGY.of(predicate).name) {
    this.#nameOf = nameOf
  }

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

  add(place: number, asserted: Asserted): void {
    for (const stems of sayingsOf(asserted)) {
      this.#append(this.#said, stems, place)
      this.#count(firstOf(stems), 1)
    }
    const stated = statedBy(asserted, this.#nameOf)
    if (stated === undefined) return
    const { about, relation, what, start, end, stems } = stated
    const relations =
      this.#subjects.get(about) ?? new Map<string, { predicate: string; objects: Map<string, number[]> }>()
    this.#subjects.set(about, relations)
    this.#count(firstOf(start), 1)
    const claimed = relations.get(relation) ?? { predicate: stated.predicate, objects: new Map<string, number[]>() }
    relations.set(relation, claimed)
    // The predicate is that of the first belief.
    if (place < firstPlace(claimed.objects)) claimed.predicate = stated.predicate
    this.#append(claimed.objects, what, place)
    const ends = this.#ends.get(start) ?? new Map<string, number[]>()
    this.#ends.set(start, ends)
    this.#append(ends, end, place)
    this.#longest = Math.max(this.#longest, stems.split(' ').length)
    this.#append(this.#starts, stems, place)
  }

  /**
   * Takes a belief out, as if it had never been added.
   *
   * @param predicateAt the predicate of the belief at a place that is still here.
   */
  remove(place: number, asserted: Asserted, predicateAt: (place: number) => string): void {
    for (const stems of sayingsOf(asserted)) {
      this.#take(this.#said, stems, place)
      this.#count(firstOf(stems), -1)
    }
    const stated = statedBy(asserted, this.#nameOf)
    if (stated === undefined) return
    const { about, relation, what, start, end, stems } = stated
    const relations = this.#subjects.get(about)!
    const claimed = relations.get(relation)!
    this.#count(firstOf(start), -1)
    this.#take(claimed.objects, what, place)
    if (claimed.objects.size === 0) relations.delete(relation)
    else claimed.predicate = predicateAt(firstPlace(claimed.objects))
    if (relations.size === 0) this.#subjects.delete(about)
    const ends = this.#ends.get(start)!
    this.#take(ends, end, place)
    if (ends.size === 0) this.#ends.delete(start)
    this.#take(this.#starts, stems, place)
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

  #append(lists: Map<string, number[]>, key: string, place: number): void {
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [place])
    else if (list[list.length - 1] < place) list.push(place)
    else
      list.splice(
        list.findIndex((other) => other > place),
        0,
        place,
      )
    this.#places++
  }

  /** Takes a place out of a list, and the list away with its last one. */
  #take(lists: Map<string, number[]>, key: string, place: number): void {
    const list = lists.get(key)!
    list.splice(list.indexOf(place), 1)
    if (list.length === 0) lists.delete(key)
    this.#places--
  }

  #count(first: string, by: number): void {
    const count = (this.#firsts.get(first) ?? 0) + by
    if (count === 0) this.#firsts.delete(first)
    else this.#firsts.set(first, count)
  }
}

/** The stems of a claim and of its statement, each once. */
function sayingsOf({ claim, subject, predicate, object }: Asserted): Set<string> {
  const sayings = new Set([said(claim).stems])
  if (subject !== undefined && predicate !== undefined && object !== undefined)
    sayings.add(said(`${subject} ${predicate} ${object}`).stems)
  sayings.delete('')
  return sayings
}

/** The keys under which a statement is found; `undefined` for a claim without one. */
function statedBy({ subject, predicate, object }: Asserted, nameOf: (predicate: string) => string) {
  if (subject === undefined || predicate === undefined || object === undefined) return undefined
  const what = objectKey(object)
  return {
    about: objectKey(subject),
    relation: nameOf(predicate),
    predicate,
    what,
    /** The words of the subject, and those of the object. */
    start: conceptWords(subject).join(' '),
    end: conceptWords(what).join(' '),
    stems: said(`${subject} ${predicate}`).stems,
  }
}

/** The first of the places; `Infinity` where there is none. */
function firstPlace(objects: ReadonlyMap<string, readonly number[]>): number {
  let first = Infinity
  for (const [place] of objects.values()) first = Math.min(first, place)
  return first
}

function firstOf(words: string): string {
  const end = words.indexOf(' ')
  return end < 0 ? words : words.slice(0, end)
}
