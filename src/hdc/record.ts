import type { Triple, TriplePattern } from '../core/episode.js'
import type { Hypervector, Kernel } from '../kernel/port.js'
import { conceptName } from './concept.js'

/** The roles of a triple. */
export type Role = keyof Triple

/** Possible fillers of each role. */
export type Fillers = Readonly<Record<Role, readonly string[]>>

/**
 * Encodes triples as records: the bundle, over all triples, of the three role–filler bindings and
 * the three products of two of them. A bundle is similar to each of its parts, so a cue that knows
 * some roles finds it; the products remember which filler went with which, so that two triples do
 * not exchange theirs.
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
    return this.#bundle(triples.flatMap((triple) => this.#bindings(toFillers(triple))))
  }

  /** What a pattern with holes knows: the bundle of the bindings whose fillers it has; `undefined` if it is all holes. */
  partial(pattern: TriplePattern): Hypervector | undefined {
    return this.#bundle(this.#bindings(toFillers(pattern)))
  }

  /** As {@link partial}, where a role may have several fillers to choose from. */
  partialOfAny(fillers: Fillers): Hypervector | undefined {
    return this.#bundle(this.#bindings(fillers))
  }

  /** The noisy filler of a role. Clean it up with a {@link Codebook}. */
  unbind(signature: Hypervector, role: Role): Hypervector {
    return this.#kernel.bind(signature, this.#roles[role])
  }

  #bindings({ subject, predicate, object }: Fillers): Hypervector[] {
    const subjects = this.#bind('subject', subject)
    const predicates = this.#bind('predicate', predicate)
    const objects = this.#bind('object', object)
    return [
      ...subjects, ...predicates, ...objects,
      ...this.#products(subjects, predicates), ...this.#products(predicates, objects), ...this.#products(subjects, objects),
    ]
  }

  #bind(role: Role, fillers: readonly string[]): Hypervector[] {
    return fillers.map((filler) => this.#kernel.bind(this.#roles[role], this.#kernel.fromName(conceptName(filler))))
  }

  #products(left: readonly Hypervector[], right: readonly Hypervector[]): Hypervector[] {
    return left.flatMap((a) => right.map((b) => this.#kernel.bind(a, b)))
  }

  #bundle(bindings: readonly Hypervector[]): Hypervector | undefined {
    return bindings.length === 0 ? undefined : this.#kernel.bundle(bindings)
  }
}

function toFillers({ subject, predicate, object }: TriplePattern): Fillers {
  const list = (filler: string | undefined) => (filler === undefined ? [] : [filler])
  return { subject: list(subject), predicate: list(predicate), object: list(object) }
}
