/** A text as the tagger reads it best, and where its characters stand in the text as it was given. */
export interface Spelled {
  readonly text: string
  /** The offset in the given text of an offset in `text`. */
  origin(offset: number): number
}

/** What chats leave out. Each stands alone as a word; the tagger misreads it, and "I'm" after the end of a sentence. */
const SPELLINGS: Readonly<Record<string, string>> = {
  "i'm": 'I am',
  im: 'I am',
  ive: "I've",
  i: 'I',
  "i've": "I've",
  "i'd": "I'd",
  "i'll": "I'll",
  dont: "don't",
  doesnt: "doesn't",
  didnt: "didn't",
  isnt: "isn't",
  wasnt: "wasn't",
  arent: "aren't",
  cant: "can't",
  wont: "won't",
  havent: "haven't",
  hasnt: "hasn't",
  couldnt: "couldn't",
  wouldnt: "wouldn't",
  shes: "she's",
  hes: "he's",
  theyre: "they're",
  youre: "you're",
  thats: "that's",
  gonna: 'going to',
  wanna: 'want to',
  gotta: 'have to',
  u: 'you',
}
const WORDS = new RegExp(`(?<![\\p{L}\\p{N}'])(?:${Object.keys(SPELLINGS).join('|')})(?![\\p{L}\\p{N}'.])`, 'giu')
/** Signs of one code unit that stand for another. */
const SIGNS = /[‘’‛′ʼ`´“”„\u00a0\u2007\u202f]/g
const PLAIN: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '\u00a0': ' ',
  '\u2007': ' ',
  '\u202f': ' ',
}

/** Folds apostrophes, quotation marks and spaces, and spells out what chats leave out. */
export function spelled(given: string): Spelled {
  // "Comin'" is as long as "coming".
  const folded = given.replace(SIGNS, (sign) => PLAIN[sign] ?? "'").replace(/(?<=[a-z]{2}i)n'(?![\p{L}\p{N}])/gu, 'ng')
  const pieces: [to: number, from: number, length: number][] = []
  let text = ''
  let end = 0
  for (const { 0: word, index } of folded.matchAll(WORDS)) {
    const spelling: string | undefined = SPELLINGS[word.toLowerCase()]
    // "ſ" matches an "s" where case does not count, but is none in lower case.
    if (spelling === undefined || spelling === word) continue
    text += folded.slice(end, index)
    pieces.push([text.length, index, word.length])
    text += spelling
    end = index + word.length
    pieces.push([text.length, end, 0])
  }
  if (pieces.length === 0) return { text: folded, origin: (offset) => offset }
  text += folded.slice(end)
  return { text, origin: (offset) => originOf(pieces, offset) }
}

function originOf(pieces: readonly [to: number, from: number, length: number][], offset: number): number {
  let [low, high] = [0, pieces.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (pieces[middle][0] <= offset) low = middle + 1
    else high = middle
  }
  if (low === 0) return offset
  const [to, from, length] = pieces[low - 1]
  return length === 0 ? from + (offset - to) : Math.min(from + (offset - to), from + length)
}
