/**
 * What an application says of its relations, beside what is built in (docs/concepts.md). Predicates are compared by
 * their stems: "employs" stands for "employed", too. At most 1,000 entries each.
 */
export interface OntologyOptions {
  /** Pairs that say the same with subject and object exchanged: `['supplies', 'is supplied by']`. */
  readonly inverse?: readonly (readonly [relation: string, inverse: string])[]
  /** Relations that hold in both orders: `'allied with'`. */
  readonly symmetric?: readonly string[]
  /** Relations that have one object at a time, so that a newer statement replaces an older one: `'team is'`. */
  readonly oneAtATime?: readonly string[]
  /** Groups of predicates that mean the same, the name of all first: `['likes', 'digs']`. */
  readonly synonyms?: readonly (readonly string[])[]
}
