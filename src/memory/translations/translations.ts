import { checkText } from '../../api/check.js'
import type { TranslationMethods } from '../../api/methods/translations.js'
import type { Signature } from '../../api/neurosymbolic.js'
import { loadOnce, ofLoaded } from '../../base/load-once.js'
import { analyse } from '../../recall/query/cue.js'
import type { MemoryContext } from '../context.js'
import type { Service } from '../projection.js'
import type { LinkSource } from './episodes.js'
import type { keeping } from './keeping.js'
import type { keepsakeOf } from './keepsake.js'
import type { perceive, perceivedCue, sensed } from './perceiving.js'
import type { BeliefSource, TranslationQueries } from './queries.js'

/** What translates. It is large, so it is loaded when it is first needed. */
export interface TranslationParts {
  readonly translations: () => Promise<{
    readonly TranslationQueries: typeof TranslationQueries
    readonly perceive: typeof perceive
    readonly perceivedCue: typeof perceivedCue
    readonly keeping: typeof keeping
    readonly keepsakeOf: typeof keepsakeOf
    readonly sensed: typeof sensed
  }>
}

/** Translates between statements, beliefs and cues and their signatures. */
export class Translations implements Service {
  readonly projections = []
  readonly #context: MemoryContext
  readonly #queries: () => Promise<TranslationQueries>
  #made: TranslationQueries | undefined

  constructor(context: MemoryContext, beliefs: BeliefSource, links: LinkSource, parts: TranslationParts) {
    this.#context = context
    this.#queries = loadOnce(async () => {
      const { TranslationQueries } = await parts.translations()
      return (this.#made = new TranslationQueries(context, beliefs, links))
    })
  }

  /** They write nothing, so they need no caller. */
  methods(): TranslationMethods {
    return {
      tripleToSignature: ofLoaded(this.#queries, (queries, triples) => queries.ofTriples(triples)),
      signatureToTriples: ofLoaded(this.#queries, (queries, signature, options) =>
        queries.toTriples(signature, options),
      ),
      cueToPartialSignature: async (cue) => this.#ofCue(cue),
      beliefToSignature: ofLoaded(this.#queries, (queries, belief) => queries.ofBelief(belief)),
      signatureToBelief: ofLoaded(this.#queries, (queries, signature) => queries.toBelief(signature)),
      signatureToModality: ofLoaded(this.#queries, (queries, signature, modality) =>
        queries.toModality(signature, modality),
      ),
      extractModalitySignature: ofLoaded(this.#queries, (queries, id, modality) => queries.ofModality(id, modality)),
      episodeToSignature: ofLoaded(this.#queries, (queries, id) => queries.ofEpisode(id)),
      signatureToEpisode: ofLoaded(this.#queries, (queries, signature) => queries.toEpisode(signature)),
      analogy: ofLoaded(this.#queries, (queries, a, b, c, options) => queries.analogy(a, b, c, options)),
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
