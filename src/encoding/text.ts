import type { Hypervector, Kernel, Query } from '../kernel/port.js'
import { term, tokens } from './tokens.js'

/**
 * Weight of a stem in a text signature; a character n-gram has 1. Measured with `bench:recall`: 2, 3 and 5 differ by
 * less than .005.
 */
const STEM_WEIGHT = 2
/**
 * Weight of a character n-gram in a query, relative to its word's idf. Measured with `bench:recall`: .15 to .5 differ
 * by less than .005.
 */
const GRAM_WEIGHT = 0.3
/**
 * Weight of a pair of words in a query, relative to the mean of their idf plus 1, so that pairs of function words count
 * too.
 */
const PAIR_WEIGHT = 0.6
/** Lengths of character n-grams. */
const GRAM_LENGTHS = [3, 4]
/** Weight of a word that no memory has, relative to the idf of such a word: its n-grams may be those of a slip. */
const UNSEEN_WEIGHT = 0.3
/** Queries are summed in whole numbers so that every kernel agrees to the bit; this is one unit of idf. */
const QUERY_SCALE = 1024

/** Gives the inverse document frequency of an index term; 0 for one that no memory has. */
export type Idf = (term: string) => number

/**
 * The signature of a text: the bundle of its stems, of the character 3- and 4-grams of its words (`#`
 * marks a word's edges) and of its pairs of adjacent words, function words included. Each feature
 * counts once. N-grams carry what stems do not: slips of the pen, compounds, inflection in any
 * language. Pairs carry order: quotations, names, idioms.
 */
export function textSignature(kernel: Kernel, text: string): Hypervector {
  const features = new Map<string, number>()
  let previous: string | undefined
  for (const token of tokens(text)) {
    if (previous !== undefined) features.set(pairFeature(previous, token), 1)
    previous = token
    for (const [feature, weight] of wordFeatures(token)) features.set(feature, weight)
  }
  // A text of stop words or punctuation alone still gets a signature of its own.
  if (features.size === 0) features.set(`text:${text}`, 1)
  return kernel.textSignature([...features.keys()], Int32Array.from(features.values()))
}

/** The features that a word has in any text, with their weights; a stop word has none. */
export function wordFeatures(token: string): Map<string, number> {
  const features = new Map<string, number>()
  const stem = term(token)
  if (stem === undefined) return features
  features.set(stemFeature(stem), STEM_WEIGHT)
  for (const gram of grams(token)) features.set(gram, 1)
  return features
}

/** A cue as queries against text signatures. Absent where the cue has no feature of the kind. */
export interface TextQueries {
  /** All features: how alike. */
  readonly likeness?: Query
  /** Pairs of words alone: whether it is said in these words. */
  readonly order?: Query
}

/**
 * The queries for a cue: the same features, weighted by idf, kept as magnitudes instead of signs. A
 * binary memory scored against a weighted query ranks as well as weights on both sides (asymmetric
 * scoring). A word that no memory has adds its n-grams only: it may be a slip of one that they have.
 *
 * @param idf of an index term; 0 for one that no memory has.
 * @param unseenIdf what the idf of a term in no memory would be.
 */
export function textQueries(kernel: Kernel, cue: string, idf: Idf, unseenIdf: number): TextQueries {
  const words = new Map<string, number>()
  const pairs = new Map<string, number>()
  let previous: { token: string; weight: number } | undefined
  for (const token of tokens(cue)) {
    const stem = term(token)
    const known = stem === undefined ? 0 : idf(stem)
    const weight = stem === undefined || known > 0 ? known : UNSEEN_WEIGHT * unseenIdf
    if (previous !== undefined)
      pairs.set(pairFeature(previous.token, token), PAIR_WEIGHT * (1 + (previous.weight + weight) / 2))
    previous = { token, weight }
    if (stem === undefined) continue
    if (known > 0) words.set(stemFeature(stem), known)
    for (const gram of grams(token)) words.set(gram, Math.max(GRAM_WEIGHT * weight, words.get(gram) ?? 0))
  }
  return { likeness: weighted(kernel, new Map([...words, ...pairs])), order: weighted(kernel, pairs) }
}

function weighted(kernel: Kernel, features: ReadonlyMap<string, number>): Query | undefined {
  const weights = Int32Array.from(features.values(), (weight) => Math.round(weight * QUERY_SCALE))
  if (!weights.some((weight) => weight > 0)) return undefined
  return kernel.quantise(kernel.superpose([...features.keys()], weights))
}

function stemFeature(stem: string): string {
  return `stem:${stem}`
}

function pairFeature(first: string, second: string): string {
  return `pair:${first} ${second}`
}

function* grams(token: string): Generator<string> {
  const characters = ['#', ...token.replace(/'s$/, '').replaceAll("'", ''), '#']
  for (const length of GRAM_LENGTHS) {
    for (let i = 0; i + length <= characters.length; i++) yield 'gram:' + characters.slice(i, i + length).join('')
  }
}
