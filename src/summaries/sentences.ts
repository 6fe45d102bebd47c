/** A stop, with what closes a quotation or a bracket after it, before white space or the end; or a stop of CJK. */
const STOP = /(?<![.!?…])([.!?…]+)(["'”’)\]]*)(?=\s|$)|[。！？]["”’）」』]*/gu
/** What ends with a full stop and ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s("'])(?:[A-Za-z]|e\.g|i\.e|etc|vs|cf|approx|no|nr|fig|sec|dr|mr|mrs|ms|st|z\.B|d\.h|bzw|ca)\.$/iu
/** Characters at its end that tell whether a sentence ends with such: most engines search all that they are given. */
const ABBREVIATED = 12
/** Blocks that are no sentences: code, tables, headings and rules of Markdown. */
const NO_PROSE = /^(?:```|~~~|\||#{1,6}\s|[-*_=]{3,}\s*$|<!--| {4}\S)/u
/** What stands before an item of a list. */
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/u

/**
 * The sentences of a text, in order, without code, tables and headings. Written out, since the segmenters of runtimes
 * differ from each other.
 */
export function sentencesOf(text: string): string[] {
  const found: string[] = []
  let fence: string | undefined
  let paragraph = ''
  const end = () => {
    found.push(...cut(paragraph))
    paragraph = ''
  }
  for (const line of text.split(/\r?\n/)) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1]
    if (mark !== undefined && (fence === undefined || fence === mark)) {
      end()
      fence = fence === undefined ? mark : undefined
      continue
    }
    if (fence !== undefined) continue
    if (line.trim() === '' || NO_PROSE.test(line)) {
      end()
      continue
    }
    if (ITEM.test(line)) end()
    paragraph += ` ${line.replace(ITEM, '').trim()}`
  }
  end()
  return found
}

/** A paragraph cut after its stops. */
function cut(paragraph: string): string[] {
  const found: string[] = []
  let from = 0
  for (const { 0: stop, index } of paragraph.matchAll(STOP)) {
    const to = index + stop.length
    if (stop === '.' && ABBREVIATION.test(paragraph.slice(Math.max(from, to - ABBREVIATED), to))) continue
    found.push(paragraph.slice(from, to).trim())
    from = to
  }
  found.push(paragraph.slice(from).trim())
  return found.filter((sentence) => sentence !== '')
}
