import type { FoundBelief } from '../../../../src/api/belief.js'
import type { Observation } from '../../../../src/api/episode.js'
import type { Engine } from '../../../../src/engine/engine.js'
import type { EngineOptions } from '../../../../src/engine/options.js'
import { NOW, openMemory } from '../../engine/open.js'

/** An observation of one statement. */
export function said(speaker: string | undefined, subject: string, predicate: string, object: string): Observation {
  return {
    text: 'so it is',
    triples: [{ subject, predicate, object }],
    ...(speaker !== undefined && { speaker }),
  }
}

/** A memory that believes by itself, whose clock goes on by a second with each call to `tell`. */
export class Believing {
  time = NOW
  db!: Engine
  readonly #options: Partial<EngineOptions>

  constructor(options: Partial<EngineOptions> = {}) {
    this.#options = options
  }

  async open(): Promise<this> {
    this.db = await openMemory({ clock: () => this.time, autoBelieve: 0.8, ...this.#options })
    return this
  }

  async tell(...observations: readonly (Observation & { readonly id?: string })[]): Promise<void> {
    this.time += 1_000
    await this.db.observeMany(observations.map((one) => ({ ...one, text: one.text ?? 'so it is' })) as never)
  }

  async believed(about: string): Promise<readonly Pick<FoundBelief, 'claim' | 'confidence' | 'evidence'>[]> {
    const found = await this.db.whatDoIBelieve(about)
    return found.map(({ claim, confidence, evidence }) => ({ claim, confidence, evidence }))
  }
}
