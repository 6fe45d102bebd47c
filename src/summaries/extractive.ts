import type { Summarizer } from '../api/summarizer.js'
import { log } from '../base/exponential.js'
import { termCounts } from '../encoding/tokens.js'
import { sentencesOf } from './sentences.js'

/** Sentences of the texts that are compared; of more, the first of each text. */
const MOST_SENTENCES = 120
/** The share of a sentence's rank that comes from others: Erkan and Radev, LexRank, 2004. */
const DAMPING = 0.85
const STEPS = 30
/** Likeness from which on a sentence says what one that is chosen already says. */
const SAME = 0.8
/** Words that a sentence must have to stand for itself. */
const FEWEST_WORDS = 4

/**
 * Chooses the most central sentences (LexRank): those that are like many others, by the latents of the codebook where
 * there is one, else by their words. They stand in the order of the texts. No model, and the same everywhere.
 */
export const extractiveSummarizer: Summarizer = {
  id: 'extractive/1',
  summarize({ texts, maxCharacters, latentsOf }) {
    const sentences = chosenFrom(texts)
    if (sentences.length === 0) return undefined
    const likeness = likenessOf(sentences, latentsOf)
    const ranks = ranksOf(likeness)
    const order = sentences.map((_, i) => i).sort((a, b) => ranks[b] - ranks[a] || a - b)
    const taken: number[] = []
    let characters = 0
    for (const i of order) {
      if (taken.some((other) => likeness[i][other] >= SAME)) continue
      const length = sentences[i].length + 1
      if (characters + length > maxCharacters) continue
      taken.push(i)
      characters += length
    }
    if (taken.length === 0) return undefined
    return taken
      .sort((a, b) => a - b)
      .map((i) => sentences[i])
      .join(' ')
  },
}

/** The sentences that may be chosen, each once. */
function chosenFrom(texts: readonly string[]): string[] {
  const each = Math.max(1, Math.ceil(MOST_SENTENCES / Math.max(1, texts.length)))
  const all = texts.flatMap((text) =>
    sentencesOf(text)
      .filter((sentence) => sentence.split(/\s+/u).length >= FEWEST_WORDS || /[\u3040-\u9fff]{8}/u.test(sentence))
      .slice(0, each),
  )
  return [...new Set(all)].slice(0, MOST_SENTENCES)
}

/** How like each sentence is to each other, 0 to 1: the cosines of their vectors. */
function likenessOf(
  sentences: readonly string[],
  latentsOf: ((sentences: readonly string[]) => Float32Array[]) | undefined,
): Float64Array[] {
  const vectors: readonly ArrayLike<number>[] = latentsOf?.(sentences) ?? weighted(sentences)
  const rows = vectors.map(() => new Float64Array(vectors.length))
  for (let i = 0; i < rows.length; i++)
    for (let j = 0; j < i; j++) rows[i][j] = rows[j][i] = Math.min(1, Math.max(0, product(vectors[i], vectors[j])))
  return rows
}

/** The terms of sentences, weighted by how few sentences have them, of unit length: a number for each term. */
function weighted(sentences: readonly string[]): Float64Array[] {
  const counts = sentences.map((sentence) => termCounts(sentence))
  const frequency = new Map<string, number>()
  for (const terms of counts) for (const term of terms.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  // A term of one sentence makes it like no other.
  const shared = [...frequency].filter(([, count]) => count > 1)
  const place = new Map(shared.map(([term], i) => [term, i]))
  return counts.map((terms) => {
    const vector = new Float64Array(shared.length)
    let square = 0
    for (const [term, count] of terms) {
      const weight = count * log((1 + sentences.length) / frequency.get(term)!)
      square += weight * weight
      const at = place.get(term)
      if (at !== undefined) vector[at] = weight
    }
    const length = Math.sqrt(square)
    return length === 0 ? vector : vector.map((weight) => weight / length)
  })
}

/** Power iteration over the likenesses, each row shared out. */
function ranksOf(likeness: readonly Float64Array[]): number[] {
  const count = likeness.length
  const sums = likeness.map((row) => row.reduce((sum, value) => sum + value, 0))
  let ranks = likeness.map(() => 1 / count)
  for (let step = 0; step < STEPS; step++) {
    const next = likeness.map(() => (1 - DAMPING) / count)
    for (let i = 0; i < count; i++) {
      if (sums[i] === 0) continue
      for (let j = 0; j < count; j++) next[j] += (DAMPING * ranks[i] * likeness[i][j]) / sums[i]
    }
    ranks = next
  }
  return ranks
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
