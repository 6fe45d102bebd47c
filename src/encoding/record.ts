import type { Triple, TriplePattern } from '../api/episode.js'
import type { Hypervector, Kernel } from '../kernel/port.js'
import { conceptKey, conceptName } from './concept.js'

/** The roles of a triple. */
export type Role = keyof Triple

const ROLES: readonly Role[] = ['subject', 'predicate', 'object']

/** Two roles whose bindings are multiplied. */
export type Pair = keyof typeof ROTATIONS

/** Possible fillers of each role. */
export type Fillers = Readonly<Record<Role, readonly string[]>>

/**
 * Rotations of the left factor of each product. Unrotated, a product would be a function of the two bindings beside
 * it, dimension by dimension: their bundle would lean to one side, and unrelated records would look alike.
 */
const ROTATIONS = { subjectPredicate: 1, predicateObject: 2, subjectObject: 3 } as const
/** Against a tie-breaker of weight 1. */
const BINDING_WEIGHT = 2

/**
 * Encodes triples as records: the bundle, over all triples, of the three role–filler bindings and
 * the three products of two of them. A bundle is similar to each of its parts, so a cue that knows
 * some roles finds it; the products remember which filler went with which, so that two triples do
 * not exchange theirs. Each record breaks its ties in its own way: two that broke them alike would
 * be alike in all of them.
 */
export class Records {
  readonly #kernel: Kernel
  readonly #roles: Record<Role, Hypervector>

  constructor(kernel: Kernel) {
    this.#kernel = kernel
    const role = (name: Role) => kernel.fromName(`agidb/role/${name}`)
    this.#roles = { subject: role('subject'), predicate: role('predicate'), object: role('object') }
  }

  /** The structured signature of an episode; `undefined` without triples. */
  signature(triples: readonly Triple[]): Hypervector | undefined {
    return this.#bundle(triples.map(toFillers))
  }

  /**
   * What a pattern with holes knows: the bundle of the bindings whose fillers it has; `undefined` if it is all holes.
   */
  partial(pattern: TriplePattern): Hypervector | undefined {
    return this.#bundle([toFillers(pattern)])
  }

  /** As {@link partial}, where a role may have several fillers to choose from. */
  partialOfAny(fillers: Fillers): Hypervector | undefined {
    return this.#bundle([fillers])
  }

  /** The noisy filler of a role. Clean it up with a {@link Codebook}. */
  unbind(signature: Hypervector, role: Role): Hypervector {
    return this.#kernel.bind(signature, this.#roles[role])
  }

  /** A role with its filler. */
  binding(role: Role, filler: string): Hypervector {
    return this.#kernel.bind(this.#roles[role], this.#kernel.fromName(conceptName(filler)))
  }

  /**
   * What of a product is left when the binding of its first role is taken out: noisily, the binding of its second.
   *
   * @param first the binding of the first role of the pair.
   */
  unbindPair(signature: Hypervector, pair: Pair, first: Hypervector): Hypervector {
    return this.#kernel.bind(signature, this.#kernel.permute(first, ROTATIONS[pair]))
  }

  /** What the record of a statement is bundled of: three bindings and three products. */
  bindings(triple: Triple): Hypervector[] {
    return this.#bindings(toFillers(triple))
  }

  #bindings({ subject, predicate, object }: Fillers): Hypervector[] {
    const subjects = this.#bind('subject', subject)
    const predicates = this.#bind('predicate', predicate)
    const objects = this.#bind('object', object)
    return [
      ...subjects,
      ...predicates,
      ...objects,
      ...this.#products(subjects, predicates, ROTATIONS.subjectPredicate),
      ...this.#products(predicates, objects, ROTATIONS.predicateObject),
      ...this.#products(subjects, objects, ROTATIONS.subjectObject),
    ]
  }

  #bind(role: Role, fillers: readonly string[]): Hypervector[] {
    return fillers.map((filler) => this.binding(role, filler))
  }

  #products(left: readonly Hypervector[], right: readonly Hypervector[], rotation: number): Hypervector[] {
    return left.flatMap((a) => {
      const rotated = this.#kernel.permute(a, rotation)
      return right.map((b) => this.#kernel.bind(rotated, b))
    })
  }

  #bundle(statements: readonly Fillers[]): Hypervector | undefined {
    const bindings = statements.flatMap((fillers) => this.#bindings(fillers))
    if (bindings.length === 0) return undefined
    // Sorted: the order of the statements says nothing.
    const names = statements.map((fillers) => JSON.stringify(ROLES.map((role) => fillers[role].map(conceptKey)))).sort()
    const tieBreaker = this.#kernel.fromName(`agidb/record/${names.join()}`)
    const weights = new Int32Array(bindings.length + 1).fill(BINDING_WEIGHT)
    weights[bindings.length] = 1
    return this.#kernel.bundle([...bindings, tieBreaker], weights)
  }
}

function toFillers({ subject, predicate, object }: TriplePattern): Fillers {
  const list = (filler: string | undefined) => (filler === undefined ? [] : [filler])
  return { subject: list(subject), predicate: list(predicate), object: list(object) }
}
