import type { ParsedDocument } from '../../api/document-parser.js'
import type { EntryId, EntryPlace } from '../../api/entry-facet.js'
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js'
import { entryIdOf } from './entry-id.js'

/** Bytes of a heading that are kept. */
const HEADING_BYTES = 512
/** Headings above a piece that are kept, the nearest. */
const MOST_HEADINGS = 16

/** A content of a document, with the places at which it stands. */
export interface Piece {
  readonly id: EntryId
  readonly content: string
  readonly places: readonly EntryPlace[]
}

/** The contents of a document, each once, in the order of their first places. */
export function piecesOf({ text, pieces, title }: ParsedDocument, source: string): Piece[] {
  const ids: EntryId[] = []
  const headings = pieces.map(({ heading }) => (heading === undefined ? undefined : short(heading)))
  const paths: (readonly string[])[] = []
  const found = new Map<EntryId, { content: string; places: EntryPlace[] }>()
  const first = pieces[0]?.heading
  const roots = title === undefined || title.trim() === '' || title.trim() === first?.trim() ? [] : [short(title)]
  for (const [i, { level, parent, start, end }] of pieces.entries()) {
    const content = text.slice(start, end)
    const id = entryIdOf(content)
    ids.push(id)
    const above = parent === undefined ? undefined : headings[parent]
    const path = parent === undefined ? roots : paths[parent]
    paths.push(above === undefined ? path : [...path, above])
    const heading = headings[i]
    const place: EntryPlace = {
      source,
      path: paths[i].slice(-MOST_HEADINGS),
      ...(parent !== undefined && ids[parent] !== id && { parent: ids[parent] }),
      ...(heading !== undefined && { heading }),
      level,
      start,
      end,
    }
    const same = found.get(id)
    if (same === undefined) found.set(id, { content, places: [place] })
    else same.places.push(place)
  }
  return Array.from(found, ([id, piece]) => ({ id, ...piece }))
}

/** A heading as it is kept: on one line, and not longer than a name may be. */
function short(heading: string): string {
  const line = heading.replace(/\s+/gu, ' ').trim()
  const bytes = encodeUtf8(line)
  if (bytes.length <= HEADING_BYTES) return line
  let end = HEADING_BYTES
  while ((bytes[end] & 0xc0) === 0x80) end-- // not within a character
  return decodeUtf8(bytes.subarray(0, end))
}
