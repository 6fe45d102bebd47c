import { stemmer } from 'stemmer'
import { STOP_WORDS } from './stop-words.js'

/**
 * Runs of letters, digits and marks (an apostrophe inside a word belongs to it), or one pictograph.
 * Scripts written without spaces come out as long runs; {@link tokens} cuts those into bigrams.
 */
const RUN = /[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{M}]+)*|\p{Extended_Pictographic}|\p{Regional_Indicator}{2}/gu
/** The same in ASCII, where most texts are, several times as fast. */
const ASCII_RUN = /[a-z0-9]+(?:'[a-z]+)*/g
/** By script extension, which counts the long vowel mark ー among the kana. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu
const ASCII_WORD = /^[a-z]+$/

/** What cannot be seen: soft hyphens, joiners, variation selectors. A zero-width space parts words, so it stays. */
const INVISIBLE = /(?!\u200b)\p{Default_Ignorable_Code_Point}/gu

/** English contractions, so that "we've" and "we have" are the same words. */
const CONTRACTED: Readonly<Record<string, string>> = {
  "can't": 'can not',
  "won't": 'will not',
  "shan't": 'shall not',
  "let's": 'let us',
}
const ENDINGS: readonly [string, string][] = [
  ["n't", ' not'],
  ["'ve", ' have'],
  ["'re", ' are'],
  ["'ll", ' will'],
  ["'m", ' am'],
]

/** Accents of Latin, Greek and Cyrillic letters. The marks of other scripts are letters to their readers, and stay. */
const ACCENTS = /[\u0300-\u036f]+/g
const ASCII = /^[\0-\x7f]*$/

/** Romance articles and pronouns that an apostrophe ties to the next word: l'hôtel, d'accord, dell'arte. */
const ELIDED = /^(?:[djlmnst]|qu|un|all|dall|dell|nell|sull)'(?=\p{L}{2})/u

/**
 * Folds what readers do not tell apart: invisible characters, compatibility forms (NFKC), accents, apostrophes and
 * case.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .replace(INVISIBLE, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .normalize('NFKC')
    .replaceAll('’', "'")
}

/**
 * The words of a text, folded, contractions spelt out, in order. Han, kana and South-East Asian scripts, which have no
 * spaces, give overlapping bigrams of characters. The same on every runtime: no locale data is used.
 */
export function tokens(text: string): string[] {
  const folded = fold(text)
  if (ASCII.test(folded)) {
    const runs: string[] = folded.match(ASCII_RUN) ?? []
    return folded.includes("'") ? runs.flatMap(expand) : runs
  }
  const found: string[] = []
  for (const [run] of folded.matchAll(RUN)) {
    let end = 0
    for (const match of run.matchAll(UNSPACED)) {
      if (match.index > end) found.push(run.slice(end, match.index))
      bigrams(match[0], found)
      end = match.index + match[0].length
    }
    if (end === 0) found.push(...expand(run))
    else if (end < run.length) found.push(run.slice(end))
  }
  return found
}

/** What a unit of ASCII is in a run. */
const [DIGIT, LETTER] = [1, 2]
const KINDS = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[0-9]/.test(String.fromCharCode(unit)) ? DIGIT : /[a-z]/i.test(String.fromCharCode(unit)) ? LETTER : 0,
)
const APOSTROPHE = 39

/**
 * Visits the runs of a text of ASCII alone, which {@link tokens} folds and {@link expand}s: where each begins and ends.
 * False, and what was visited does not count, where there is anything else in the text.
 */
export function visitRuns(text: string, visit: (from: number, to: number) => void): boolean {
  const kind = (i: number): number => (i < text.length ? KINDS[text.charCodeAt(i)] : 0)
  for (let at = 0; at < text.length; ) {
    if (text.charCodeAt(at) > 127) return false
    if (kind(at) === 0) {
      at++
      continue
    }
    const from = at
    while (kind(at) > 0) at++
    while (text.charCodeAt(at) === APOSTROPHE && kind(at + 1) === LETTER) {
      at += 2
      while (kind(at) === LETTER) at++
    }
    visit(from, at)
  }
  return true
}

/** The words of a run, which is folded: what is contracted spelt out. */
export function expand(word: string): string[] {
  if (!word.includes("'")) return [word]
  if (Object.hasOwn(CONTRACTED, word)) return CONTRACTED[word].split(' ')
  for (const [ending, full] of ENDINGS) {
    if (word.length > ending.length && word.endsWith(ending)) return (word.slice(0, -ending.length) + full).split(' ')
  }
  return [word.replace(ELIDED, '')]
}

function bigrams(run: string, into: string[]): void {
  const characters = [...run]
  if (characters.length === 1) into.push(run)
  for (let i = 0; i + 1 < characters.length; i++) into.push(characters[i] + characters[i + 1])
}

const stems = new Map<string, string>()
/** The stem cache is dropped whole at this many entries: simple, and rare. */
const STEM_CACHE = 50_000

/** The index term of a token: its Porter stem if it is plain English, itself otherwise; `undefined` for a stop word. */
export function term(token: string): string | undefined {
  const word = token.endsWith("'s") ? token.slice(0, -2) : token.replaceAll("'", '')
  if (STOP_WORDS.has(word) || word === '') return undefined
  if (!ASCII_WORD.test(word)) return word
  let stem = stems.get(word)
  if (stem === undefined) {
    if (stems.size >= STEM_CACHE) stems.clear()
    stem = stemmer(word)
    stems.set(word, stem)
  }
  return stem
}

/** How often each index term occurs in a text. */
export function termCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const token of tokens(text)) {
    const stem = term(token)
    if (stem !== undefined) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  }
  return counts
}
