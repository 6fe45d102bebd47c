import { checkEnds, checkFeatures, checkRoom, checkWords } from '../checks.js'
import { type Hypervector, type Kernel, type Lexicon, SIGNATURE_BYTES } from '../port.js'

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

  signatures(words: Uint32Array, ends: Uint32Array, into: Uint8Array): void {
    checkWords(words, this.words.length)
    checkEnds(ends, words.length)
    checkRoom(into, ends.length)
    ends.forEach((end, i) => into.set(this.signature(words.subarray(ends[i - 1] ?? 0, end)), i * SIGNATURE_BYTES))
  }

  free(): void {
    this.words.length = 0
  }
}
