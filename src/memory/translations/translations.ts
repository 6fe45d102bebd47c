import { checkText } from '../../api/check.js'
import type { TranslationMethods } from '../../api/methods/translations.js'
import type { Signature } from '../../api/neurosymbolic.js'
import { loadOnce } from '../../base/load-once.js'
import { analyse } from '../../recall/query/cue.js'
import type { MemoryContext } from '../context.js'
import type { Service } from '../projection.js'
import type { BeliefSource, TranslationQueries } from './queries.js'

/** What translates. It is large, so it is loaded when it is first needed. */
export interface TranslationParts {
  readonly translations: () => Promise<{ readonly TranslationQueries: typeof TranslationQueries }>
}

/** Translates between statements, beliefs and cues and their signatures. */
export class Translations implements Service {
  readonly projections = []
  readonly #context: MemoryContext
  readonly #queries: () => Promise<TranslationQueries>
  #made: TranslationQueries | undefined

  constructor(context: MemoryContext, beliefs: BeliefSource, parts: TranslationParts) {
    this.#context = context
    this.#queries = loadOnce(async () => {
      const { TranslationQueries } = await parts.translations()
      return (this.#made = new TranslationQueries(context, beliefs))
    })
  }

  /** They write nothing, so they need no caller. */
  methods(): TranslationMethods {
    return {
      tripleToSignature: async (triples) => (await this.#queries()).ofTriples(triples),
      signatureToTriples: async (signature, options) => (await this.#queries()).toTriples(signature, options),
      cueToPartialSignature: async (cue) => this.#ofCue(cue),
      beliefToSignature: async (belief) => (await this.#queries()).ofBelief(belief),
      signatureToBelief: async (signature) => (await this.#queries()).toBelief(signature),
      signatureToModality: async (signature, modality) => (await this.#queries()).toModality(signature, modality),
      extractModalitySignature: async (id, modality) => (await this.#queries()).ofModality(id, modality),
      analogy: async (a, b, c, options) => (await this.#queries()).analogy(a, b, c, options),
    }
  }

  free(): void {
    this.#made?.free()
  }

  #ofCue(cue: string): Signature | undefined {
    checkText('cue', cue, this.#context.limits, 'cueBytes')
    return analyse(this.#context.indexes, cue, undefined).queries.structured?.signs.slice()
  }
}
