import type { Triple } from '../../api/episode.js'
import type { BeliefId, GoalId } from '../../api/purpose.js'
import type { Hypervector, Kernel } from '../../kernel/port.js'
import type { Records } from '../record.js'
import { ModalitySignatures, type Perceived } from './modality-signature.js'
import { roleBundle } from './role-bundle.js'
import { LEAST_Z, standingOut } from './standing-out.js'

/** What the signature of an episode is made of. */
export interface EpisodeContent {
  readonly triples: readonly Triple[]
  readonly perceived: Perceived
  readonly goal?: GoalId
  readonly beliefs?: readonly BeliefId[]
  /** The day in UTC on which it happened: 2026-11-29. */
  readonly day: string
}

/** A role whose filler has a hypervector of its own, made from its name alone. */
export type NamedRole = 'goal' | 'belief' | 'day'

/** Beside so many statements another part has the weight of one of their bindings; beside more it has a higher one. */
const STATEMENTS_OF_WEIGHT = 4

/**
 * Bundles all that an episode has: the bindings of its statements, its modalities, its goal, its beliefs, and its day,
 * each under its role. The six bindings of a statement add noise with the root of their number; the other parts gain
 * weight with it, so that they can be read beside many statements.
 */
export class EpisodeSignatures {
  readonly #kernel: Kernel
  readonly #records: Records
  readonly #modalities: ModalitySignatures

  constructor(kernel: Kernel, records: Records) {
    this.#kernel = kernel
    this.#records = records
    this.#modalities = new ModalitySignatures(kernel)
  }

  signature({ triples, perceived, goal, beliefs = [], day }: EpisodeContent): Hypervector {
    const stated = triples.flatMap((triple) => this.#records.bindings(triple))
    const others = [
      ...this.#modalities.bindings(perceived),
      ...(goal === undefined ? [] : [this.#binding('goal', goal)]),
      ...beliefs.map((belief) => this.#binding('belief', belief)),
      this.#binding('day', day),
    ]
    const weight = Math.max(1, Math.round(Math.sqrt(triples.length / STATEMENTS_OF_WEIGHT)))
    return roleBundle(this.#kernel, [...stated, ...others], (place) => (place < stated.length ? 1 : weight))!
  }

  /** Which of some names the signature has under a role: those 5 standard deviations above chance, best first. */
  named(signature: Hypervector, role: NamedRole, names: Iterable<string>): string[] {
    const found: { readonly name: string; readonly z: number }[] = []
    for (const name of names) {
      const z = standingOut(this.#kernel, signature, this.#binding(role, name))
      if (z >= LEAST_Z) found.push({ name, z })
    }
    return found.sort((a, b) => b.z - a.z).map(({ name }) => name)
  }

  #binding(role: NamedRole, name: string): Hypervector {
    return this.#kernel.bind(
      this.#kernel.fromName(`agidb/role/${role}`),
      this.#kernel.fromName(`agidb/${role}/${name}`),
    )
  }
}
