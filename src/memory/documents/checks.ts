import {
  checkChoice,
  checkFlag,
  checkId,
  checkKeys,
  checkList,
  checkName,
  checkNumber,
  checkText,
  checkWhole,
  invalid,
} from '../../api/check.js'
import type { ParsedDocument, ParsedPiece } from '../../api/document-parser.js'
import type { BrowseOptions, EntryPatch, EntrySearchOptions, IngestOptions, NewEntry } from '../../api/entry.js'
import type { EntryFacet, EntryRelation, EntryVisibility } from '../../api/entry-facet.js'
import type { TimeInput } from '../../api/episode.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { Limits } from '../../api/open-options.js'
import { toIso, toMillis } from '../../api/time.js'
import { ENTRY_LEVELS, ENTRY_TYPES } from '../../records/entry.js'
import { checkObservation } from '../../records/observation.js'

const limits = FIELD_LIMITS.entry
const NEW_KEYS: readonly (keyof NewEntry)[] = [
  ...(['type', 'level', 'heading', 'parent', 'path', 'source', 'visibility', 'expiresAt', 'perspectives'] as const),
  ...(['relations', 'summarizes', 'at', 'tags', 'metadata'] as const),
]
const INGEST_KEYS: readonly (keyof IngestOptions)[] = [
  ...(['source', 'parser', 'at', 'perspectives', 'visibility', 'expiresAt', 'tags', 'metadata'] as const),
]
const SEARCH_KEYS: readonly (keyof EntrySearchOptions)[] = [
  ...(['k', 'perSection', 'childrenK', 'perspective', 'deep', 'since', 'until', 'recencyWindow', 'alpha'] as const),
  ...(['salienceWeight', 'minSalience', 'ongoing', 'similarTo', 'filter'] as const),
]
const BROWSE_KEYS: readonly (keyof BrowseOptions)[] = ['perspective', 'since', 'until', 'source', 'deep', 'limit']
/** Relations that an entry is given at once. */
const MOST_RELATIONS = { items: 256 }
const WINDOWS = ['hour', 'day', 'week', 'month', 'year'] as const

/** What of a new entry is said of its visibility, perspectives and links, as it is stored. */
export function facetOf(entry: NewEntry, given: Limits): Omit<EntryFacet, 'places'> {
  checkKeys('entry', entry, NEW_KEYS)
  const { type = 'raw', level, heading, path, source, perspectives, summarizes } = entry
  checkChoice('type', type, ENTRY_TYPES)
  if (level !== undefined) checkChoice('level', level, ENTRY_LEVELS)
  checkName('heading', heading, given)
  checkName('source', source, given)
  if (entry.parent !== undefined) checkId('parent', entry.parent, given)
  if (path !== undefined) checkNames('path', path, given, limits.path)
  if (summarizes !== undefined) checkNames('summarizes', summarizes, given, limits.summarizes)
  const labels = perspectives === undefined ? [] : checkPerspectives('perspectives', perspectives, given)
  return {
    type,
    ...shownOf(entry, given),
    ...(labels.length > 0 && { perspectives: labels }),
    ...(summarizes !== undefined && summarizes.length > 0 && { summarizes: [...new Set(summarizes)] }),
  }
}

/** Visibility and its end as they are stored. */
export function shownOf(
  { visibility, expiresAt }: { readonly visibility?: EntryVisibility; readonly expiresAt?: TimeInput | null },
  given: Limits,
): Pick<EntryFacet, 'visibility' | 'expiresAt'> {
  checkName('visibility', visibility, given)
  if (expiresAt === undefined || expiresAt === null) {
    if (visibility === 'expiring') throw invalid("visibility 'expiring' needs expiresAt", { what: 'expiresAt' })
    return visibility === undefined ? {} : { visibility }
  }
  if (visibility !== undefined && visibility !== 'expiring')
    throw invalid(`expiresAt goes with visibility 'expiring', not ${JSON.stringify(visibility)}`, { what: 'expiresAt' })
  return { visibility: 'expiring', expiresAt: toIso(toMillis(expiresAt, 'expiresAt')) }
}

/** The labels of perspectives, each once. */
export function checkPerspectives(what: string, perspectives: readonly string[], given: Limits): string[] {
  return [...new Set(checkNames(what, perspectives, given, limits.perspectives))]
}

