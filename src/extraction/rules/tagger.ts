import { retag } from './retag.js'
import { spelled } from './spelling.js'
import type { Tag, Token } from './token.js'

/** Cuts a text into sentences of tagged tokens. */
export type Tagger = (text: string) => Token[][]

let loading: Promise<Tagger> | undefined

/** The tagger of this thread: made once, since that takes a second. A failure is not kept. */
export function loadTagger(): Promise<Tagger> {
  loading ??= load()
  loading.catch(() => (loading = undefined))
  return loading
}

/** Loads wink-nlp with its model of English, about 1 MB: only this file imports them. */
async function load(): Promise<Tagger> {
  const [{ default: winkNLP }, { default: model }] = await Promise.all([
    import('wink-nlp'),
    import('wink-eng-lite-web-model'),
  ])
  const nlp = winkNLP(model, ['sbd', 'pos'])
  const { its } = nlp
  return (given) => {
    const { text: whole, origin } = spelled(given)
    const text = withoutLongRuns(whole)
    const document = nlp.readDoc(text)
    const tokens = document.tokens()
    const values = tokens.out()
    const tags = tokens.out(its.pos) as Tag[]
    // The tagger has none of "cannot" where no verb follows.
    const lemmas: (string | undefined)[] = tokens.out(its.lemma as typeof its.value)
    const sentences: Token[][] = []
    let sentence: Token[] = []
    let offset = 0
    for (const [i, value] of values.entries()) {
      const from = text.indexOf(value, offset)
      // A token that the tagger changed has no place in the text.
      if (from < 0) continue
      // A line of its own is a sentence of its own.
      const isLong = sentence.length >= MOST_TOKENS || from - offset > LONGEST
      const ends = () => isLong || endsSentence(sentence, value) || text.slice(offset, from).includes('\n')
      if (sentence.length > 0 && ends()) {
        sentences.push(sentence)
        sentence = []
      }
      offset = from + value.length
      if (tags[i] === 'SPACE') continue
      const token = {
        text: value,
        lower: value.toLowerCase(),
        tag: tags[i],
        lemma: (lemmas[i] ?? value).toLowerCase(),
        from: origin(from),
        to: origin(offset),
      }
      const last = sentence.at(-1)
      if (value === '+' && last?.to === token.from) sentence[sentence.length - 1] = { ...last, to: token.to }
      else if (isHyphenated(sentence, token)) sentence.push(joined(sentence.splice(-2), token))
      else sentence.push(token)
    }
    if (sentence.length > 0) sentences.push(sentence)
    for (const one of sentences) retag(one)
    return sentences
  }
}

/**
 * Most tokens of a sentence; the next begins there. The time that the rules take grows faster than a sentence, and
 * people write none as long.
 */
const MOST_TOKENS = 300

/** Most characters without a space that are read: more are an address, JSON or base64, and longer than any name. */
const LONGEST = 200
/** What is longer, between the spaces at which the tagger parts a text. */
const LONG_RUN = new RegExp(`[^ \\n\\r\\t\\u00a0\\u2002-\\u2005\\u2009\\u200a\\u202f\\u205f]{${LONGEST + 1},}`, 'g')

/**
 * The same text with spaces in place of each long run, so that offsets stay; a sentence ends there.
 * The time that the tagger takes grows with the cube of the length of a run, and no rule reads it.
 */
function withoutLongRuns(text: string): string {
  return text.replace(LONG_RUN, (run) => ' '.repeat(run.length))
}

const END = /^[.!?…]+$/
const CLOSING = /^[.!?…"')\]]+$/

/** The tagger keeps the dot of an abbreviation in its token, so a dot by itself ends a sentence. */
function endsSentence(sentence: readonly Token[], next: string): boolean {
  if (CLOSING.test(next)) return false
  const last = sentence.at(-1)!
  return END.test(last.text) || (CLOSING.test(last.text) && sentence.length > 1 && END.test(sentence.at(-2)!.text))
}

/** Whether a word, the hyphen before it and a word before that stand without spaces: "part-time". */
function isHyphenated(sentence: readonly Token[], token: Token): boolean {
  const [word, hyphen] = sentence.slice(-2)
  return (
    hyphen?.text === '-' &&
    word.to === hyphen.from &&
    hyphen.to === token.from &&
    WORD.test(word.text) &&
    WORD.test(token.text)
  )
}
const WORD = /^[\p{L}\p{N}]/u

/** One token of three; what it is, its last word says, and of "part-time" its first. */
function joined([word, hyphen]: readonly Token[], token: Token): Token {
  const text = `${word.text}${hyphen.text}${token.text}`
  const adverb = word.tag === 'ADV' && token.tag === 'NOUN'
  const tag = adverb
    ? 'ADV'
    : word.tag === 'NUM' && token.tag === 'NOUN'
      ? 'ADJ'
      : token.tag === 'VERB'
        ? 'ADJ'
        : token.tag
  return { text, lower: text.toLowerCase(), tag, lemma: text.toLowerCase(), from: word.from, to: token.to }
}
