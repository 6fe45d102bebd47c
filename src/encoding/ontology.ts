import type { OntologyOptions } from '../api/ontology.js'
import { FUNCTIONAL_PREDICATES } from './functional.js'
import { type Relation, relationOf } from './relation.js'
import { INVERSES, SYMMETRIC, SYNONYMS } from './ontology-words.js'
import { said } from './predicate.js'
import { tokens } from './tokens.js'

/** A predicate, as it is compared with others. */
export interface Meant {
  /** The same for all predicates that say the same in the same order of subject and object. */
  readonly name: string
  /** Whether it holds; `undefined` where the predicate does not say. */
  readonly holds: boolean | undefined
  /** The same for all predicates that say just the same: "hates" says that "likes" does not hold, and more. */
  readonly says: string
  /** Whether a table has the relation. */
  readonly isKnown: boolean
}

/** A statement in the order in which it is compared with others. */
export interface Ordered<T> {
  readonly subject: T
  readonly relation: string
  /** As of {@link Meant}. */
  readonly says: string
  readonly object: T
  readonly holds: boolean | undefined
  /** Whether subject and object changed places. */
  readonly isTurned: boolean
  /** Whether its subject has one object at a time. */
  readonly isOneAtATime: boolean
  /** Whether it holds in both orders. */
  readonly isSymmetric: boolean
}

const PASSIVE = /(?:^|\s)(?:is|are|was|were|been|being)\s.*\bby$|(?:ed|wn|en|ught|pt|ld|id)\s+by$/iu
/** What follows "by" in a name that is no passive voice. */
const BY = / by$/u
/** The cache is dropped whole at this many predicates. */
const CACHE = 10_000

/**
 * What is known of relations: which names mean the same, which are the inverse of another, which hold in both orders,
 * and which have one object at a time. The vocabulary is open: a predicate that no table has is a relation of its own,
 * and "recommended by" is the inverse of "recommended".
 */
export class Ontology {
  readonly #synonyms = new Map<string, string>()
  readonly #inverses = new Map<string, string>()
  readonly #symmetric = new Set<string>()
  readonly #functional = new Set<string>()
  readonly #known = new Map<string, Meant>()

  /** @param options what an application adds to the tables; see `OpenOptions.ontology`. */
  constructor({ inverse = [], symmetric = [], oneAtATime = [], synonyms = [] }: OntologyOptions = {}) {
    for (const [first, ...others] of [...SYNONYMS, ...synonyms]) {
      const name = this.#own(first)
      for (const other of others) this.#synonyms.set(stemsOf(other), name)
      // Whatever the table of relations calls so has the name, too.
      this.#synonyms.set(stemsOf(first), name)
    }
    for (const [relation, other] of [...inverse, ...INVERSES]) this.#pair(this.#own(relation), this.#own(other))
    for (const predicate of [...SYMMETRIC, ...symmetric]) this.#symmetric.add(this.#own(predicate))
    for (const predicate of [...FUNCTIONAL_PREDICATES, ...oneAtATime]) this.#functional.add(this.#own(predicate))
  }

  /** Which relation a predicate names, and whether it says that it holds. */
  of(predicate: string): Meant {
    let meant = this.#known.get(predicate)
    if (meant === undefined) {
      if (this.#known.size >= CACHE) this.#known.clear()
      this.#known.set(predicate, (meant = this.#read(predicate)))
    }
    return meant
  }

  /** The name of the relation that says the same with subject and object exchanged, if one is known. */
  inverseOf(predicate: string): string | undefined {
    const { name } = this.of(predicate)
    if (this.#symmetric.has(name)) return name
    const known = this.#inverses.get(name)
    if (known !== undefined) return known
    return PASSIVE.test(predicate.trim()) && BY.test(name) ? name.replace(BY, '') : undefined
  }

  /** Whether a relation holds in both orders. */
  isSymmetric(predicate: string): boolean {
    return this.#symmetric.has(this.of(predicate).name)
  }

  /** Whether a relation has one object at a time. */
  isOneAtATime(predicate: string): boolean {
    return this.#functional.has(this.of(predicate).name)
  }

  /** Whether a relation, or its inverse, has one object at a time. */
  hasOneAtATime(predicate: string): boolean {
    const inverse = this.inverseOf(predicate)
    return this.isOneAtATime(predicate) || (inverse !== undefined && this.#functional.has(inverse))
  }

  /**
   * Whether two predicates say the same: in the same order (`same`), with subject and object exchanged (`inverse`), or
   * both, as symmetric ones do.
   */
  compare(a: string, b: string): { readonly same: boolean; readonly inverse: boolean } {
    const [one, other] = [this.of(a), this.of(b)]
    if (one.holds !== other.holds) return { same: false, inverse: false }
    return {
      same: one.says === other.says,
      inverse: isJust(one) && isJust(other) && (this.inverseOf(a) === other.name || this.inverseOf(b) === one.name),
    }
  }

  /**
   * A statement in the order in which others that say the same come out, too: "Bob is a child of Ann" as "Ann is a
   * parent of Bob". A relation with one object at a time keeps its order.
   *
   * @param compare orders subject and object of a symmetric relation, as `sort` would.
   */
  ordered<T>(subject: T, predicate: string, object: T, compare: (a: T, b: T) => number): Ordered<T> {
    const meant = this.of(predicate)
    const { name, holds } = meant
    const inverse = this.inverseOf(predicate)
    const isTurned =
      inverse === name ? compare(subject, object) > 0 : inverse !== undefined && this.#turns(name, inverse)
    const relation = isTurned ? inverse! : name
    const [about, what] = isTurned ? [object, subject] : [subject, object]
    const isOneAtATime = this.#functional.has(relation)
    const says = isJust(meant) ? relation : meant.says
    return {
      subject: about,
      relation,
      says,
      object: what,
      holds,
      isTurned,
      isOneAtATime,
      isSymmetric: inverse === name,
    }
  }

  /** Of a relation and its inverse one is the name of both: that with one object at a time, else the first by name. */
  #turns(name: string, inverse: string): boolean {
    const [own, other] = [this.#functional.has(name), this.#functional.has(inverse)]
    return own === other ? inverse < name : other
  }

  #pair(a: string, b: string): void {
    if (!this.#inverses.has(a)) this.#inverses.set(a, b)
    if (!this.#inverses.has(b)) this.#inverses.set(b, a)
  }

  #own(predicate: string): string {
    return this.#read(predicate).name
  }

  #read(predicate: string): Meant {
    const { stems, negated } = said(predicate)
    const own = this.#synonyms.get(stems)
    if (own !== undefined) return { name: own, holds: !negated, says: own, isKnown: true }
    const { name, holds, isExact, isKnown }: Relation = relationOf(predicate)
    // "belongs to" says more than membership.
    const relation = OWN_NAMES.has(stems) ? stems : name
    const known = this.#synonyms.get(relation) ?? relation
    const says = isExact ? known : stems
    return { name: known, holds, says, isKnown: isKnown || known !== relation }
  }
}

/** Whether a predicate says no more than its relation. */
function isJust({ name, says }: Meant): boolean {
  return name === says
}

/** The stems of predicates that are relations here which the table of relations counts to others. */
const OWN_NAMES: ReadonlySet<string> = new Set(['belongs to', 'contains'].map(stemsOf))

function stemsOf(predicate: string): string {
  return said(tokens(predicate).join(' ')).stems
}

/** What is known of relations where an application adds nothing. */
export const DEFAULT_ONTOLOGY = new Ontology()
