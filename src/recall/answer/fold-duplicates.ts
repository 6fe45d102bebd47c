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

/** A match that others may be folded into. */
interface Kept {
  readonly slot: number
  readonly id: EpisodeId
  readonly statements: ReadonlySet<string>
}

/**
 * Recognises near-duplicates of what is kept: the same words up to case, punctuation and spacing, or but for articles
 * and interjections while the text signatures nearly agree; from any speaker, and with no statement that the kept one
 * lacks. What was perceived by other senses is no duplicate: its text is not all that it has.
 */
export class DuplicateFolder {
  readonly #indexes: Indexes
  readonly #same = new Map<string, Kept[]>()
  readonly #near = new Map<string, Kept[]>()
  /** Of each kept one the {@link sketch} of the terms that its near-duplicates have as well. */
  readonly #shared: number[] = []

  constructor(indexes: Indexes) {
    this.#indexes = indexes
  }

  /**
   * Folds an episode into the first kept one that it is a near-duplicate of.
   *
   * @param isKept whether it is to be kept where there is none.
   * @returns the id of that one; `undefined` where there is none.
   */
  fold(slot: number, episode: Episode, isKept: boolean): EpisodeId | undefined {
    if (episode.senses !== undefined) return undefined
    const { same, near, heavy } = this.#wording(episode.text)
    const own = statements(episode)
    const covers = (kept: Kept) => [...own].every((statement) => kept.statements.has(statement))
    const found =
      this.#same.get(same)?.find(covers) ??
      (near === undefined
        ? undefined
        : this.#near.get(near)?.find((kept) => covers(kept) && this.#likeness(slot, kept.slot) >= NEARLY))
    if (found === undefined && isKept) {
      const kept = { slot, id: episode.id, statements: own }
      push(this.#same, same, kept)
      if (near !== undefined) push(this.#near, near, kept)
      const { postings } = this.#indexes
      this.#shared.push(sketch(heavy.flatMap(({ term }) => (term === undefined ? [] : (postings.number(term) ?? [])))))
    }
    return found?.id
  }

  /** Whether an episode that was not read may be a near-duplicate of a kept one: mostly false where it is none. */
  mayFold(slot: number): boolean {
    const terms = sketch(this.#indexes.postings.termsOf(slot))
    return this.#shared.some((shared) => (terms & shared) === shared)
  }

  /** The heavy words of a text, and its keys: equal for the same words, and for nearly the same. */
  #wording(text: string) {
    const { words } = this.#indexes.words.read(text)
    const heavy = words.filter(({ token }) => !LIGHT.has(token))
    if (words.length === 0) return { same: `text:${text.trim()}`, heavy }
    const marks = (text.match(MARKS) ?? []).join('')
    const key = (words: readonly { readonly token: string }[]) =>
      `${words.map(({ token }) => token).join(' ')}\n${marks}`
    // A text of light words alone has no second.
    return { same: key(words), near: heavy.length > 0 ? key(heavy) : undefined, heavy }
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

function push(groups: Map<string, Kept[]>, key: string, kept: Kept): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [kept])
  else group.push(kept)
}
