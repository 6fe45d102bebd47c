import type { Contradiction } from '../../api/atom.js'
import type { AtomTable, Formed } from './projection.js'
import { conceptKey } from '../../encoding/concept.js'
import { exclude, objectKey } from '../../encoding/relation.js'
import type { Catalog } from '../../indexes/catalog.js'
import type { Relations } from '../relations.js'
import { overlap, supportOf, type Support } from './support.js'

/** Atoms that are looked at before others have their turn. */
const STRIDE = 256

interface Claim {
  readonly atom: Formed & { readonly triple: NonNullable<Formed['triple']> }
  readonly support: Support
}

/** What is said of one subject by predicates of one name: that something is so, and that it is not. */
interface Sayings {
  /** One of the predicates; the others name the same relation. */
  readonly predicate: string
  readonly isFunctional: boolean
  readonly said: Claim[]
  readonly denied: Claim[]
}

/** Where and when contradictions are looked for. */
export interface Where {
  /** By the ends of episodes that were known at this time, epoch milliseconds. Default: by all. */
  readonly endsKnown?: number
  /** Keys of the concepts of which something is said. Default: all. */
  readonly subjects?: ReadonlySet<string>
}

/**
 * Pairs of atoms that cannot both be true and were not found before, at times that overlap: of the same subject and
 * relation, one denies the object that the other says, or both say objects that exclude each other of a relation that
 * has one object at a time. Predicates are compared as `Relations` does. Sorted by their ids.
 */
export async function findContradictions(
  catalog: Catalog,
  atoms: AtomTable,
  relations: Relations,
  breathe: () => Promise<void>,
  where: Where = {},
): Promise<Contradiction[]> {
  const found: Contradiction[] = []
  let looked = 0
  const look = async () => {
    if (++looked % STRIDE === 0) await breathe()
  }
  const compare = (a: Claim, b: Claim) => {
    if (overlap(a.support, b.support) && !atoms.contradicts(a.atom.id, b.atom.id)) found.push(contradiction(a, b))
  }
  for (const sayings of (await bySubject(catalog, atoms, relations, look, where)).values()) {
    for (const [i, one] of sayings.entries()) {
      for (const other of sayings.slice(i)) {
        await look()
        if (one !== other && !relations.same(one.predicate, other.predicate)) continue
        opposed(one.said, other.denied, compare)
        if (one !== other) opposed(other.said, one.denied, compare)
        if (one.isFunctional || other.isFunctional) await excluding(one.said, other.said, compare, look)
      }
    }
  }
  return found.sort((a, b) => (a.atoms.join() < b.atoms.join() ? -1 : 1))
}

/** What is said of each subject, by relation. */
async function bySubject(
  catalog: Catalog,
  atoms: AtomTable,
  relations: Relations,
  look: () => Promise<void>,
  { endsKnown, subjects: wanted }: Where,
): Promise<Map<string, Sayings[]>> {
  const subjects = new Map<string, Map<string, Sayings>>()
  for (const atom of [...atoms.all()]) {
    await look()
    const { triple } = atom
    if (triple === undefined) continue
    const key = conceptKey(triple.subject)
    if (wanted !== undefined && !wanted.has(key)) continue
    const { name, holds } = relations.of(triple.predicate)
    const support = holds === undefined ? undefined : supportOf(catalog, atom, Infinity, endsKnown)
    if (support === undefined) continue
    const about = subjects.get(key) ?? new Map<string, Sayings>()
    subjects.set(key, about)
    const fresh = {
      predicate: triple.predicate,
      isFunctional: relations.isFunctional(triple.predicate),
      said: [],
      denied: [],
    }
    const sayings: Sayings = about.get(name) ?? fresh
    about.set(name, sayings)
    ;(holds ? sayings.said : sayings.denied).push({ atom: { ...atom, triple }, support })
  }
  return new Map([...subjects].map(([key, about]) => [key, [...about.values()]]))
}

/** Finds what is said of an object and denied of the same. */
function opposed(said: readonly Claim[], denied: readonly Claim[], found: (a: Claim, b: Claim) => void): void {
  if (said.length === 0 || denied.length === 0) return
  const byObject = new Map<string, Claim[]>()
  for (const claim of denied) {
    const key = objectKey(claim.atom.triple.object)
    byObject.set(key, [...(byObject.get(key) ?? []), claim])
  }
  for (const claim of said)
    for (const other of byObject.get(objectKey(claim.atom.triple.object)) ?? []) found(claim, other)
}

/** Finds objects of which only one can be true at a time. */
async function excluding(
  ones: readonly Claim[],
  others: readonly Claim[],
  found: (a: Claim, b: Claim) => void,
  look: () => Promise<void>,
): Promise<void> {
  for (const [i, one] of ones.entries()) {
    await look()
    for (const other of ones === others ? ones.slice(i + 1) : others) {
      if (exclude(one.atom.triple.object, other.atom.triple.object)) found(one, other)
    }
  }
}

function contradiction(one: Claim, other: Claim): Contradiction {
  const [{ atom: a }, { atom: b }] = one.atom.id < other.atom.id ? [one, other] : [other, one]
  const { subject, predicate } = a.triple
  return { atoms: [a.id, b.id], subject, predicate, objects: [a.triple.object, b.triple.object] }
}
