import { functionalPredicates, type Relation, relationOf } from '../encoding/relation.js'
import { said } from '../encoding/predicate.js'
import { term, tokens } from '../encoding/tokens.js'
import type { Indexes } from '../indexes/indexes.js'
import { dot } from '../indexes/latents.js'

/**
 * The cosine of predicates that differ only in wording: "moved to" and "relocated to" have .85, "bought" and "sold"
 * .73.
 */
export const SAME_PREDICATE = 0.78
/**
 * Words that every predicate may have, whatever it says; all other function words tell predicates apart: "works at",
 * "works as".
 */
export const FORMS: ReadonlySet<string> = new Set([
  'a',
  'an',
  'the',
  'is',
  'are',
  'was',
  'were',
  'be',
  'been',
  'being',
  'has',
  'have',
  'had',
  'do',
  'does',
  'did',
])
/** What a denial adds to the words of a predicate. */
const DENYING: ReadonlySet<string> = new Set([
  'not',
  'no',
  'never',
  'longer',
  'anymore',
  'do',
  'does',
  'did',
  'has',
  'have',
  'had',
])
/** Latents of predicates that are kept, 1 KiB each, before all are dropped. */
const MAX_CACHED = 2_048

/**
 * Compares predicates: by the table of relations, and those that it does not have by the codebook, where there is one.
 */
export class Relations {
  readonly #indexes: Pick<Indexes, 'latents'>
  readonly #meanings = new Map<string, Float32Array | undefined>()
  /** What they were made with. */
  #latents: Indexes['latents']
  /** Whether a predicate has one object at a time. */
  readonly isFunctional: (predicate: string) => boolean

  /** @param functional predicates that have one object at a time, beside the built-in ones. */
  constructor(indexes: Pick<Indexes, 'latents'>, functional: readonly string[] = []) {
    this.#indexes = indexes
    this.isFunctional = functionalPredicates(functional)
  }

  of(predicate: string): Relation {
    return relationOf(predicate)
  }

  /** Whether two predicates name the same relation, be it to say or to deny it. */
  same(a: string, b: string): boolean {
    const [one, other] = [relationOf(a), relationOf(b)]
    if (one.name === other.name) return true
    // What the table tells apart is not joined by a likeness: "first name" and "last name" have a cosine of .79.
    if ((one.isKnown && other.isKnown) || frameOf(a) !== frameOf(b)) return false
    const [meant, others] = [this.#meaning(a), this.#meaning(b)]
    return meant !== undefined && others !== undefined && dot(meant, others) >= SAME_PREDICATE
  }

  /** What a predicate means, be it said or denied. */
  #meaning(predicate: string): Float32Array | undefined {
    const { latents } = this.#indexes
    // A codebook may have come since.
    if (this.#latents !== latents) this.#meanings.clear()
    this.#latents = latents
    if (!this.#meanings.has(predicate)) {
      if (this.#meanings.size >= MAX_CACHED) this.#meanings.clear()
      const plain = tokens(predicate)
        .filter((word) => !DENYING.has(word))
        .join(' ')
      this.#meanings.set(predicate, latents?.of(plain))
    }
    return this.#meanings.get(predicate)
  }
}

/** The function words of a predicate, but for those that only inflect or deny it. */
function frameOf(predicate: string): string {
  return tokens(said(predicate).stems)
    .filter((word) => term(word) === undefined && !FORMS.has(word))
    .join(' ')
}
