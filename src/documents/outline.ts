import type { ParsedPiece } from '../api/document-parser.js'
import type { EntryLevel } from '../api/entry-facet.js'
import { type Block, passages, type Range, trimmed } from './passages.js'

/** A heading of a document. */
export interface Heading extends Range {
  readonly depth: 1 | 2 | 3 | 4 | 5 | 6
  readonly title: string
}

/** Content has this level. */
const CONTENT: EntryLevel = 7

/**
 * The pieces of a document with these headings and blocks, in order: a section covers its heading and what stands right
 * below it as far as a passage goes; what is left of it are passages in the section.
 */
export function cut(text: string, elements: readonly (Heading | Block)[]): ParsedPiece[] {
  const pieces: ParsedPiece[] = []
  const open: { readonly depth: number; readonly at: number }[] = []
  for (let i = 0; i < elements.length; ) {
    const first = elements[i]
    const heading = isHeading(first) ? first : undefined
    if (heading !== undefined) i++
    const blocks: Block[] = []
    for (; i < elements.length; i++) {
      const element = elements[i]
      if (isHeading(element)) break
      blocks.push(element)
    }
    while (heading !== undefined && open.length > 0 && open.at(-1)!.depth >= heading.depth) open.pop()
    section(text, pieces, open, heading, blocks)
  }
  return pieces
}

/** Adds the pieces of a section, or of what stands above the first heading. */
function section(
  text: string,
  pieces: ParsedPiece[],
  open: { readonly depth: number; readonly at: number }[],
  heading: Heading | undefined,
  blocks: readonly Block[],
): void {
  const above = open.at(-1)?.at
  const inSection = (parent: number | undefined) => (parent === undefined ? {} : { parent })
  if (heading === undefined) {
    for (const range of passages(text, blocks)) pieces.push({ level: CONTENT, ...range })
    return
  }
  const [first, ...rest] = passages(text, blocks, heading.end - heading.start)
  // A long block of its own is not torn from its neighbours by the heading.
  const joins = first !== undefined && first.end - heading.start <= MOST_WITH_HEADING
  const own = trimmed(text, { start: heading.start, end: joins ? first.end : heading.end })
  if (own === undefined) return
  const title = heading.title.trim()
  pieces.push({ level: heading.depth, ...inSection(above), ...(title !== '' && { heading: title }), ...own })
  const at = pieces.length - 1
  open.push({ depth: heading.depth, at })
  for (const range of joins || first === undefined ? rest : [first, ...rest])
    pieces.push({ level: CONTENT, parent: at, ...range })
}

/** Characters of a section's piece with its heading: a table or code may be long. */
const MOST_WITH_HEADING = 4_200

function isHeading(element: Heading | Block): element is Heading {
  return 'depth' in element
}
