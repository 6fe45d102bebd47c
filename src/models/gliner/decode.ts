import { exp } from '../../base/exponential.js'

/** A labelled span of words. */
export interface LabelledSpan {
  /** The number of its first word. */
  readonly first: number
  /** The number of its last word. */
  readonly last: number
  /** The number of its label. */
  readonly label: number
  /** 0 to 1. */
  readonly score: number
}

/**
 * What the output of a model has at each place: a score for each span and label, `[1, words, widths, labels]`; or three
 * for each word and label, of beginning, end and inside, `[1, words, labels, 3]`, in versions up to 0.2.17 of the
 * Python package `[3, 1, words, labels]`.
 */
export type Layout = 'span' | 'token' | 'token-leading'

/** What a model answers. */
export interface Logits {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

/** How spans that share words are chosen. */
export interface Choice {
  /** `flat`: chosen spans share no word. `nested`: one may lie in another. Default `flat`. */
  readonly overlap?: 'flat' | 'nested'
  /** Whether the same words may have several labels. Default false. */
  readonly multiLabel?: boolean
}

/** What a token model's span is worth: the mean of its inside scores, or the least of all its scores. */
export type TokenScore = 'mean' | 'least'

/** In single precision, as models are read elsewhere: what is sure there is a tie, and ties are broken by order. */
const sigmoid = (logit: number) => Math.fround(1 / Math.fround(1 + Math.fround(exp(-logit))))

/** The layout of an output for one text, by its shape; `undefined` for one that no GLiNER has. */
export function layoutOf(dims: readonly number[], hasSpans: boolean): Layout | undefined {
  if (dims.length !== 4) return undefined
  if (hasSpans) return dims[0] === 1 ? 'span' : undefined
  if (dims[0] === 3) return 'token-leading'
  return dims[0] === 1 && dims[3] === 3 ? 'token' : undefined
}

/** The spans with a score above a threshold, not at it, ordered by first word, width and label. */
export function spansAbove(
  logits: Logits,
  layout: Layout,
  words: number,
  threshold: number,
  tokenScore: TokenScore = layout === 'token-leading' ? 'mean' : 'least',
): LabelledSpan[] {
  return layout === 'span'
    ? ofSpans(logits, words, threshold)
    : ofTokens(tokenScores(logits, layout, words), words, threshold, tokenScore)
}

function ofSpans({ data, dims }: Logits, words: number, threshold: number): LabelledSpan[] {
  const [, rows, widths, labels] = dims
  const found: LabelledSpan[] = []
  for (let first = 0; first < Math.min(rows, words); first++)
    for (let width = 0; width < widths && first + width < words; width++)
      for (let label = 0; label < labels; label++) {
        const score = sigmoid(data[(first * widths + width) * labels + label])
        if (score > threshold) found.push({ first, last: first + width, label, score })
      }
  return found
}

/** The score of a word for a label: 0 of beginning there, 1 of ending there, 2 of being inside. */
interface TokenScores {
  readonly labels: number
  readonly at: (word: number, label: number, part: 0 | 1 | 2) => number
}

function tokenScores({ data, dims }: Logits, layout: Layout, words: number): TokenScores {
  const [rows, labels] = layout === 'token' ? [dims[1], dims[2]] : [dims[2], dims[3]]
  const [word, label, part] = layout === 'token' ? [labels * 3, 3, 1] : [labels, 1, rows * labels]
  const scores = Float64Array.from(data, sigmoid)
  return { labels, at: (w, l, p) => (w < words ? scores[w * word + l * label + p * part] : 0) }
}

function ofTokens(
  { labels, at }: TokenScores,
  words: number,
  threshold: number,
  tokenScore: TokenScore,
): LabelledSpan[] {
  const found: LabelledSpan[] = []
  for (let first = 0; first < words; first++)
    for (let label = 0; label < labels; label++) {
      const begins = at(first, label, 0)
      if (!(begins > threshold)) continue
      let least = 1
      let sum = 0
      for (let last = first; last < words; last++) {
        const inside = at(last, label, 2)
        if (inside < threshold) break
        least = Math.min(least, inside)
        sum += inside
        const ends = at(last, label, 1)
        if (!(ends > threshold)) continue
        const score = tokenScore === 'mean' ? sum / (last - first + 1) : Math.min(least, begins, ends)
        found.push({ first, last, label, score })
      }
    }
  return found
}

/**
 * Takes spans by their scores, the highest first and the earlier of equals, each unless it shares words with one that
 * was taken; ordered by first word.
 */
export function choose(
  spans: readonly LabelledSpan[],
  { overlap = 'flat', multiLabel = false }: Choice,
): LabelledSpan[] {
  const chosen: LabelledSpan[] = []
  const collides = (a: LabelledSpan, b: LabelledSpan) => {
    if (a.first === b.first && a.last === b.last) return !multiLabel
    if (a.first > b.last || b.first > a.last) return false
    return overlap === 'flat' || !(isWithin(a, b) || isWithin(b, a))
  }
  for (const span of [...spans].sort((a, b) => b.score - a.score))
    if (!chosen.some((other) => collides(span, other))) chosen.push(span)
  return chosen.sort((a, b) => a.first - b.first)
}

function isWithin(inner: LabelledSpan, outer: LabelledSpan): boolean {
  return outer.first <= inner.first && inner.last <= outer.last
}
