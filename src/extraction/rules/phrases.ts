import { isCapital, type Token } from './token.js'
import { EMPTY_NOUNS, genderOf, PASSING, RELATION_NOUNS } from './words.js'

/** A noun phrase: a pronoun, a name, or a noun with what stands before it. */
export interface NounPhrase {
  /** Its first token and the one after its last, as indexes of the sentence. */
  readonly first: number
  readonly end: number
  /** Its first token behind article and possessor. */
  readonly core: number
  /** Its head, the last noun of the core before "of". */
  readonly head: number
  readonly pronoun: boolean
  /** Whose it is: a phrase, or a possessive pronoun as a token index. */
  readonly owner?: NounPhrase | number
  /** Whether it has an article, a figure or another determiner. */
  readonly determiner?: string
  /** A name behind a noun of relation: "my sister Lena". */
  readonly name?: NounPhrase
  /** Whether its head is a name. */
  readonly proper: boolean
}

const POSSESSIVE = new Set(['my', 'your', 'his', 'her', 'its', 'our', 'their'])
const PRONOUNS = new Set(
  (
    'i you he she it we they me him her us them this that these those myself yourself himself herself itself ' +
    'ourselves themselves mine yours hers ours theirs someone somebody anyone anybody everyone everybody nobody ' +
    'something anything nothing everything none one'
  ).split(' '),
)
/** Nouns before "of" that only count what follows. */
const COUNTING = new Set(['lot', 'lots', 'couple', 'number', 'bunch', 'pair', 'plenty', 'group', 'ton', 'tons', 'most'])
const DETERMINERS = new Set(
  'a an the this that these those some any no every each all both another several many few most more half'.split(' '),
)

const isNoun = ({ tag }: Token) => tag === 'NOUN' || tag === 'PROPN'

/** The noun phrase that begins at a token, if one does. */
export function nounPhraseAt(tokens: readonly Token[], first: number): NounPhrase | undefined {
  const token = tokens[first]
  if (token === undefined) return undefined
  const next = tokens[first + 1]
  // "Lots of people" is people, whatever the tagger takes "lots" for.
  if (/^(?:lots|tons|plenty|loads)$/.test(token.lower) && next?.lower === 'of') return nounPhraseAt(tokens, first + 2)
  // "That taking breaks helps" is a clause.
  if (token.lower === 'that' && next?.tag === 'VERB') return undefined
  const possessive = POSSESSIVE.has(token.lower) && next !== undefined && startsNominal(next)
  if (!possessive && PRONOUNS.has(token.lower) && !(DETERMINERS.has(token.lower) && next && startsNominal(next)))
    return pronoun(first)
  const begin =
    possessive || DETERMINERS.has(token.lower) || token.tag === 'DET' ? afterDeterminers(tokens, first) : first
  const determiner = !possessive && begin > first ? token.lower : tokens[first].tag === 'NUM' ? 'NUM' : undefined
  const phrase = core(tokens, begin, possessive || determiner !== undefined)
  if (phrase === undefined) return undefined
  return linked(tokens, {
    ...phrase,
    first,
    determiner,
    ...(possessive ? { owner: first } : {}),
  })
}

function pronoun(first: number): NounPhrase {
  return { first, end: first + 1, core: first, head: first, pronoun: true, proper: false }
}

const startsNominal = (token: Token): boolean =>
  isNoun(token) ||
  token.tag === 'ADJ' ||
  token.tag === 'NUM' ||
  (token.tag === 'VERB' && /(?:ed|ing|en)$/.test(token.lower))

function afterDeterminers(tokens: readonly Token[], first: number): number {
  let at = first + 1
  // "All of the", "both my", "half the".
  while (
    at < tokens.length &&
    (DETERMINERS.has(tokens[at].lower) || POSSESSIVE.has(tokens[at].lower)) &&
    at - first < 2
  )
    at++
  return at
}

type Core = Pick<NounPhrase, 'core' | 'head' | 'end' | 'pronoun' | 'proper'>

/** Adjectives, figures and nouns up to the last noun; or figures alone. */
function core(tokens: readonly Token[], begin: number, determined: boolean): Core | undefined {
  let at = begin
  while (at < tokens.length && !isNoun(tokens[at]) && isModifier(tokens, at, begin, determined)) at++
  if (!isNounAt(tokens, at)) return figures(tokens, begin)
  let head = at
  while (continues(tokens, head)) head++
  // "Room 204", "Apollo 13": a figure behind a noun belongs to it where it counts nothing.
  if (tokens[head + 1]?.tag === 'NUM' && /^\d{1,4}$/.test(tokens[head + 1].text) && !isNounAt(tokens, head + 2)) head++
  const proper = tokens[head].tag === 'PROPN' && (isCapital(tokens[begin]) || isCapital(tokens[head]))
  return { core: begin, head, end: head + 1, pronoun: false, proper }
}

