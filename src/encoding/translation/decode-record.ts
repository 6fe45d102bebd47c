import type { Triple } from '../../api/episode.js'
import type { Hypervector, Kernel } from '../../kernel/port.js'
import type { CleanupMemory } from '../cleanup-memory.js'
import type { Pair, Records } from '../record.js'
import { DEVIATION } from './standing-out.js'

/** The known fillers of a record. */
export interface Codebooks {
  /** Subjects and objects. */
  readonly concepts: CleanupMemory
  readonly predicates: CleanupMemory
}

/** A statement that was read back from a signature. */
export interface DecodedTriple {
  readonly triple: Triple
  /** Standard deviations of its six bindings together above an unrelated signature. */
  readonly z: number
}

/** Fillers of a role that are looked at, at most: the nearest ones. */
const CANDIDATES = 128
/** Standard deviations from which a filler is a candidate: of 10,000 unrelated ones about 13 reach it. */
const FILLER_Z = 3
/** Standard deviations that each of the three products of a statement must reach: one of 740 unrelated ones does. */
const PAIR_Z = 3
/**
 * Share of the middle one of its three products that each of them must reach. Those of one statement are about as
 * strong, but for one that several statements have.
 */
const PAIR_SHARE = 0.5
/**
 * Standard deviations that the six bindings of a statement must reach together, divided by √6. The best statement that
 * can be joined from unrelated candidates of 10,000 concepts stays under 7.
 */
export const TRIPLE_Z = 8

const BINDINGS = Math.sqrt(6)

/** A candidate filler, and how far its binding stands out. */
interface Candidate {
  readonly name: string
  readonly z: number
  readonly binding: Hypervector
}

/** A joined statement and the three products that it rests on. */
interface Joined extends DecodedTriple {
  readonly pairs: readonly string[]
}

/**
 * Reads the statements back from a signature that bundles their bindings, best first. Each role is unbound and cleaned
 * up; the candidates are joined by the products of two roles, so that two statements do not exchange their fillers. An
 * empty list says that nothing is there which stands out from chance: noise, an unknown filler, or too many statements
 * in one signature.
 *
 * A statement all of whose three products belong to other statements that were found is not answered, because the
 * signature looks the same with and without it.
 */
export function decodeRecord(
  kernel: Kernel,
  records: Records,
  signature: Hypervector,
  { concepts, predicates }: Codebooks,
): DecodedTriple[] {
  const candidates = (role: keyof Triple, codebook: CleanupMemory): Candidate[] =>
    codebook
      .cleanup(records.unbind(signature, role), CANDIDATES, FILLER_Z)
      .map(({ name, z }) => ({ name, z, binding: records.binding(role, name) }))
  const subjects = candidates('subject', concepts)
  const named = candidates('predicate', predicates)
  const objects = candidates('object', concepts)
  if (subjects.length === 0 || named.length === 0 || objects.length === 0) return []

  const products = (pair: Pair, first: readonly Candidate[], second: readonly Candidate[]): Float64Array[] => {
    const batch = kernel.batch()
    try {
      batch.begin(second.length)
      for (const { binding } of second) batch.add(binding)
      return first.map(({ binding }) => {
        const rest = kernel.query(records.unbindPair(signature, pair, binding))
        return Float64Array.from(batch.score(rest), (score) => score / DEVIATION)
      })
    } finally {
      batch.free()
    }
  }
  const subjectPredicate = products('subjectPredicate', subjects, named)
  const predicateObject = products('predicateObject', named, objects)
  const subjectObject = products('subjectObject', subjects, objects)

  const joined: Joined[] = []
  for (const [s, subject] of subjects.entries())
    for (const [p, predicate] of named.entries()) {
      if (subjectPredicate[s][p] < PAIR_Z) continue
      for (const [o, object] of objects.entries()) {
        if (predicateObject[p][o] < PAIR_Z || subjectObject[s][o] < PAIR_Z) continue
        const products = [subjectPredicate[s][p], predicateObject[p][o], subjectObject[s][o]].sort((a, b) => a - b)
        const [least, middle, most] = products
        if (least < PAIR_SHARE * middle) continue
        const pairs = least + middle + most
        const z = (subject.z + predicate.z + object.z + pairs) / BINDINGS
        if (z < TRIPLE_Z) continue
        const triple = { subject: subject.name, predicate: predicate.name, object: object.name }
        joined.push({ triple, z, pairs: [`sp ${s} ${p}`, `po ${p} ${o}`, `so ${s} ${o}`] })
      }
    }
  return unexplained(joined).map(({ triple, z }) => ({ triple, z }))
}

/** The statements without those whose products all belong to others; best first. */
function unexplained(joined: readonly Joined[]): Joined[] {
  const uses = new Map<string, number>()
  const count = (pair: string, more: number) => uses.set(pair, (uses.get(pair) ?? 0) + more)
  for (const { pairs } of joined) for (const pair of pairs) count(pair, 1)
  const kept: Joined[] = []
  for (const found of [...joined].sort((a, b) => a.z - b.z)) {
    if (found.pairs.every((pair) => uses.get(pair)! > 1)) for (const pair of found.pairs) count(pair, -1)
    else kept.push(found)
  }
  return kept.reverse()
}

/**
 * How alike two signatures are beyond chance: `max(0, 2·(1 − hamming/8192) − 1)`, 0 for unrelated ones and 1 for the
 * same.
 */
export function correctedSimilarity(kernel: Kernel, a: Hypervector, b: Hypervector): number {
  return Math.max(0, 2 * kernel.similarity(a, b) - 1)
}
