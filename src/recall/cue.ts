import type { TriplePattern } from '../core/episode.js'
import { textQueries } from '../hdc/text.js'
import { termCounts, tokens } from '../hdc/tokens.js'
import type { Indexes } from '../indexes/indexes.js'
import type { LatentCue } from '../indexes/latents.js'
import type { Query } from '../kernel/port.js'
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
export function analyse(indexes: Indexes, cue: string, pattern: TriplePattern | undefined, sentence?: Query, asker?: string): Cue {
  const { kernel, postings, records } = indexes
  const terms = new Map([...termCounts(cue).keys()].map((term) => [term, 1]))
  const known = (term: string) => (postings.documentFrequency(term) > 0 ? postings.idf(term) : 0)
  const concepts = indexes.concepts.mentioned(cue)
  const speakers = [...indexes.catalog.speakers.names()]
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
    speakers: new Set([...namedSpeakers(speakers, cue), ...pronounced(speakers, cue, asker)]),
    pattern,
  }
}

/**
 * What is left of a cue that asks for a time alone: its words are words of asking, which what was said then need not have. A pattern
 * that was given with it, and who "I" and "you" are, still count.
 */
export function timeAlone(cue: Cue): Cue {
  return {
    ...cue, terms: new Map(), idf: 0, text: undefined, order: undefined, latent: undefined, sentence: undefined, concepts: [],
    structured: cue.pattern === undefined ? undefined : cue.structured,
  }
}

/** Two letters are a name in Chinese, but hardly in a script of letters. */
const NAME = /^(?:[\p{ASCII}]{3,}|(?!\p{ASCII}+$).{2,})$/u

/** The speakers of whose name the cue has at least one word that is long enough for a name. */
function namedSpeakers(speakers: Iterable<string>, cue: string): Set<string> {
  const words = new Set(tokens(cue).map((token) => token.replace(/'s$/, '')))
  const named = new Set<string>()
  for (const speaker of speakers) {
    if (tokens(speaker).some((token) => NAME.test(token) && words.has(token))) named.add(speaker)
  }
  return named
}
