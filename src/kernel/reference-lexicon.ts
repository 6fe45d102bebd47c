import { checkFeatures, checkWords } from './checks.js'
import type { Hypervector, Kernel, Lexicon } from './port.js'

interface Word {
  readonly spelling: string
  readonly names: readonly string[]
  readonly weights: Uint32Array
}

/** Says what a lexicon means: the features of each text are put together anew. */
export class ReferenceLexicon implements Lexicon {
  private readonly words: Word[] = []

  constructor(private readonly kernel: Pick<Kernel, 'textSignature'>) {}

  add(word: string, names: readonly string[], weights: Uint32Array): number {
    checkFeatures(word, names, weights)
    return this.words.push({ spelling: word, names: [...names], weights: weights.slice() }) - 1
  }

  signature(words: Uint32Array): Hypervector {
    checkWords(words, this.words.length)
    const features = new Map<string, number>()
    let previous: Word | undefined
    for (const number of words) {
      const word = this.words[number]
      word.names.forEach((name, i) => features.set(name, word.weights[i]))
      if (previous !== undefined) features.set(`pair:${previous.spelling} ${word.spelling}`, 1)
      previous = word
    }
    return this.kernel.textSignature([...features.keys()], Int32Array.from(features.values()))
  }

  free(): void {
    this.words.length = 0
  }
}
