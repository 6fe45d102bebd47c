import type { Entry } from '../api/entry.js'
import { printable, wrap, type Terminal } from './terminal.js'

const INDENT = '      '
/** Lines of one entry that are shown; `--json` shows all. */
const LINES = 8

/** An entry for people: where it stands on one line, then its content. */
export function entryLines(entry: Entry, head: readonly string[], { style, columns }: Terminal): string[] {
  const content = wrap(printable(entry.content).trim(), columns - INDENT.length)
  const more = content.length - LINES
  const shown = more > 0 ? [...content.slice(0, LINES), style('dim', `… ${more} lines more`)] : content
  return [
    [...head, style('cyan', printable(placeOf(entry)))].join('  ').trimEnd(),
    ...shown.map((line) => INDENT + line),
  ]
}

/** Where an entry stands: `guide.md:120-480 Setup > On Debian`. */
export function placeOf({ source, startOffset, endOffset, path, type, visibility }: Entry): string {
  const place = source === undefined ? '' : `${source}:${startOffset ?? 0}-${endOffset ?? 0}`
  const said = [type === 'raw' ? '' : `(${type})`, visibility === 'normal' ? '' : `[${visibility}]`]
  return [place, path, ...said].filter((part) => part !== '').join(' ')
}
