import type { Contradiction } from '../core/atom.js'
import { type AtomTable, type Formed, predicateKey } from '../floors/atoms.js'
import { conceptKey, sameConcept } from '../hdc/concept.js'
import { said } from '../hdc/predicate.js'
import type { Catalog } from '../indexes/catalog.js'
import { overlap, supportOf, type Support } from './support.js'

/** Atoms that are looked at before others have their turn. */
const STRIDE = 256

interface Claim {
  readonly atom: Formed & { readonly triple: NonNullable<Formed['triple']> }
  readonly support: Support
}

/**
 * Pairs of atoms that cannot both be true and were not found before: of the same subject and predicate, which has one object
 * at a time, with different objects, at times that overlap. Sorted by their ids.
 */
export async function findContradictions(
  catalog: Catalog, atoms: AtomTable, isFunctional: (predicate: string) => boolean, breathe: () => Promise<void>,
): Promise<Contradiction[]> {
  const claims = new Map<string, Claim[]>()
  let looked = 0
  for (const atom of [...atoms.all()]) {
    if (++looked % STRIDE === 0) await breathe()
    const { triple } = atom
    // That several things are not so is no contradiction.
    if (triple === undefined || !isFunctional(triple.predicate) || said(triple.predicate).negated) continue
    const support = supportOf(catalog, atom)
    if (support === undefined) continue
    const key = JSON.stringify([conceptKey(triple.subject), predicateKey(triple.predicate)])
    const same = claims.get(key)
    const claim = { atom: { ...atom, triple }, support }
    if (same === undefined) claims.set(key, [claim])
    else same.push(claim)
  }
  const found: Contradiction[] = []
  for (const same of claims.values()) {
    same.sort((a, b) => (a.atom.id < b.atom.id ? -1 : 1))
    for (const [i, a] of same.entries()) {
      if (++looked % STRIDE === 0) await breathe()
      for (const b of same.slice(i + 1)) {
        if (sameConcept(a.atom.triple.object, b.atom.triple.object)) continue
        if (overlap(a.support, b.support) && !atoms.contradicts(a.atom.id, b.atom.id)) found.push(contradiction(a, b))
      }
    }
  }
  return found.sort((a, b) => (a.atoms.join() < b.atoms.join() ? -1 : 1))
}

function contradiction({ atom: a }: Claim, { atom: b }: Claim): Contradiction {
  const { subject, predicate } = a.triple
  return { atoms: [a.id, b.id], subject, predicate, objects: [a.triple.object, b.triple.object] }
}
