import { PEOPLES } from './gazetteer.js'
import { isCapital, type Token } from './token.js'
import { ATTITUDES, CHAINING, COMMON, INTERJECTIONS } from './words.js'

/** Verbs that the tagger often takes for nouns, by a form. */
const VERBS: Readonly<Record<string, string>> = {
  lives: 'live',
  works: 'work',
  plays: 'play',
  runs: 'run',
  likes: 'like',
  loves: 'love',
  hates: 'hate',
  starts: 'start',
  studies: 'study',
  moves: 'move',
  drives: 'drive',
  drinks: 'drink',
  dances: 'dance',
  paints: 'paint',
  rides: 'ride',
  cooks: 'cook',
  coaches: 'coach',
  trains: 'train',
  volunteers: 'volunteer',
  volunteer: 'volunteer',
  needs: 'need',
  wants: 'want',
  visits: 'visit',
  travels: 'travel',
  lies: 'lie',
  costs: 'cost',
  opens: 'open',
  closes: 'close',
  ends: 'end',
  leads: 'lead',
  heads: 'head',
  manages: 'manage',
  stars: 'star',
  beat: 'beat',
  quit: 'quit',
  married: 'marry',
}
/** Noun forms behind which a place or a time follows rather than a thing: "lives in", "works as". */
const FINITE = /(?:[^s]s|ed)$/

/** Corrects the tags that the tagger is known to miss, by what stands around a word. */
export function retag(sentence: Token[]): void {
  for (const [i, token] of sentence.entries()) {
    const before = sentence[i - 1]
    const after = sentence[i + 1]
    retagWord(token, before, after)
    if (opens(before)) retagOpening(token, after)
    if (token.tag === 'VERB') retagVerb(token, before, after)
    else if (token.tag === 'NOUN' && token.lower.endsWith('ing') && isProgressive(sentence, i)) token.tag = 'VERB'
    else if (token.tag === 'NOUN' || (token.tag === 'ADJ' && token.lower === 'married')) nounToVerb(sentence, i)
    else if (token.tag === 'ADJ' && isPeople(token, after)) token.tag = 'PROPN'
    if (token.tag === 'VERB' && token.lemma.endsWith('ing') && token.lemma.length > 5)
      token.lemma = base(token.lemma, 3)
  }
}

/** Words that are always, or in one place, the same. */
function retagWord(token: Token, before: Token | undefined, after: Token | undefined): void {
  const { lower, tag } = token
  if (lower === 'been' || lower === 'being') token.lemma = 'be'
  else if (lower === "'s" && /^(?:got|been)$/.test(after?.lower ?? '')) token.lemma = 'have'
  else if (lower === 'super' && after?.tag === 'ADJ') token.tag = 'ADV'
  else if (lower === 'longer' && before?.lower === 'no') before.tag = 'ADV'
  else if (lower === "'s" && tag === 'PART' && isHelper(before, after))
    Object.assign(token, { tag: 'AUX', lemma: 'be' })
  else if (tag === 'VERB' && isInside(before)) retagInside(token, after)
  else if (tag === 'DET' && /^(?:who|which|that)$/.test(lower) && after?.tag === 'VERB') token.tag = 'PRON'
}

/** "Ravi's put it up", "Imogen's here": no possession. */
function isHelper(before: Token | undefined, after: Token | undefined): boolean {
  if (before?.tag !== 'PROPN' || after === undefined) return false
  return /^(?:VERB|ADV|DET|AUX)$/.test(after.tag) && !/ing$/.test(after.lower)
}

/** Behind an article or an owner there is no verb. */
const isInside = (before: Token | undefined) =>
  /^(?:an?|the|my|your|his|its|our|their|far|this|some|every|no)$/.test(before?.lower ?? '')

/** "Her left hand", "the far end". */
function retagInside(token: Token, after: Token | undefined): void {
  if (/^(?:NOUN|PROPN)$/.test(after?.tag ?? '')) token.tag = 'ADJ'
  else if (token.lower === token.lemma) token.tag = 'NOUN'
}

/** The first word has a capital, whatever it is. */
function retagOpening(token: Token, after: Token | undefined): void {
  if (isInterjection(token, after)) token.tag = 'INTJ'
  else if (token.tag === 'PROPN' && COMMON.has(token.lower) && !isCapitalAt(after)) token.tag = 'NOUN'
}

