import type { Caller } from '../../api/caller.js'
import type { ParsedDocument } from '../../api/document-parser.js'
import type { EntryFacet, EntryId, EntryPlace, IngestOptions, IngestReport } from '../../api/entry.js'
import type { Episode, Observation } from '../../api/episode.js'
import { toIso } from '../../api/time.js'
import { AgidbError } from '../../base/errors.js'
import { provenanceOf } from '../../records/provenance.js'
import type { Indexes } from '../../indexes/indexes.js'
import { shownOf, checkPerspectives } from './checks.js'
import type { DocumentContext } from './context.js'
import { type Piece, piecesOf } from './pieces.js'
import { nearestPiece } from './successor.js'

/** Entries that are changed in one commit. */
const CHANGED_AT_ONCE = 256

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
  await context.store(plan.added.map(entryOf), caller)
  const now = toIso(context.clock())
  const placesOf = new Map(plan.moved.map(({ id, places }) => [id, places]))
  const change = (episode: Episode): Episode => {
    const places = placesOf.get(episode.id)
    if (places !== undefined) return current(withPlaces(episode, source, places))
    if (!plan.superseded.has(episode.id)) return withPlaces(episode, source, [])
    const by = plan.superseded.get(episode.id)
    return by === undefined
      ? { ...episode, validTo: now }
      : { ...episode, superseded: { by, at: now, recordedAt: now } }
  }
  const changed = [...placesOf.keys(), ...plan.left, ...plan.superseded.keys()]
  for (let i = 0; i < changed.length; i += CHANGED_AT_ONCE)
    await context.restate(caller, changed.slice(i, i + CHANGED_AT_ONCE), change)
  return {
    source,
    entries: pieces.map(({ id }) => id),
    added: plan.added.length,
    kept: plan.kept,
    moved: plan.moved.length,
    superseded: plan.superseded.size + plan.left.length,
    summaries: 0,
  }
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
    else if (facet === undefined)
      throw new AgidbError('AGIDB_DUPLICATE_ID', `the episode ${piece.id} is no entry, and has the id of one`, {
        id: piece.id,
      })
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
  const texts = await context.fetch(ending)
  const superseded = new Map<EntryId, EntryId | undefined>()
  for (const [i, slot] of ending.entries()) {
    const place = documents.facet(slot)!.places[0]
    superseded.set(catalog.id(slot)!, nearestPiece(pieces, added, place, texts[i]?.text ?? '')?.id)
  }
  return { added, kept, moved, left, superseded }
}

function hasEnded({ catalog }: Indexes, slot: number): boolean {
  return catalog.validTo(slot) < Infinity
}

function isAlike({ places }: EntryFacet, source: string, now: readonly EntryPlace[]): boolean {
  return JSON.stringify(places.filter((place) => place.source === source)) === JSON.stringify(now)
}

/** An entry with other places in one of its documents. */
export function withPlaces(episode: Episode, source: string, places: readonly EntryPlace[]): Episode {
  const facet = episode.entry!
  const elsewhere = facet.places.filter((place) => place.source !== source)
  const isFirst = facet.places[0]?.source === source
  const all = isFirst ? [...places, ...elsewhere] : [...elsewhere, ...places]
  const document = all[0]?.source
  const placed: Episode = {
    ...episode,
    // Its neighbours in recall are those of its first place.
    ...(document !== undefined && { source: document, ...(episode.session !== undefined && { session: document }) }),
    entry: { ...facet, places: all },
  }
  return { ...placed, provenance: provenanceOf(placed, episode.provenance.writer) }
}

/** An entry that stands in its document again. */
function current({ superseded: _, validTo: __, ...episode }: Episode): Episode {
  return episode
}
