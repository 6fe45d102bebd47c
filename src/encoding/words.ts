import { type Hypervector, type Kernel, type Lexicon, SIGNATURE_BYTES } from '../kernel/port.js'
import { textSignature, wordFeatures } from './text.js'
import { Spellings } from '../base/spellings.js'
import { expand, term, tokens, visitRuns } from './tokens.js'
import { type Traits, textTraits, wordTraits } from './traits.js'

/** Words that are known at a time; then all are forgotten: simple, and rare. */
const KNOWN = 20_000

/** What V8 takes for a word with what is known of it, about. */
const WORD_BYTES = 210
/** And for the words of a run, which are mostly one. */
const RUN_BYTES = 24

/** A word, whatever text it stands in. */
interface Word {
  readonly token: string
  /** Its index term; `undefined` for a stop word. */
  readonly term: string | undefined
  /** Bits of `TRAIT`. */
  readonly traits: number
  /** Its number in a lexicon, once it was needed there. */
  entered?: { readonly lexicon: Lexicon; readonly number: number }
}

/** A text cut into words, once for all that looks at them. */
export interface WordReading {
  /** The words of the speaker's name and those of the text, in order. */
  readonly words: readonly Word[]
  /** How many of them are the speaker's. */
  readonly speaker: number
}

/** The words of each kernel that are in use. */
const inUse = new WeakMap<Kernel, Words>()

/**
 * The words of texts with what is known of each, worked out when it is first met: the same answers as {@link
 * textSignature}, `termCounts` and `traitsOf` give, many times as fast. What is known of a word does not depend on the
 * memory, so all memories on a kernel share its words: their hypervectors take up to 24 MiB.
 */
export class Words {
  #users = 0
  readonly #kernel: Kernel
  readonly #words = new Map<string, Word>()
  /** The words of runs of ASCII. */
  readonly #runs = new Spellings<readonly Word[]>()
  #lexicon: Lexicon | undefined
  /** The numbers of the words of texts: a new array each time would cost more than to fill it. */
  #numbers = new Uint32Array(256)

  private constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /** The words of a kernel, until {@link Words.release}. */
  static of(kernel: Kernel): Words {
    let words = inUse.get(kernel)
    if (words === undefined) inUse.set(kernel, (words = new Words(kernel)))
    words.#users++
    return words
  }

  /** Ends one use of the words. After the last one their memory is free, in the kernel, too. */
  release(): void {
    if (--this.#users > 0) return
    this.#clear()
    if (inUse.get(this.#kernel) === this) inUse.delete(this.#kernel)
  }

  /** Bytes of memory beside the kernel's that fall to each user, about. */
  get share(): number {
    return this.bytes / Math.max(1, this.#users)
  }

  /** Bytes of memory beside the kernel's, about. */
  get bytes(): number {
    return this.#words.size * WORD_BYTES + this.#runs.size * RUN_BYTES + this.#runs.bytes
  }

  /** Reads `SPEAKER: TEXT`, or the text alone. */
  read(text: string, speaker?: string): WordReading {
    this.#makeRoom()
    // A colon and a space part words, so that they are those of both, one after the other.
    const words: Word[] = []
    if (speaker !== undefined) this.#cut(speaker, words)
    const count = words.length
    this.#cut(text, words)
    return { words, speaker: count }
  }

  /** `textSignature` of a text that was read. */
  signature(reading: WordReading, text: string): Hypervector {
    const into = new Uint8Array(SIGNATURE_BYTES)
    this.signatures([reading], [text], into)
    return into
  }

  /** `textSignature` of each of some texts that were read, one after the other into `into`: quicker than one by one. */
  signatures(readings: readonly WordReading[], texts: readonly string[], into: Uint8Array): void {
    this.#makeRoom()
    const lexicon = (this.#lexicon ??= this.#kernel.lexicon())
    const ends = new Uint32Array(readings.length)
    let count = 0
    readings.forEach(({ words }, i) => {
      ends[i] = count += words.length
    })
    if (count > this.#numbers.length) this.#numbers = new Uint32Array(2 * count)
    const numbers = this.#numbers
    let at = 0
    for (const { words } of readings) for (const word of words) numbers[at++] = this.#number(word, lexicon)
    lexicon.signatures(numbers.subarray(0, count), ends, into)
    readings.forEach(({ words }, i) => {
      // No feature of it is a word's.
      if (words.length < 2 && words[0]?.term === undefined)
        into.set(textSignature(this.#kernel, texts[i]), i * SIGNATURE_BYTES)
    })
  }

  /** `termCounts` of a text that was read. */
  terms({ words }: WordReading): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { term } of words) if (term !== undefined) counts.set(term, (counts.get(term) ?? 0) + 1)
    return counts
  }

  /** `traitsOf` a text that was read, without its speaker. */
  traits({ words, speaker }: WordReading, text: string): Traits {
    let bits = textTraits(text)
    for (let i = speaker; i < words.length; i++) bits |= words[i].traits
    return { bits, words: words.length - speaker }
  }

  #clear(): void {
    this.#words.clear()
    this.#runs.clear()
    this.#lexicon?.free()
    this.#lexicon = undefined
  }

  #cut(text: string, into: Word[]): void {
    const count = into.length
    const isCut = visitRuns(text, (from, to) => {
      for (const word of this.#runs.find(text, from, to) ?? this.#run(text.slice(from, to).toLowerCase()))
        into.push(word)
    })
    if (isCut) return
    into.length = count
    for (const token of tokens(text)) into.push(this.#word(token))
  }

  #run(run: string): readonly Word[] {
    const words = expand(run).map((token) => this.#word(token))
    this.#runs.add(run, words)
    return words
  }

  #word(token: string): Word {
    let word = this.#words.get(token)
    if (word === undefined) this.#words.set(token, (word = { token, term: term(token), traits: wordTraits(token) }))
    return word
  }

  #number(word: Word, lexicon: Lexicon): number {
    if (word.entered?.lexicon === lexicon) return word.entered.number
    // One that was read before all were forgotten may have been read again since.
    const known = this.#word(word.token)
    if (known.entered?.lexicon !== lexicon) {
      const features = wordFeatures(word.token)
      known.entered = {
        lexicon,
        number: lexicon.add(word.token, [...features.keys()], Uint32Array.from(features.values())),
      }
    }
    return (word.entered = known.entered).number
  }

  #makeRoom(): void {
    if (this.#words.size >= KNOWN || this.#runs.size >= KNOWN) this.#clear()
  }
}