const isCapitalAt = (token: Token | undefined) => token?.tag === 'PROPN' && isCapital(token)
const opens = (before: Token | undefined) => before === undefined || /^[.!?,"(]+$/.test(before.text)

/** "Thanks", "Glad you came", "Nice!"; not "Good food is rare" nor "Sounds travel". */
function isInterjection({ lower, text }: Token, after: Token | undefined): boolean {
  if (!INTERJECTIONS.has(lower) || text === lower) return false
  return after === undefined || !/^(?:NOUN|AUX)$/.test(after.tag)
}

function retagVerb(token: Token, before: Token | undefined, after: Token | undefined): void {
  // "Have game nights".
  const had = /^(?:have|has|had)$/.test(before?.lower ?? '') && token.lower === token.lemma && after?.tag === 'NOUN'
  if (had) token.tag = 'NOUN'
  else if (isCapital(token) && before?.tag === 'PROPN' && isCapital(before)) token.tag = 'PROPN'
  else if (token.lower.endsWith('ing') && isActivity(before, after)) token.tag = 'NOUN'
}

/** "I've been networking": a gerund after a person and a form of "be". */
function isProgressive(sentence: readonly Token[], i: number): boolean {
  let at = i - 1
  while (sentence[at]?.tag === 'ADV') at--
  if (sentence[at]?.lemma !== 'be') return false
  while (/^(?:AUX|ADV|PART)$/.test(sentence[at]?.tag ?? '')) at--
  return /^(?:i|you|he|she|we|they)$/.test(sentence[at]?.lower ?? '')
}

/** "A little German", "I am French": a people or a language by itself. */
function isPeople(token: Token, after: Token | undefined): boolean {
  return isCapital(token) && PEOPLES.has(token.lower) && !/^(?:NOUN|PROPN|ADJ|NUM)$/.test(after?.tag ?? '')
}

function nounToVerb(sentence: readonly Token[], i: number): void {
  const token = sentence[i]
  const before = sentence[i - 1]
  const after = sentence[i + 1]
  if (before === undefined || after === undefined || isCapital(token)) return
  const known = Object.hasOwn(VERBS, token.lower)
  const subject =
    /^(?:NOUN|PROPN)$/.test(before.tag) || SUBJECTS.has(before.lower) || /^(?:CCONJ|PUNCT)$/.test(before.tag)
  if (!subject) return
  const follows = /^(?:ADP|DET|PRON|ADV|NUM|PROPN|ADJ|PART)$/.test(after.tag) || (known && after.tag === 'NOUN')
  if (!follows || after.lower === "'s") return
  if (token.tag === 'ADJ' && after.tag !== 'PROPN') return
  // One verb is enough for a clause; an unknown form must be the only candidate.
  if (clauseHasVerb(sentence, i, known)) return
  if (/^(?:CCONJ|PUNCT)$/.test(before.tag) && !known) return
  if (!known && !(FINITE.test(token.lower) && (before.tag === 'PROPN' || token.lower.endsWith('ed')))) return
  token.tag = 'VERB'
  token.lemma = VERBS[token.lower] ?? base(token.lower)
}

/** "Loves hiking": a gerund that nothing follows on which it could act. */
function isActivity(before: Token | undefined, after: Token | undefined): boolean {
  if (before?.tag !== 'VERB' || !CHAINING.has(before.lemma)) return false
  if (after?.tag === 'ADP') return ATTITUDES.has(before.lemma)
  return after === undefined || !/^(?:NOUN|PROPN|DET|PRON|ADJ|NUM)$/.test(after.tag)
}

const SUBJECTS = new Set(['i', 'you', 'he', 'she', 'it', 'we', 'they', 'who', 'which', 'that'])

/** Whether another word of the clause around a token is a verb already. */
function clauseHasVerb(sentence: readonly Token[], i: number, known: boolean): boolean {
  const ends = ({ tag, text, lower }: Token) =>
    /^(?:SCONJ|CCONJ)$/.test(tag) || /^[,;:.!?()]$/.test(text) || /^(?:who|which|that)$/.test(lower)
  for (let at = i - 1; at >= 0 && !ends(sentence[at]); at--) if (/^(?:VERB|AUX)$/.test(sentence[at].tag)) return true
  if (known) return false
  for (let at = i + 1; at < sentence.length && !ends(sentence[at]); at++)
    if (/^(?:VERB|AUX)$/.test(sentence[at].tag)) return true
  return false
}

/** The base form of a regular verb; `ending` is as long as "ed" or "ing". */
function base(form: string, ending = 2): string {
  if (/ied$|ies$/.test(form)) return `${form.slice(0, -3)}y`
  if (form.endsWith('s')) return form.slice(0, -1)
  const stem = form.slice(0, -ending)
  // "Starred", "planned"; "moved", "joined".
  if (/([bdgmnprt])\1$/.test(stem)) return stem.slice(0, -1)
  // One syllable that would have been doubled: "staring" is "stare", "hoped" is "hope".
  if (/^[^aeiou]*[aeiou][bdgkmnprtvz]$/.test(stem)) return `${stem}e`
  return /(?:[^aeiou][aeiou][vszcg]|[aeiou]r|u|at|[lr][vc])$/.test(stem) && !/er$/.test(stem) ? `${stem}e` : stem
}