/** Whether the noun goes on: "horror movies", "some cool national parks", not "sister Lena". */
function continues(tokens: readonly Token[], head: number): boolean {
  if (isNounAt(tokens, head + 1)) return tokens[head].tag === 'ADJ' || !isNameBehind(tokens, head)
  return PASSING.has(tokens[head].lower) && tokens[head + 1]?.tag === 'ADJ' && isNounAt(tokens, head + 2)
}

/** "$ 800", "27", "34 years old": figures alone. */
function figures(tokens: readonly Token[], begin: number): Core | undefined {
  let end = begin
  while (end < tokens.length && (tokens[end].tag === 'NUM' || /^[$€£%]$/.test(tokens[end].text))) end++
  if (!tokens.slice(begin, end).some(({ tag }) => tag === 'NUM')) return undefined
  return { core: begin, head: end - 1, end, pronoun: false, proper: false }
}

const isNounAt = (tokens: readonly Token[], at: number) => tokens[at] !== undefined && isNoun(tokens[at])
/** Nouns that are part of the name behind them. */
const WITHIN_NAMES = /^(?:downtown|uptown|midtown|central|greater)$/
/** "My sister Lena", "love the idea, Nate": a name behind a common noun is a phrase of its own. */
const isNameBehind = (tokens: readonly Token[], head: number) =>
  isCapital(tokens[head + 1]) &&
  tokens[head + 1].tag === 'PROPN' &&
  tokens[head].tag === 'NOUN' &&
  !isCapital(tokens[head]) &&
  !WITHIN_NAMES.test(tokens[head].lower)

function isModifier(tokens: readonly Token[], at: number, begin: number, determined: boolean): boolean {
  const token = tokens[at]
  if (token.tag === 'ADJ' || token.tag === 'NUM' || /^[$€£]$/.test(token.text)) return true
  const next = tokens[at + 1]
  if (next === undefined) return false
  // "Very old friend", "more than 200 people".
  if (token.tag === 'ADV' && at >= begin && next.tag === 'ADJ') return determined || at > begin
  // "A retired judge", "the missing key".
  return (
    token.tag === 'VERB' && determined && /(?:ed|ing|en)$/.test(token.lower) && (isNoun(next) || next.tag === 'ADJ')
  )
}

/** The phrase with what belongs to it behind: 's and what is had, "of" and what follows, a name. */
function linked(tokens: readonly Token[], phrase: NounPhrase): NounPhrase {
  const mark = tokens[phrase.end]
  if (mark !== undefined && isPossession(tokens, phrase.end)) {
    const owned = core(tokens, phrase.end + 1, true)
    if (owned !== undefined)
      return linked(tokens, { ...owned, first: phrase.first, owner: phrase, proper: owned.proper })
    const before = tokens[phrase.first - 1]?.lower ?? ''
    // "At Luigi's".
    if (phrase.proper && mark.lower === "'s" && /^(?:at|to|from|near)$/.test(before))
      return { ...phrase, end: phrase.end + 1 }
    return phrase
  }
  const head = tokens[phrase.head]
  if (mark?.tag === 'PROPN' && head.tag === 'NOUN' && isPersonNoun(head.lemma)) {
    const name = core(tokens, phrase.end, false)
    if (name?.proper) return { ...phrase, end: name.end, name: { ...name, first: name.core } }
  }
  if (mark?.lower === 'old' && /^(?:year|month|week|day)$/.test(head.lemma)) return { ...phrase, end: phrase.end + 1 }
  if (mark?.lower === 'of') {
    const inner = nounPhraseAt(tokens, phrase.end + 1)
    if (inner !== undefined && !inner.pronoun) {
      if (COUNTING.has(head.lower) || EMPTY_NOUNS.has(head.lemma)) return { ...inner, first: phrase.first }
      return { ...phrase, end: inner.end }
    }
  }
  return phrase
}

const isPersonNoun = (noun: string) => RELATION_NOUNS.has(noun) || genderOf(noun) !== undefined

function isPossession(tokens: readonly Token[], at: number): boolean {
  const { lower, tag, from } = tokens[at]
  const joined = tokens[at - 1].to === from
  if (lower === "'") return joined && /s$/.test(tokens[at - 1].lower) && isNounAt(tokens, at + 1)
  return lower === "'s" && joined && tag === 'PART'
}

/** The words of a phrase without article and possessor, as they stand in the text. */
export function wordsOf(text: string, tokens: readonly Token[], phrase: NounPhrase): string {
  const from = tokens[phrase.core].from
  const to = tokens[phrase.end - 1].to
  return text.slice(from, to).replace(/\s+/g, ' ').trim()
}
