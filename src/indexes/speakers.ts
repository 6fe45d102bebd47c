import { fold, tokens } from '../encoding/tokens.js'
import { HEAP } from '../base/heap-size.js'
import { enter, leave } from '../base/set-map.js'
import type { Watch } from '../base/interner.js'

/** Two letters are a name in Chinese, but hardly in a script of letters. */
const NAME = /^(?:[\p{ASCII}]{3,}|(?!\p{ASCII}+$).{2,})$/u

/** Finds speakers by what a text calls them: a memory may have tens of thousands, and every question asks. */
export class Speakers implements Watch {
  /** By each word of their names that is long enough for a name. */
  readonly #byWord = new Map<string, Set<string>>()
  /** By their whole names, folded. */
  readonly #byName = new Map<string, Set<string>>()

  /** Bytes of memory, about. */
  get bytes(): number {
    return (this.#byWord.size + this.#byName.size) * (HEAP.name + HEAP.map)
  }

  begins(speaker: string): void {
    for (const word of wordsOf(speaker)) enter(this.#byWord, word, speaker)
    enter(this.#byName, called(speaker), speaker)
  }

  ends(speaker: string): void {
    for (const word of wordsOf(speaker)) leave(this.#byWord, word, speaker)
    leave(this.#byName, called(speaker), speaker)
  }

  /** The speakers of whose name a text has at least one word. */
  named(text: string): Set<string> {
    const found = new Set<string>()
    for (const word of tokens(text))
      for (const speaker of this.#byWord.get(word.replace(/'s$/, '')) ?? []) found.add(speaker)
    return found
  }

  /** The speakers of a name, but for case, accents and spaces around it. */
  called(name: string): Iterable<string> {
    return this.#byName.get(called(name)) ?? []
  }
}

function called(name: string): string {
  return fold(name).trim()
}

function wordsOf(speaker: string): Set<string> {
  return new Set(tokens(speaker).filter((word) => NAME.test(word)))
}
