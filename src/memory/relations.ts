import type { Meant, Ontology } from '../encoding/ontology.js'
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
 * Compares predicates: by what is known of relations (`OpenOptions.ontology`), and those of which nothing is known by
 * the codebook, where there is one.
 */
export class Relations {
  readonly #indexes: Pick<Indexes, 'latents' | 'ontology'>
  readonly #functional: readonly string[]
  readonly #meanings = new Map<string, Float32Array | undefined>()
  /** What they were made with. */
  #latents: Indexes['latents']
  /** The relations of {@link #functional}, by an ontology. */
  #oneAtATime: { readonly ontology: Ontology; readonly names: ReadonlySet<string> } | undefined

  /** @param functional predicates that have one object at a time, beside those of which it is known. */
  constructor(indexes: Pick<Indexes, 'latents' | 'ontology'>, functional: readonly string[] = []) {
    this.#indexes = indexes
    this.#functional = functional
  }

  /** Which relation a predicate names, and what it says of it. */
  of(predicate: string): Meant {
    return this.#indexes.ontology.of(predicate)
  }

  /** Whether a predicate has one object at a time. */
  isFunctional(predicate: string): boolean {
    const { ontology } = this.#indexes
    if (this.#oneAtATime?.ontology !== ontology)
      this.#oneAtATime = { ontology, names: new Set(this.#functional.map((one) => ontology.of(one).name)) }
    return ontology.isOneAtATime(predicate) || this.#oneAtATime.names.has(ontology.of(predicate).name)
  }

  /** Whether two predicates name the same relation, be it to say or to deny it. */
  same(a: string, b: string): boolean {
    const [one, other] = [this.of(a), this.of(b)]
    if (one.name === other.name) return true
    // What is told apart is not joined by a likeness: "first name" and "last name" have a cosine of .79.
    if ((one.isKnown && other.isKnown) || frameOf(a) !== frameOf(b)) return false
    const [meant, others] = [this.#meaning(a), this.#meaning(b)]
    return meant !== undefined && others !== undefined && dot(meant, others) >= SAME_PREDICATE
  }

  /** Whether a predicate names the relation of another with its ends exchanged, be it to say or to deny it. */
  inverse(a: string, b: string): boolean {
    const { ontology } = this.#indexes
    const [one, other] = [ontology.of(a), ontology.of(b)]
    const isJust = one.says === one.name && other.says === other.name
    return isJust && (ontology.inverseOf(a) === other.name || ontology.inverseOf(b) === one.name)
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
