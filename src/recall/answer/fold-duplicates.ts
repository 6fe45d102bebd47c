import type { Episode, EpisodeId } from '../../api/episode.js'
import { conceptKey } from '../../encoding/concept.js'
import type { Indexes } from '../../indexes/indexes.js'
import { DIMENSION } from '../../kernel/port.js'
import { givenTriples } from '../../records/extraction.js'

/** Words that a near-duplicate may have more or fewer: articles and interjections. */
const LIGHT = new Set(['a', 'an', 'the', 'oh', 'ah', 'uh', 'hm', 'hmm'])

/** How much of their text signatures near-duplicates share at least, 0 for unrelated ones. */
const NEARLY = 0.6

/**
 * What punctuation says that words do not: signs of money, arithmetic and per cent, C# and C++, that something is
 * asked, and what stands inside figures.
 */
const MARKS = /[\p{Sc}\p{Sm}%‰#?？؟]|(?<=\p{N})[.,:/-](?=\p{N})|-(?=\p{N})/gu

/** The words of a text as duplicates are compared by them. */
interface Wording {
  /** The same for the same words. */
  readonly same: string
  /** The same for nearly the same words; absent where there are light ones alone. */
  readonly near?: string
}

/** A match that others may be folded into. */
interface Kept {
  readonly slot: number
  readonly episode: Episode
  /** Terms that its near-duplicates have as well, by their numbers; and their {@link sketch}. */
  readonly shared: Uint32Array
  readonly sketch: number
  /** Worked out when an episode comes that may be a duplicate. */
  wording?: Wording
}

/**
 * Recognises near-duplicates of what is kept: the same words up to case, punctuation and spacing, or but for articles
 * and interjections while the text signatures nearly agree; from any speaker, and with no statement that the kept one
 * lacks. What was perceived by other senses is no duplicate: its text is not all that it has.
 */
export class DuplicateFolder {
  readonly #indexes: Indexes
  readonly #kept: Kept[] = []
  /** The numbers of the terms of light words, and of the words of each speaker. */
  readonly #light: ReadonlySet<number>
  readonly #speakers = new Map<string, ReadonlySet<number>>()

  constructor(indexes: Indexes) {
    this.#indexes = indexes
    this.#light = this.#termsIn([...LIGHT].join(' '))
  }

  /**
   * Folds an episode into the first kept one that it is a near-duplicate of.
   *
   * @param isKept whether it is to be kept where there is none.
   * @returns the id of that one; `undefined` where there is none.
   */
  fold(slot: number, episode: Episode, isKept: boolean): EpisodeId | undefined {
    if (episode.senses !== undefined) return undefined
    const alike = this.#alike(slot)
    const found = alike.length === 0 ? undefined : this.#duplicated(alike, slot, episode)
    if (found === undefined && isKept) {
      const shared = this.#sharedBy(slot, episode)
      this.#kept.push({ slot, episode, shared, sketch: sketch(shared) })
    }
    return found?.episode.id
  }

  /** Whether an episode that was not read may be a near-duplicate of a kept one: mostly false where it is none. */
  mayFold(slot: number): boolean {
    return this.#alike(slot).length > 0
  }

  /** The kept ones whose shared terms an episode has. */
  #alike(slot: number): Kept[] {
    const terms = this.#indexes.postings.termsOf(slot)
    const bits = sketch(terms)
    const alike = this.#kept.filter(({ sketch }) => (bits & sketch) === sketch)
    if (alike.length === 0) return alike
    const all = new Set(terms)
    return alike.filter(({ shared }) => shared.every((term) => all.has(term)))
  }

  /** The first of some kept ones that has the same words and statements, or else nearly the same words. */
  #duplicated(alike: readonly Kept[], slot: number, episode: Episode): Kept | undefined {
    const { same, near } = this.#wording(episode.text)
    const own = statements(episode)
    const covers = ({ episode }: Kept) => {
      const others = own.size === 0 ? own : statements(episode)
      return [...own].every((statement) => others.has(statement))
    }
    const wordingOf = (kept: Kept) => (kept.wording ??= this.#wording(kept.episode.text))
    return (
      alike.find((kept) => wordingOf(kept).same === same && covers(kept)) ??
      (near === undefined
        ? undefined
        : alike.find(
            (kept) => wordingOf(kept).near === near && covers(kept) && this.#likeness(slot, kept.slot) >= NEARLY,
          ))
    )
  }

  /**
   * Terms that all near-duplicates of an episode have: those of its text without its light words, and without the words
   * of its speaker, which are indexed with it. What stands above an entry of a document is indexed, too, so that the
   * text of an entry is read.
   */
  #sharedBy(slot: number, { text, speaker, entry }: Episode): Uint32Array {
    const bySpeaker = speaker === undefined || entry !== undefined ? undefined : this.#termsOfSpeaker(speaker)
    const terms = entry === undefined ? this.#indexes.postings.termsOf(slot) : Uint32Array.from(this.#termsIn(text))
    return terms.filter((term) => !this.#light.has(term) && !bySpeaker?.has(term))
  }

  #termsOfSpeaker(speaker: string): ReadonlySet<number> {
    let terms = this.#speakers.get(speaker)
    if (terms === undefined) this.#speakers.set(speaker, (terms = this.#termsIn(speaker)))
    return terms
  }

  /** The numbers of the terms of a text. */
  #termsIn(text: string): Set<number> {
    const { words, postings } = this.#indexes
    const { words: read } = words.read(text)
    return new Set(read.flatMap(({ term }) => (term === undefined ? [] : (postings.number(term) ?? []))))
  }

  #wording(text: string): Wording {
    const { words } = this.#indexes.words.read(text)
    if (words.length === 0) return { same: `text:${text.trim()}` }
    const marks = (text.match(MARKS) ?? []).join('')
    const key = (words: readonly { readonly token: string }[]) =>
      `${words.map(({ token }) => token).join(' ')}\n${marks}`
    const heavy = words.filter(({ token }) => !LIGHT.has(token))
    return { same: key(words), ...(heavy.length > 0 && { near: key(heavy) }) }
  }

  /** 1 for the same text signature, about 0 for an unrelated one. */
  #likeness(a: number, b: number): number {
    const { kernel, text } = this.#indexes
    const [first, second] = [text.get(a), text.get(b)]
    return first === undefined || second === undefined ? 0 : 1 - (2 * kernel.hamming(first, second)) / DIMENSION
  }
}

/** The statements that came with an episode: what is found in texts that differ does not make them the same. */
function statements(episode: Episode): Set<string> {
  return new Set(
    givenTriples(episode).map(({ subject, predicate, object }) =>
      JSON.stringify([subject, predicate, object].map(conceptKey)),
    ),
  )
}

/** A bit for each of some terms, which others may share. */
function sketch(terms: ArrayLike<number>): number {
  let bits = 0
  for (let i = 0; i < terms.length; i++) bits |= 1 << (terms[i] & 31)
  return bits
}
