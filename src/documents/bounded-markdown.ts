/** Most lists and quotations within each other that begin in one line. */
const MOST_NESTED = 50
/** Most marks of emphasis in a paragraph. */
const MOST_EMPHASES = 1_000

const OPENING = String.raw`(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))`
const NESTED = new RegExp(String.raw`^(?:[ \t]*${OPENING}){${MOST_NESTED + 1},}`, 'gm')
const OPENINGS = new RegExp(OPENING, 'g')
/** The start of a paragraph or a heading, or a mark of emphasis; not the asterisk of a list. */
const STARTS_AND_MARKS = /\n[ \t]*\r?\n|\n#{1,6}[ \t]|[*_](?=\S)|(?<=\S)[*_]/g

/**
 * Markdown of the same length with the same blocks, for a parser that takes time with the square of how many marks
 * stand together: spaces stand in place of more marks than people write.
 */
export function boundedMarkdown(markdown: string): string {
  let emphases = 0
  return markdown
    .replace(NESTED, (openings) => {
      let nested = 0
      return openings.replace(OPENINGS, (opening) => (++nested > MOST_NESTED ? ' '.repeat(opening.length) : opening))
    })
    .replace(STARTS_AND_MARKS, (found) => {
      if (found.startsWith('\n')) emphases = 0
      else if (++emphases > MOST_EMPHASES) return ' '
      return found
    })
}
