import { fold, term, tokens } from '../../encoding/tokens.js'
import { type Cue, LONGEST_NAME, subjectKey } from './lasting.js'

/** What one sentence, or a whole text, names. */
interface Mentions {
  /** Keys of whom it may be about: names, and the speaker and the addressee by their pronouns. */
  readonly subjects: Set<string>
  /** The index terms of its words, but for what it denies. */
  readonly stems: Set<string>
}

/** What a text names. */
export interface Named {
  readonly names: ReadonlySet<string>
  readonly whole: Readonly<Mentions>
  readonly sentences: readonly Readonly<Mentions>[]
}

const SENTENCE = /(?<=[.!?;…])\s+|\n+/u
const CLAUSE = /[,:–—()]\s*|\s(?:and|but|because|so|though|while)\s/u
const FIRST: ReadonlySet<string> = new Set(['i', 'me', 'my', 'mine', 'myself', 'we', 'us', 'our', 'ours', 'im', 'ive'])
const SECOND: ReadonlySet<string> = new Set(['you', 'your', 'yours', 'yourself', 'u', 'ur', 'youre', 'youve'])
const MY: ReadonlySet<string> = new Set(['my', 'our'])
const YOUR: ReadonlySet<string> = new Set(['your', 'ur'])
const DENIALS: ReadonlySet<string> = new Set(['not', 'no', 'never', 'nothing', 'nobody', 'none', 'without', 'cannot'])
/** What was shared with a text is described, not said. */
const SHARED = /\[[^\]]*\]/gu

/** @param addressee whom "you" means, where it is known. */
export function namedBy(text: string, speaker: string | undefined, addressee: string | undefined): Named {
  // What opens after the last bracket that closes is not looked at: each would be followed to the end of the text.
  const closed = text.lastIndexOf(']') + 1
  const said = text.slice(0, closed).replace(SHARED, ' ') + text.slice(closed)
  // Who writes no capitals at all writes names without, too.
  const isCased = /\p{Lu}/u.test(said)
  const names = new Set<string>()
  const whole: Mentions = { subjects: new Set(), stems: new Set() }
  const sentences = said.split(SENTENCE).map((part): Mentions => {
    const words = tokens(part)
    const written = isCased ? capitals(part) : undefined
    const subjects = new Set(pronouns(words, speaker, addressee))
    for (const [i, word] of words.entries()) {
      if (written !== undefined && !written.has(bare(word))) continue
      for (let length = 1; length <= LONGEST_NAME && i + length <= words.length; length++) {
        const name = words.slice(i, i + length).join(' ')
        for (const one of [name, bare(name)]) {
          names.add(one)
          subjects.add(one)
        }
      }
    }
    const stems = affirmed(part)
    for (const subject of subjects) whole.subjects.add(subject)
    for (const stem of stems) whole.stems.add(stem)
    return { subjects, stems }
  })
  if (speaker !== undefined) whole.subjects.add(subjectKey(speaker))
  return { names, whole, sentences }
}

/** Whether a text speaks again of what a statement with this cue says. */
export function takesUp({ names, whole, sentences }: Named, cue: Cue): boolean {
  if ('name' in cue) return names.has(cue.name)
  const has = ({ subjects, stems }: Mentions) => subjects.has(cue.subject) && stems.has(cue.stem)
  return cue.isName ? has(whole) : sentences.some(has)
}

/** Whom the pronouns of a sentence mean, and whose kin it names by them: "my dad". */
function* pronouns(
  words: readonly string[],
  speaker: string | undefined,
  addressee: string | undefined,
): Generator<string> {
  for (const [i, word] of words.entries()) {
    if (speaker !== undefined && FIRST.has(word)) yield subjectKey(speaker)
    if (addressee !== undefined && SECOND.has(word)) yield subjectKey(addressee)
    const owner = MY.has(word) ? speaker : YOUR.has(word) ? addressee : undefined
    if (owner !== undefined && i + 1 < words.length) yield `${subjectKey(owner)}'s ${bare(words[i + 1])}`
  }
}

/** The index terms of the clauses that deny nothing. */
function affirmed(sentence: string): Set<string> {
  const stems = new Set<string>()
  for (const clause of sentence.split(CLAUSE)) {
    const words = tokens(clause)
    if (words.some((word) => DENIALS.has(word))) continue
    for (const word of words) {
      const stem = term(word)
      if (stem !== undefined) stems.add(stem)
    }
  }
  return stems
}

/** The words of a text that are written with a capital, folded. */
function capitals(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/\p{Lu}[\p{L}\p{N}\p{M}]*/gu), ([word]) => fold(word)))
}

function bare(word: string): string {
  return word.replace(/'s?$/u, '')
}
