import type { TriplePattern } from '../../api/episode.js'
import { PERCEIVED, SPACES } from '../../encoding/spaces/spaces.js'
import { termCounts } from '../../encoding/tokens.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { LatentCue } from '../../indexes/latents.js'
import type { Query } from '../../kernel/port.js'
import type { Fits, Fitting } from '../evidence/pattern.js'
import { type Reading, readingsOf } from '../evidence/readings.js'
import { namedIn } from './named.js'
import { pronounced } from './persons.js'

/** A question, taken apart into what each index can be asked. */
export interface Cue {
  /** The question as it was put. */
  readonly question: string
  /** Index terms, each once. */
  readonly terms: ReadonlyMap<string, number>
  /** What BM25 would give a short text that has all of them: the sum of their idf. */
  readonly idf: number
  /** What is asked of signatures, by the signal of a space; absent where the cue has nothing of the kind. */
  readonly queries: Readonly<Record<string, Query | undefined>>
  /** What it means, to compare it with latents. Absent without a codebook. */
  readonly latent: LatentCue | undefined
  /** Concepts that it names, by key. */
  readonly concepts: readonly string[]
  /** The same, those of one concept together. */
  readonly named: readonly (readonly string[])[]
  /** Speakers that it names, or means by "I" and "you". */
  readonly speakers: ReadonlySet<string>
  readonly pattern: TriplePattern | undefined
  /** In which ways statements may say the pattern. */
  readonly readings: readonly Reading[]
  /** The episodes that fit the pattern, where that was looked up before. */
  readonly fitting?: Fitting
}

/** The pattern of a cue with what was looked up of it; `undefined` without one. */
export function toFits({ pattern, readings, fitting }: Cue): Fits | undefined {
  return pattern && { pattern, readings, ...(fitting && { fitting }) }
}

/** What is perceived with a cue, as queries by sense. */
export type PerceivedQueries = Readonly<Record<string, Query>>

/** Takes a question apart against what the memory knows. */
export function analyse(
  indexes: Indexes,
  cue: string,
  pattern: TriplePattern | undefined,
  { perceived = {}, sentence }: { readonly perceived?: PerceivedQueries; readonly sentence?: Query } = {},
  asker?: string,
): Cue {
  const { kernel, postings, records, senses } = indexes
  const terms = new Map([...termCounts(cue).keys()].map((term) => [term, 1]))
  const known = (term: string) => (postings.documentFrequency(term) > 0 ? postings.idf(term) : 0)
  const named = namedIn(indexes, cue)
  const concepts = named.concepts.flat()
  const { speakerNames } = indexes.catalog
  const latent = indexes.latents?.cue(cue)
  const asked = {
    kernel,
    records,
    senses,
    text: cue,
    idf: known,
    unseenIdf: postings.idf(''),
    pattern,
    concepts,
    predicates: concepts.length > 0 ? indexes.predicates.mentioned(cue) : [],
    perceived,
    made: { sentence, latent: latent?.query },
  }
  let idf = 0
  for (const term of terms.keys()) idf += postings.idf(term)
  return {
    question: cue,
    terms,
    idf,
    queries: Object.assign({}, ...SPACES.map((space) => space.ask(asked))) as Cue['queries'],
    latent,
    concepts,
    named: named.concepts,
    speakers: new Set([...speakerNames.named(cue), ...named.speakers, ...pronounced(speakerNames, cue, asker)]),
    pattern,
    readings: pattern === undefined ? [] : readingsOf(indexes, pattern),
  }
}

/**
 * A cue that asks for a time alone, without its words: they are words of asking, which an answer need not
 * have. A pattern that was given with it, and who "I" and "you" are, still count.
 */
export function timeAlone(cue: Cue): Cue {
  return {
    ...cue,
    terms: new Map(),
    idf: 0,
    queries: {
      ...(cue.pattern !== undefined && { structured: cue.queries.structured }),
      ...Object.fromEntries(PERCEIVED.map((sense) => [sense, cue.queries[sense]])),
    },
    latent: undefined,
    concepts: [],
    named: [],
  }
}
