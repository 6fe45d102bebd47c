import { stemmer } from 'stemmer'
import type { Entity } from '../src/runtimes/browser/index.js'
import { element } from './element.js'

/** English words that say how a sentence is built, not what it is about. */
const COMMON = new Set(
  (
    'a about all am an and any anybody anyone are as at be been but by can could did do does for from get got ' +
    'had has have he her him his how ' +
    'i if in into is it its just me my no not of on or our out she so some that the their them then there they ' +
    'this to up us was we were ' +
    'what when where which who why will with would you your'
  ).split(' '),
)

const words = new Intl.Segmenter('en', { granularity: 'word' })

/** What two forms of one word have in common; `undefined` where it is not worth marking. */
function stemOf(word: string): string | undefined {
  const plain = word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/['’](?:s|ve|re|ll|d|m)$/, '')
  return COMMON.has(plain) ? undefined : stemmer(plain)
}

/** Marks the words of texts that a question has too. */
export class Highlight {
  readonly #stems = new Set<string | undefined>()

  constructor(question: string) {
    for (const { segment, isWordLike } of words.segment(question)) if (isWordLike) this.#stems.add(stemOf(segment))
    this.#stems.delete(undefined)
  }

  /**
   * The text in pieces, the shared words as `mark` elements.
   *
   * @param entities what the text names; `open` is called with the name of one that is pressed.
   */
  named(text: string, entities: readonly Entity[], open: (name: string) => void): (Node | string)[] {
    const pieces: (Node | string)[] = []
    let end = 0
    for (const { from, to, text: name, type } of [...entities].sort((a, b) => a.from - b.from || b.to - a.to)) {
      if (from < end) continue
      const button = element('button', { type: 'button', class: 'entity', title: type }, ...this.pieces(name))
      button.addEventListener('click', () => open(name))
      pieces.push(...this.pieces(text.slice(end, from)), button)
      end = to
    }
    return [...pieces, ...this.pieces(text.slice(end))]
  }

  /** The text in pieces, the shared words as `mark` elements. */
  pieces(text: string): (Node | string)[] {
    return Array.from(words.segment(text), ({ segment, isWordLike }) =>
      isWordLike && this.#stems.has(stemOf(segment)) ? element('mark', {}, segment) : segment,
    )
  }
}
