import { term } from '../../encoding/tokens.js'

/**
 * Words of one text where another one has other words, or none, between words that both have. Half-open ranges of
 * places.
 */
export interface Segment {
  readonly mine: readonly [from: number, to: number]
  readonly its: readonly [from: number, to: number]
}

/** The longest words that two texts have in the same order, and what stands between. */
export interface Alignment {
  /** How many words both have in the same order. */
  readonly common: number
  readonly segments: readonly Segment[]
}

/**
 * Aligns two sequences of words by their longest common subsequence (Wagner and Fischer, 1974). Inflection makes no
 * difference.
 */
export function align(mine: readonly string[], its: readonly string[]): Alignment {
  const [a, b] = [mine, its].map((words) => words.map((word) => term(word) ?? word))
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j
      lengths[at] = a[i] === b[j] ? lengths[at + width + 1] + 1 : Math.max(lengths[at + width], lengths[at + 1])
    }
  }
  const segments: Segment[] = []
  let [i, j, from, start] = [0, 0, 0, 0]
  const close = () => {
    if (i > from || j > start) segments.push({ mine: [from, i], its: [start, j] })
  }
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      close()
      i++
      j++
      from = i
      start = j
    } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++
    else j++
  }
  i = a.length
  j = b.length
  close()
  return { common: lengths[0], segments }
}
