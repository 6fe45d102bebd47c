import { HEAP, stringBytes } from '../../base/heap-size.js'
import { enter, leave } from '../../base/set-map.js'
import { textSignature } from '../../encoding/text.js'
import { term, termCounts, tokens } from '../../encoding/tokens.js'
import { dot, type Latents } from '../../indexes/latents.js'
import { DIMENSION } from '../../kernel/port.js'
import type { MemoryContext } from '../context.js'
import { ReadSlots } from '../read-slots.js'

/**
 * Distinct index terms that a text must have beside its speaker's name to say something of its own: "Roger that" and
 * "Okay" have not.
 */
const TERMS = 3
/**
 * The share of their index terms that near-duplicates have in common at least (Jaccard). Of the pairs of texts of
 * Apollo 13 that share {@link WORDS} all share half.
 */
const SHARED_TERMS = 0.4
/** How much near-duplicates share of the signatures of what was said: 54 standard deviations. */
const WORDS = 0.6
/** The cosine of what near-duplicates mean. */
const MEANING = 0.85
/** Wordings that are kept in the forms in which they are compared, about 2 KiB each, before all are dropped. */
const MAX_CACHED = 4_096
const DENIALS: ReadonlySet<string> = new Set(['not', 'no', 'never', 'nothing', 'nobody', 'none', 'without', 'cannot'])

/** What the texts of some episodes have in common: the same words in the same order. */
interface Wording {
  /** The words, folded, with spaces between them. */
  readonly words: string
  readonly terms: readonly string[]
  /** What near-duplicates must have in common: its figures, and whether it denies something. */
  readonly details: string
  /** The episodes, ascending. */
  readonly slots: number[]
  /** Those like it, the most alike first, as they were at a version of the table. */
  alike?: { readonly version: number; readonly wordings: readonly (readonly [Wording, number])[] }
}

/** What V8 takes for a {@link Compared} beside its numbers: itself, a view, and its place in a map. */
const COMPARED = HEAP.object + 2 * HEAP.field + HEAP.view + HEAP.entry

interface Compared {
  readonly signature: Uint8Array
  readonly meaning: Float32Array | undefined
}

/**
 * The texts of episodes without given triples, by their wordings, and which of these say the same in other words.
 * Whether two do depends on nothing but them, so an episode that comes or goes changes nothing for others. It is made
 * when it is first asked for, of the episodes that are there.
 */
export class SimilarTexts {
  readonly #context: MemoryContext
  readonly #bySlot = new Map<number, Wording>()
  readonly #byWords = new Map<string, Wording>()
  /** The wordings of the same details that have a term. */
  readonly #byTerm = new Map<string, Set<Wording>>()
  readonly #read: ReadSlots
  readonly #compared = new Map<Wording, Compared>()
  readonly #names = new Map<string, number>()
  /** With what the compared ones were made. */
  #latents: Latents | undefined
  #version = 0
  #bytes = 0

