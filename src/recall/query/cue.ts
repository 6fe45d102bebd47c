import type { TriplePattern } from '../../api/episode.js'
import { textQueries } from '../../encoding/text.js'
import { termCounts } from '../../encoding/tokens.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { LatentCue } from '../../indexes/latents.js'
import type { Query } from '../../kernel/port.js'
import { pronounced } from './persons.js'

/** A question, taken apart into what each index can be asked. */
export interface Cue {
  /** The question as it was put. */
  readonly question: string
  /** Index terms, each once. */
  readonly terms: ReadonlyMap<string, number>
  /** What BM25 would give a short text that has all of them: the sum of their idf. */
  readonly idf: number
  /** Against text signatures: how alike. */
  readonly text: Query | undefined
  /** Against text signatures: whether it is said in these words. */
  readonly order: Query | undefined
  readonly structured: Query | undefined
  /** Against latents: what it means. Absent without a codebook. */
  readonly latent: LatentCue | undefined
  /** Against sentence signatures. Absent without a sentence encoder, or when it was too slow. */
  readonly sentence: Query | undefined
  /** Concepts that it names, by key. */
  readonly concepts: readonly string[]
  /** Speakers that it names, or means by "I" and "you". */
  readonly speakers: ReadonlySet<string>
  readonly pattern: TriplePattern | undefined
}

/** Takes a question apart against what the memory knows. */
export function analyse(
  indexes: Indexes,
  cue: string,
  pattern: TriplePattern | undefined,
  sentence?: Query,
  asker?: string,
): Cue {
  const { kernel, postings, records } = indexes
  const terms = new Map([...termCounts(cue).keys()].map((term) => [term, 1]))
  const known = (term: string) => (postings.documentFrequency(term) > 0 ? postings.idf(term) : 0)
  const concepts = indexes.concepts.mentioned(cue)
  const { speakerNames } = indexes.catalog
  const partial =
    pattern !== undefined
      ? records.partial(pattern)
      : concepts.length > 0
        ? records.partialOfAny({ subject: concepts, predicate: indexes.predicates.mentioned(cue), object: concepts })
        : undefined
  let idf = 0
  for (const term of terms.keys()) idf += postings.idf(term)
  const { likeness, order } = textQueries(kernel, cue, known, postings.idf(''))
  return {
    question: cue,
    terms,
    idf,
    text: likeness,
    order,
    latent: indexes.latents?.cue(cue),
    sentence,
    structured: partial === undefined ? undefined : kernel.query(partial),
    concepts,
    speakers: new Set([...speakerNames.named(cue), ...pronounced(speakerNames, cue, asker)]),
    pattern,
  }
}

/**
 * What is left of a cue that asks for a time alone: its words are words of asking, which what was said then need not
 * have. A pattern that was given with it, and who "I" and "you" are, still count.
 */
export function timeAlone(cue: Cue): Cue {
  return {
    ...cue,
    terms: new Map(),
    idf: 0,
    text: undefined,
    order: undefined,
    latent: undefined,
    sentence: undefined,
    concepts: [],
    structured: cue.pattern === undefined ? undefined : cue.structured,
  }
}
