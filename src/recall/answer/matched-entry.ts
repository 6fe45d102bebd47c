import type { EntryFacet, MatchedEntry } from '../../api/entry-facet.js'
import { CONTENT_LEVEL } from '../../records/entry.js'

/** What parts the headings of a path. */
export const PATH_SEPARATOR = ' > '

/** What a match tells of an entry: what it is, and where its first place is. */
export function matchedEntry({ type, places: [place] }: EntryFacet): MatchedEntry {
  if (place === undefined) return { type, level: CONTENT_LEVEL, path: '' }
  const { level, heading, path, source, parent, start, end } = place
  return {
    type,
    level,
    ...(heading !== undefined && { heading }),
    path: [...path, ...(heading === undefined ? [] : [heading])].join(PATH_SEPARATOR),
    source,
    ...(parent !== undefined && { parent }),
    startOffset: start,
    endOffset: end,
  }
}