/** @throws AgidbError with the code of what is wrong. */
export function checkIngest(options: IngestOptions, given: Limits): void {
  checkKeys('ingest', options, INGEST_KEYS)
  if (options?.source === undefined)
    throw invalid('source is missing; give the name or the address of the document', { what: 'source' })
  const { source, parser, perspectives, at, tags, metadata } = options
  checkName('parser', parser, given)
  shownOf(options, given)
  if (perspectives !== undefined) checkPerspectives('perspectives', perspectives, given)
  checkObservation('', { text: '-', source, at, tags, metadata }, given)
}

/** @throws AgidbError with the code of what is wrong. */
export function checkSearch(query: string, options: EntrySearchOptions, given: Limits): void {
  checkKeys('search', options, SEARCH_KEYS)
  const { k = 5, perSection = 1, childrenK = 3, recencyWindow, similarTo, perspective } = options
  const { alpha, salienceWeight, minSalience } = options
  checkWhole('k', k, 1, 100)
  checkWhole('perSection', perSection, 1, 100)
  checkWhole('childrenK', childrenK, 0, 100)
  for (const [what, share] of Object.entries({ alpha, salienceWeight, minSalience }))
    if (share !== undefined) checkNumber(what, share, 0, 1)
  if (recencyWindow !== undefined) checkChoice('recencyWindow', recencyWindow, WINDOWS)
  for (const what of ['deep', 'ongoing'] as const) checkFlag(what, options[what])
  checkName('perspective', perspective, given)
  if (similarTo !== undefined) checkId('similarTo', similarTo, given)
  if (similarTo === undefined || (query as string | undefined) !== '') checkText('query', query, given, 'cueBytes')
}

/** @throws AgidbError with the code of what is wrong. */
export function checkBrowse(options: BrowseOptions, given: Limits): void {
  checkKeys('browse', options, BROWSE_KEYS)
  const { perspective, source, limit = 20 } = options
  checkName('perspective', perspective, given)
  checkName('source', source, given)
  checkFlag('deep', options.deep)
  checkWhole('limit', limit, 1, 1_000)
}

/** @throws AgidbError with the code of what is wrong. */
export function checkEntryPatch(patch: EntryPatch, given: Limits): void {
  checkKeys('patch', patch, ['perspectives', 'visibility', 'expiresAt', 'tags', 'metadata'])
  if (patch === undefined) throw invalid('patch is undefined; expected an object', { what: 'patch' })
  const { perspectives, tags, metadata } = patch
  if (perspectives !== undefined) checkPerspectives('perspectives', perspectives, given)
  checkObservation('', { text: '-', tags: tags ?? undefined, metadata: metadata ?? undefined }, given)
}

/** A document that a parser of the caller's own has cut. */
export function checkParsed(document: ParsedDocument): ParsedDocument {
  checkKeys('document', document, ['text', 'pieces', 'title', 'metadata'])
  const { text, pieces } = document
  if (typeof text !== 'string') throw invalid('document.text must be a string', { what: 'document.text' })
  if (!Array.isArray(pieces)) throw invalid('document.pieces must be an array', { what: 'document.pieces' })
  for (const [i, piece] of (pieces as ParsedPiece[]).entries()) {
    const what = `document.pieces[${i}]`
    checkKeys(what, piece, ['level', 'parent', 'heading', 'start', 'end'])
    checkChoice(`${what}.level`, piece.level, ENTRY_LEVELS)
    checkWhole(`${what}.start`, piece.start, 0, text.length)
    checkWhole(`${what}.end`, piece.end, piece.start, text.length)
    if (piece.parent !== undefined) checkWhole(`${what}.parent`, piece.parent, 0, i - 1)
    if (text.slice(piece.start, piece.end).trim() === '')
      throw invalid(`${what} is empty; expected some text from start to end`, { what })
  }
  return document
}

/** The relations that an entry is given. */
export function checkRelations(relations: readonly EntryRelation[], given: Limits): EntryRelation[] {
  const list = checkList('relations', relations, given, MOST_RELATIONS)
  return list.map((relation, i) => {
    checkKeys(`relations[${i}]`, relation, ['kind', 'target'])
    checkText(`relations[${i}].kind`, relation?.kind, given, 'nameBytes')
    checkId(`relations[${i}].target`, relation.target, given)
    return { kind: relation.kind, target: relation.target }
  })
}

function checkNames(
  what: string,
  list: readonly string[],
  given: Limits,
  limit: Parameters<typeof checkList>[3],
): string[] {
  const names = checkList(what, list, given, limit)
  for (const [i, name] of names.entries()) checkText(`${what}[${i}]`, name, given, 'nameBytes')
  return names
}
