import type { Caller } from '../../api/caller.js'
import type { ParsedDocument } from '../../api/document-parser.js'
import type { IngestOptions, IngestReport } from '../../api/entry.js'
import type { EntryFacet, EntryId, EntryPlace } from '../../api/entry-facet.js'
import type { Episode, Observation } from '../../api/episode.js'
import { toIso } from '../../api/time.js'
import { AgidbError } from '../../base/errors.js'
import type { Indexes } from '../../indexes/indexes.js'
import { shownOf, checkPerspectives } from './checks.js'
import type { DocumentContext } from './context.js'
import { type Piece, piecesOf } from './pieces.js'
import { isCurrent } from './outline.js'
import { summarize } from './summaries.js'
import { standing, withPlaces } from './placing.js'
import { nearestPiece } from './successor.js'

/** Entries that are changed in one commit. */
const CHANGED_AT_ONCE = 256
/** Stands for the hash of a document while a change of it is being written: no document has it. */
const UNFINISHED = 'unfinished'

/** What is to become of the entries of a document. */
interface Plan {
  readonly added: readonly Piece[]
  readonly kept: number
  /** Entries that stand elsewhere now. */
  readonly moved: readonly Piece[]
  /** Entries of other documents, too, that stand in this one no more. */
  readonly left: readonly EntryId[]
  /** Entries that stand in it no more, with what takes their place; absent where the document has nothing left. */
  readonly superseded: ReadonlyMap<EntryId, EntryId | undefined>
}

/** Stores a document as entries; what changed since it was stored before is all that is written. */
export async function ingest(
  context: DocumentContext,
  document: ParsedDocument,
  hash: string,
  options: IngestOptions,
  caller: Caller,
): Promise<IngestReport> {
  const { source } = options
  const { limits } = context
  const pieces = piecesOf(document, source)
  const shared = {
    type: 'raw' as const,
    ...shownOf(options, limits),
    ...(options.perspectives !== undefined && {
      perspectives: checkPerspectives('perspectives', options.perspectives, limits),
    }),
  }
  const roots = { ...document.metadata, ...options.metadata }
  const entryOf = ({ id, content, places }: Piece): readonly [Observation, EntryFacet] => [
    {
      id,
      text: content,
      session: source,
      source,
      ...(options.at !== undefined && { at: options.at }),
      ...(options.tags !== undefined && { tags: options.tags }),
      ...(places[0].parent === undefined && Object.keys(roots).length > 0 && { metadata: roots }),
    },
    { ...shared, places },
  ]
  const plan = await planOf(context, pieces, source)
  const changed = [...plan.moved.map(({ id }) => id), ...plan.left, ...plan.superseded.keys()]
  const before = context.states.storedOf(source)
  // First, so that what was there before is not taken for what is there if this fails midway, or leaves nothing.
  if (before !== undefined && before.hash !== UNFINISHED && plan.added.length + changed.length > 0)
    await learnStored(context, source, UNFINISHED, before.root, caller)
  await context.store(plan.added.map(entryOf), caller)
  const now = toIso(context.clock())
  const placesOf = new Map(plan.moved.map(({ id, places }) => [id, places]))
  const change = (episode: Episode): Episode => {
    const places = placesOf.get(episode.id)
    if (places !== undefined) return standing(withPlaces(episode, source, places))
    if (!plan.superseded.has(episode.id)) return withPlaces(episode, source, [])
    const by = plan.superseded.get(episode.id)
    return by === undefined
      ? { ...episode, validTo: now }
      : { ...episode, superseded: { by, at: now, recordedAt: now } }
  }
  for (let i = 0; i < changed.length; i += CHANGED_AT_ONCE)
    await context.restate(caller, changed.slice(i, i + CHANGED_AT_ONCE), change)
  const summaries = await summarize(context, source, caller)
  // Last, so that what failed midway is done again.
  if (pieces.length > 0) await learnStored(context, source, hash, pieces[0].id, caller)
  return {
    source,
    entries: pieces.map(({ id }) => id),
    added: plan.added.length,
    kept: plan.kept,
    moved: plan.moved.length,
    superseded: plan.superseded.size + plan.left.length,
    summaries,
  }
}

/** Learns what of a document is stored, if its first entry is there still. */
function learnStored(
  { learn, indexes: { catalog } }: DocumentContext,
  source: string,
  hash: string,
  root: EntryId,
  caller: Caller,
): Promise<void> {
  return learn(caller, () => ({
    events: catalog.slot(root) === undefined ? [] : [{ kind: 'documentIngested', source, hash, root }],
    result: () => undefined,
  }))
}

/** What an ingestion would report that changes nothing. */
export function unchanged({ indexes, clock }: DocumentContext, source: string): IngestReport {
  const { catalog, documents } = indexes
  const now = clock()
  const placeOf = (slot: number) => documents.facet(slot)!.places.find((place) => place.source === source)!
  const slots = documents
    .ofSource(source)
    .filter((slot) => documents.facet(slot)!.type === 'raw' && isCurrent(indexes, slot, now))
    .sort((a, b) => placeOf(a).start - placeOf(b).start)
  const entries = slots.map((slot) => catalog.id(slot)!)
  return { source, entries, added: 0, kept: entries.length, moved: 0, superseded: 0, summaries: 0 }
}

async function planOf(context: DocumentContext, pieces: readonly Piece[], source: string): Promise<Plan> {
  const { indexes } = context
  const { catalog, documents } = indexes
  const added: Piece[] = []
  const moved: Piece[] = []
  let kept = 0
  for (const piece of pieces) {
    const slot = catalog.slot(piece.id)
    const facet = slot === undefined ? undefined : documents.facet(slot)
    if (slot === undefined) added.push(piece)
    else if (facet === undefined) throw taken(piece.id)
    else if (isAlike(facet, source, piece.places) && !hasEnded(indexes, slot)) kept++
    else moved.push(piece)
  }
  const wanted = new Set(pieces.map(({ id }) => id))
  const gone = documents.ofSource(source).filter((slot) => {
    return !wanted.has(catalog.id(slot)!) && documents.facet(slot)!.type === 'raw' && !hasEnded(indexes, slot)
  })
  const elsewhere = (slot: number) => documents.facet(slot)!.places.some((place) => place.source !== source)
  const left = gone.filter(elsewhere).map((slot) => catalog.id(slot)!)
  const ending = gone.filter((slot) => !elsewhere(slot))
  // Entries may go while their texts are read.
  const ended = ending.map((slot) => ({ id: catalog.id(slot)!, place: documents.facet(slot)!.places[0] }))
  const texts = await context.fetch(ending)
  const superseded = new Map<EntryId, EntryId | undefined>()
  for (const [i, { id, place }] of ended.entries()) {
    superseded.set(id, nearestPiece(pieces, added, place, texts[i]?.text ?? '')?.id)
  }
  return { added, kept, moved, left, superseded }
}

/** The error for content whose id an episode has that is no entry. */
export function taken(id: EntryId): AgidbError {
  const message = `the episode ${id} is no entry, and has the id of one: the SHA-256 of its content`
  return new AgidbError('AGIDB_DUPLICATE_ID', message, { id })
}

function hasEnded({ catalog }: Indexes, slot: number): boolean {
  return catalog.validTo(slot) < Infinity
}

function isAlike({ places }: EntryFacet, source: string, now: readonly EntryPlace[]): boolean {
  return JSON.stringify(places.filter((place) => place.source === source)) === JSON.stringify(now)
}
