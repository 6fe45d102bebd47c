import type { Example } from '../../../src/training/train.js'

/**
 * A generator of numbers from 0 to 1 that are the same every time (Lehmer 1951, with the factor of Park and Miller).
 */
export function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** What planted questions have as columns. */
export const COLUMNS = ['fusion.rank', 'words.z', 'text.z', 'kind.noise']
/** Candidates of a planted question. */
export const CANDIDATES = 20

/** How likely a candidate is to be right. */
export type Rule = (words: number, text: number) => number

/** Questions, ten a group, with random numbers for candidates, of which those are right that a rule picks. */
export function planted(count: number, rule: Rule, seed: number): Example[] {
  const random = numbers(seed)
  return Array.from({ length: count }, (_, question) => {
    const features = new Float64Array(CANDIDATES * COLUMNS.length)
    const right = new Uint8Array(CANDIDATES)
    for (let i = 0; i < CANDIDATES; i++) {
      const [words, text] = [random(), random()]
      features.set([Math.log(1 + i), words, text, random()], i * COLUMNS.length)
      right[i] = Number(random() < rule(words, text))
    }
    return { group: `group ${Math.floor(question / 10)}`, features, right, answerable: right.includes(1) }
  })
}
