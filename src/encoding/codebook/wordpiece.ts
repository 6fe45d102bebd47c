import { Spellings } from '../../base/spellings.js'

/**
 * The word pieces of BERT's uncased English models (Devlin et al. 2019): the text is folded, cut into words, and each
 * word into the longest pieces that the vocabulary has, from its start. Exact against the `tokenizers` library, but for
 * special tokens, which do not exist here (a "[SEP]" in a text is text), and characters newer than Unicode 8, whose
 * tables it has: among all characters 671 rare marks and signs are kept, dropped or set apart otherwise, none of them
 * in the vocabulary.
 */

const PLAIN = /^[\t\n\r\x20-\x7e]*$/
/** Control, format and private-use characters. Those that mean a space stay. */
const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\ufffd]/gu
const SPACE = /\p{White_Space}/gu
/** The Unicode blocks that the reference tokenizer treats as Chinese; it predates later extensions of Han. */
const CHINESE_BLOCKS = [
  String.raw`\u4e00-\u9fff`,
  String.raw`\u3400-\u4dbf`,
  String.raw`\u{20000}-\u{2a6df}`,
  String.raw`\u{2a700}-\u{2b73f}`,
  String.raw`\u{2b740}-\u{2b81f}`,
  String.raw`\u{2b920}-\u{2ceaf}`,
  String.raw`\uf900-\ufaff`,
  String.raw`\u{2f800}-\u{2fa1f}`,
]
const CHINESE = new RegExp(`[${CHINESE_BLOCKS.join('')}]`, 'gu')
const ACCENTS = /\p{Mn}/gu
/**
 * Every punctuation mark by itself (all that is neither letter, digit nor space in ASCII), or a run of anything else.
 */
const WORD = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu

/** A word of more characters is unknown as a whole. */
const LONGEST_WORD = 100
/** The cache of words is dropped whole at this many entries: simple, and rare. */
const WORD_CACHE = 50_000
/** Longer words than this are cut anew each time: they hardly come back, and would hold memory. */
const LONGEST_CACHED = 32

/** What V8 takes for a piece and its id, and for the pieces of a word, about. */
const PIECE_BYTES = 86
const CACHED_BYTES = 24

const UNKNOWN = '[UNK]'

/** Cuts texts into pieces of a vocabulary. */
export class WordPiece {
  readonly #ids: ReadonlyMap<string, number>
  readonly #unknown: readonly number[]
  readonly #cache = new Spellings<readonly number[]>()

  /** @param pieces the vocabulary by id; `##` marks a piece that goes on with a word. It has `[UNK]`. */
  constructor(pieces: readonly string[]) {
    this.#ids = new Map(pieces.map((piece, id) => [piece, id]))
    this.#unknown = [this.#ids.get(UNKNOWN) ?? pieces.length]
  }

  /** Bytes of main memory, about. */
  get bytes(): number {
    return this.#ids.size * PIECE_BYTES + this.#cache.size * CACHED_BYTES + this.#cache.bytes
  }

  /** The id of what stands for a word that the vocabulary cannot spell. */
  get unknown(): number {
    return this.#unknown[0]
  }

  /** The pieces of a text in order, without marks for its start and end. */
  encode(text: string): number[] {
    const ids: number[] = []
    const isPlain = visitWords(text, (from, to) => {
      for (const id of this.#cache.find(text, from, to) ?? this.#pieces(text.slice(from, to).toLowerCase()))
        ids.push(id)
    })
    if (isPlain) return ids
    ids.length = 0
    for (const word of words(text)) for (const id of this.#cache.find(word) ?? this.#pieces(word)) ids.push(id)
    return ids
  }

  #pieces(word: string): readonly number[] {
    const pieces = this.#cut(word)
    if (word.length <= LONGEST_CACHED) {
      if (this.#cache.size >= WORD_CACHE) this.#cache.clear()
      this.#cache.add(word, pieces)
    }
    return pieces
  }

  /** Greedy, longest match first. */
  #cut(word: string): readonly number[] {
    const whole = this.#ids.get(word)
    if (whole !== undefined) return [whole]
    if (word.length > LONGEST_WORD && [...word].length > LONGEST_WORD) return this.#unknown
    const pieces: number[] = []
    for (let start = 0; start < word.length; ) {
      let end = word.length
      let id: number | undefined
      for (; end > start; end--) {
        id = this.#ids.get(start === 0 ? word.slice(0, end) : '##' + word.slice(start, end))
        if (id !== undefined) break
      }
      if (id === undefined) return this.#unknown
      pieces.push(id)
      start = end
    }
    return pieces
  }
}

/** What a unit of ASCII is: what belongs to no plain text, a space, a punctuation mark, or part of a word. */
const [STRANGE, GAP, MARK, PART] = [0, 1, 2, 3]
const KINDS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit)
  if (!PLAIN.test(character)) return STRANGE
  return /\s/.test(character) ? GAP : /[a-z0-9]/i.test(character) ? PART : MARK
})

/**
 * Visits the {@link words} of a plain text, which are still to be folded: where each begins and ends. False, and what
 * was visited does not count, where the text is not plain.
 */
function visitWords(text: string, visit: (from: number, to: number) => void): boolean {
  const kind = (i: number): number => (i < text.length ? (KINDS[text.charCodeAt(i)] ?? STRANGE) : GAP)
  for (let at = 0; at < text.length; ) {
    const from = at
    const first = kind(at++)
    if (first === STRANGE) return false
    if (first === GAP) continue
    if (first === PART) while (kind(at) === PART) at++
    visit(from, at)
  }
  return true
}

/** The words of a text, folded: without accents, control characters and capitals; punctuation marks are words. */
export function words(text: string): readonly string[] {
  return (PLAIN.test(text) ? text.toLowerCase() : normalise(text)).match(WORD) ?? []
}

function normalise(text: string): string {
  const spaced = text.replace(CONTROL, '').replace(SPACE, ' ').replace(CHINESE, ' $& ')
  // Sigma by hand: the language would write ς at the end of a word, the reference looks at single characters.
  return spaced.normalize('NFD').replace(ACCENTS, '').replaceAll('Σ', 'σ').toLowerCase()
}