  constructor(context: MemoryContext) {
    this.#context = context
    this.#read = new ReadSlots(context, {
      slots: () => this.#bySlot.keys(),
      tells: (slot) => this.#tells(slot),
      add: (slot, { text }) => this.#add(slot, text),
      remove: (slot) => this.#remove(slot),
    })
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    let compared = 0
    for (const { signature, meaning } of this.#compared.values())
      compared += COMPARED + signature.byteLength + (meaning === undefined ? 0 : HEAP.view + meaning.byteLength)
    return this.#bytes + compared + this.#bySlot.size * (HEAP.entry + HEAP.field) + this.#read.bytes
  }

  /** Whether the text of an episode was taken in and tells something. */
  has(slot: number): boolean {
    return this.#bySlot.has(slot)
  }

  /** Has the texts of slots be read anew before they are next compared. */
  doubt(slots: Iterable<number>): void {
    this.#read.doubt(slots)
  }

  /** Takes in all that is there up to a slot, and out what went. */
  readThrough(last: number, breathe: () => Promise<void>): Promise<void> {
    return this.#read.readThrough(last, breathe)
  }

  /** Takes in the texts of slots. */
  read(slots: readonly number[], breathe: () => Promise<void>): Promise<void> {
    return this.#read.read(slots, breathe)
  }

  /** The episodes before one that say the same in words and in meaning, of any speaker: the most alike first. */
  *before(slot: number): Generator<number> {
    const wording = this.#bySlot.get(slot)
    if (wording === undefined) return
    yield* this.#live(wording, slot)
    for (const [other] of this.#alike(wording)) yield* this.#live(other, slot)
  }

  /**
   * All episodes up to a slot that say the same as some, or the same as those that do, and so on.
   *
   * @param together the slots that an atom holds together with a slot.
   */
  async connected(
    start: Iterable<number>,
    together: (slot: number) => Iterable<number>,
    last: number,
    breathe: () => Promise<void>,
  ): Promise<Set<number>> {
    const found = new Set(start)
    const met = new Set<Wording>()
    // The set grows while it is walked.
    for (const slot of found) {
      for (const other of together(slot)) if (other <= last) found.add(other)
      const wording = this.#bySlot.get(slot)
      if (wording === undefined || met.has(wording)) continue
      met.add(wording)
      for (const one of [wording, ...this.#alike(wording).map(([other]) => other)])
        for (const other of this.#live(one, last + 1)) found.add(other)
      await breathe()
    }
    return found
  }

  #add(slot: number, text: string): void {
    const all = tokens(text)
    const words = all.join(' ')
    let wording = this.#byWords.get(words)
    if (wording === undefined) {
      const terms = [...new Set(all.flatMap((word) => term(word) ?? []))]
      wording = { words, terms, details: detailsOf(all), slots: [] }
      this.#byWords.set(words, wording)
      for (const key of keysOf(wording)) enter(this.#byTerm, key, wording)
      this.#version++
      this.#bytes += bytesOf(wording)
    }
    this.#bySlot.set(slot, wording)
    const { slots } = wording
    let at = slots.length
    while (at > 0 && slots[at - 1] > slot) at--
    slots.splice(at, 0, slot)
  }

  #remove(slot: number): void {
    const wording = this.#bySlot.get(slot)
    if (wording === undefined) return
    this.#bySlot.delete(slot)
    wording.slots.splice(wording.slots.indexOf(slot), 1)
    if (wording.slots.length > 0) return
    this.#byWords.delete(wording.words)
    this.#compared.delete(wording)
    for (const key of keysOf(wording)) leave(this.#byTerm, key, wording)
    this.#version++
    this.#bytes -= bytesOf(wording)
  }

  /** The episodes of a wording before a slot that are there. */
  *#live({ slots }: Wording, before: number): Generator<number> {
    const { catalog } = this.#context.indexes
    for (const slot of slots) {
      if (slot >= before) return
      if (catalog.has(slot)) yield slot
    }
  }

  /** The wordings that say the same as one, and how much they share with it, the most alike first. */
  #alike(wording: Wording): readonly (readonly [Wording, number])[] {
    const { latents } = this.#context.indexes
    if (latents !== this.#latents) {
      this.#compared.clear()
      this.#version++
      this.#latents = latents
    }
    if (wording.alike?.version === this.#version) return wording.alike.wordings
    const found: [Wording, number][] = []
    for (const other of this.#candidates(wording)) {
      const likeness = this.#likeness(wording, other)
      if (likeness !== undefined) found.push([other, likeness])
    }
    found.sort(([a, one], [b, other]) => other - one || (a.words < b.words ? -1 : 1))
    wording.alike = { version: this.#version, wordings: found }
    return found
  }

  /**
   * The wordings of the same details that share enough index terms with one. Of n terms they share
   * `SHARED_TERMS · n` at least, so it is enough to look at those that have one of the others, of which the rarest are
   * taken (prefix filter: Chaudhuri, Ganti and Kaushik, A Primitive Operator for Similarity Joins in Data Cleaning,
   * 2006).
   */
  #candidates(wording: Wording): Set<Wording> {
    const { terms } = wording
    const least = Math.ceil(SHARED_TERMS * terms.length)
    const lists = keysOf(wording).map((key) => this.#byTerm.get(key)!)
    lists.sort((a, b) => a.size - b.size)
    const own = new Set(terms)
    const found = new Set<Wording>()
    const looked = new Set<Wording>([wording])
    for (const list of lists.slice(0, terms.length - least + 1)) {
      for (const other of list) {
        if (looked.has(other)) continue
        looked.add(other)
        let shared = 0
        for (const one of other.terms) if (own.has(one)) shared++
        if (shared >= SHARED_TERMS * (terms.length + other.terms.length - shared)) found.add(other)
      }
    }
    return found
  }

  /** How much two wordings share; `undefined` where they do not say the same, in words or in meaning. */
  #likeness(one: Wording, other: Wording): number | undefined {
    const [a, b] = [this.#compare(one), this.#compare(other)]
    const likeness = 1 - (2 * this.#context.indexes.kernel.hamming(a.signature, b.signature)) / DIMENSION
    if (likeness < WORDS) return undefined
    const meant =
      a.meaning === undefined || b.meaning === undefined
        ? a.meaning === b.meaning
        : dot(a.meaning, b.meaning) >= MEANING
    return meant ? likeness : undefined
  }

  #compare(wording: Wording): Compared {
    const kept = this.#compared.get(wording)
    if (kept !== undefined) return kept
    const { kernel, latents } = this.#context.indexes
    const compared = { signature: textSignature(kernel, wording.words), meaning: latents?.of(wording.words) }
    if (this.#compared.size >= MAX_CACHED) this.#compared.clear()
    this.#compared.set(wording, compared)
    return compared
  }

  /** Whether there is an episode without given triples that says enough for others to say the same. */
  #tells(slot: number): boolean {
    const { structured, postings, catalog, extracted } = this.#context.indexes
    if (!catalog.has(slot) || (structured.has(slot) && !extracted.isFoundAlone(slot))) return false
    // Who spoke is searched with the text, and says nothing.
    const speaker = catalog.speaker(slot)
    return postings.termsOf(slot).length - (speaker === undefined ? 0 : this.#name(speaker)) >= TERMS
  }

  /** Index terms of a speaker's name. */
  #name(speaker: string): number {
    let terms = this.#names.get(speaker)
    if (terms === undefined) this.#names.set(speaker, (terms = termCounts(speaker).size))
    return terms
  }
}

/** Under what a wording is found: each of its terms, apart from wordings of other details. */
function keysOf({ terms, details }: Wording): string[] {
  return terms.map((term) => `${details}\n${term}`)
}

function detailsOf(words: readonly string[]): string {
  return words
    .filter((word) => /\p{N}/u.test(word) || DENIALS.has(word))
    .sort()
    .join(' ')
}

/** Bytes of a wording and of its places, about. */
function bytesOf({ words, terms, details }: Wording): number {
  const own = HEAP.object + 5 * HEAP.field + 2 * HEAP.array + HEAP.entry
  return own + stringBytes(words) + stringBytes(details) + terms.length * (HEAP.field + HEAP.key)
}
