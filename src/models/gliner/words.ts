/** A word of a text; offsets count UTF-16 code units, and `text.slice(from, to)` is the word. */
export interface Word {
  readonly text: string
  readonly from: number
  readonly to: number
}

/**
 * What the Python package takes for a word, `\w+(?:[-_]\w+)*|\S`, in the terms of JavaScript: its `\w` has letters,
 * numbers and the underscore, but no marks; its white space has the separators of ASCII and NEL, but no byte order
 * mark.
 */
const WORD = /[\p{L}\p{N}_]+(?:[-_][\p{L}\p{N}_]+)*|[^\s\x1c-\x1f\x85]|\ufeff/gu

/** Cuts a text into the words that GLiNER counts. */
export function splitWords(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({ text: word, from: index, to: index + word.length }))
}
