import type { DocumentParser, ParsedDocument } from '../api/document-parser.js'
import { FORMATS } from './formats.js'
import { cut, type Heading } from './outline.js'
import { type Block, trimmed } from './passages.js'
import { textOf } from './text-of.js'

/** Characters that a heading of a plain text may have. */
const HEADING = 120

/** Plain text: paragraphs, and headings that a line of equals signs or hyphens underlines. */
export const textParser: DocumentParser = {
  id: 'text',
  extensions: FORMATS.text,
  parse(document): ParsedDocument {
    const text = textOf(document)
    const elements: (Heading | Block)[] = []
    let from = 0
    for (const { 0: gap, index } of [...text.matchAll(/\r?\n[ \t]*\r?\n\s*/g), { 0: '', index: text.length }]) {
      const range = trimmed(text, { start: from, end: index })
      from = index + gap.length
      if (range !== undefined) elements.push(...elementsOf(text, range.start, range.end))
    }
    return { text, pieces: cut(text, elements) }
  },
}

/** A paragraph, of which the first lines may be a heading. */
function elementsOf(text: string, start: number, end: number): (Heading | Block)[] {
  const [under, title, mark] = /^([^\r\n]+)\r?\n(=+|-+)[ \t]*(?:\r?\n|$)/.exec(text.slice(start, end)) ?? []
  if (under === undefined || title.trim().length > HEADING || mark.length < 3)
    return [{ start, end, cuts: lineStarts(text, start, end) }]
  const heading: Heading = { start, end: start + under.trimEnd().length, depth: mark[0] === '=' ? 1 : 2, title }
  const rest = start + under.length
  return rest < end ? [heading, { start: rest, end, cuts: lineStarts(text, rest, end) }] : [heading]
}

/** Lines are cut where most of them are short, as those of a list or of a log are; else sentences are. */
function lineStarts(text: string, start: number, end: number): number[] | undefined {
  const starts: number[] = []
  for (const { index } of text.slice(start, end).matchAll(/\n/g)) starts.push(start + index + 1)
  return (end - start) / (starts.length + 1) < HEADING ? starts : undefined
}
