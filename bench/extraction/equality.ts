/**
 * When two fillers of a triple name the same: equal after case, diacritics, articles, quotation marks and plurals; or
 * one has the words of the other in a row and both have the same head, so that "thai place in Bandra" is "thai place"
 * and "Ann's sister" is "sister". The head is the last word before a preposition.
 */
export function sameFiller(a: string, b: string): boolean {
  const [one, other] = [wordsOf(a), wordsOf(b)]
  if (one.join(' ') === other.join(' ')) return true
  if (headOf(one) !== headOf(other)) return false
  const [long, short] = one.length > other.length ? [one, other] : [other, one]
  return ` ${long.join(' ')} `.includes(` ${short.join(' ')} `)
}

const PREPOSITIONS = new Set(['of', 'in', 'at', 'from', 'for', 'with', 'to', 'on', 'by', 'between', 'near', 'about'])

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/[^\p{L}\p{N}'$€£%:.-]+/gu, ' ')
    .replace(/[.]+(?=\s|$)/g, '')
    .trim()
    .split(' ')
    .filter((word) => !/^(?:an?|the|any)$/.test(word))
    .map(singular)
}

function singular(word: string): string {
  if (/'s$|s'$|ss$|us$|is$/.test(word) || word.length < 4) return word
  return /ies$/.test(word) ? `${word.slice(0, -3)}y` : word.replace(/s$/, '')
}

function headOf(words: readonly string[]): string | undefined {
  const end = words.findIndex((word, i) => i > 0 && PREPOSITIONS.has(word))
  return end < 0 ? words.at(-1) : words[end - 1]
}
