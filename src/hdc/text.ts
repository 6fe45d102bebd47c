import type { Hypervector, Kernel, Query } from '../kernel/port.js'
import { term, tokens } from './tokens.js'

/** Weight of a stem in a text signature; a character n-gram has 1. Measured with `bench:recall`: 2, 3 and 5 differ by less than .005. */
const STEM_WEIGHT = 2
/** Weight of a character n-gram in a query, relative to its word's idf. Measured with `bench:recall`: .15 to .5 differ by less than .005. */
const GRAM_WEIGHT = 0.3
/** Lengths of character n-grams. */
const GRAM_LENGTHS = [3, 4]
/** Queries are summed in whole numbers so that every kernel agrees to the bit; this is one unit of idf. */
const QUERY_SCALE = 1024

/** Gives the inverse document frequency of an index term; 0 for one that no memory has. */
export type Idf = (term: string) => number

/**
 * The signature of a text: the bundle of its stems and of the character 3- and 4-grams of its words
 * (`#` marks a word's edges). Each feature counts once. N-grams carry what stems do not: slips of the
 * pen, compounds, inflection in any language.
 */
export function textSignature(kernel: Kernel, text: string): Hypervector {
  const features = new Map<string, number>()
  for (const token of tokens(text)) {
    const stem = term(token)
    if (stem === undefined) continue
    features.set(stemFeature(stem), STEM_WEIGHT)
    for (const gram of grams(token)) features.set(gram, 1)
  }
  // A text of stop words or punctuation alone still gets a signature of its own.
  if (features.size === 0) features.set(`text:${text}`, 1)
  return kernel.textSignature([...features.keys()], Int32Array.from(features.values()))
}

/**
 * The query for a cue: the same features, weighted by idf, kept as magnitudes instead of signs. A
 * binary memory scored against a weighted query ranks as well as weights on both sides (asymmetric
 * scoring). A word that no memory has adds its n-grams only: it may be a slip of one that they have.
 *
 * @returns `undefined` if the cue has no feature with weight.
 */
export function textQuery(kernel: Kernel, cue: string, idf: Idf, unseenIdf: number): Query | undefined {
  const features = new Map<string, number>()
  for (const token of tokens(cue)) {
    const stem = term(token)
    if (stem === undefined) continue
    const weight = idf(stem)
    if (weight > 0) features.set(stemFeature(stem), weight)
    const gramWeight = GRAM_WEIGHT * (weight > 0 ? weight : GRAM_WEIGHT * unseenIdf)
    for (const gram of grams(token)) features.set(gram, Math.max(gramWeight, features.get(gram) ?? 0))
  }
  const weights = Int32Array.from(features.values(), (weight) => Math.round(weight * QUERY_SCALE))
  if (!weights.some((weight) => weight > 0)) return undefined
  return kernel.quantise(kernel.superpose([...features.keys()], weights))
}

function stemFeature(stem: string): string {
  return `stem:${stem}`
}

function* grams(token: string): Generator<string> {
  const characters = ['#', ...token.replace(/'s$/, '').replaceAll("'", ''), '#']
  for (const length of GRAM_LENGTHS) {
    for (let i = 0; i + length <= characters.length; i++) yield 'gram:' + characters.slice(i, i + length).join('')
  }
}
