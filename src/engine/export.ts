import { checkFilter } from '../api/check-filter.js'
import { AgidbError } from '../base/errors.js'
import type { Limits } from '../api/open-options.js'
import type { ExportOptions } from '../api/portable.js'
import type { Clock } from '../base/clock.js'
import type { Indexes } from '../indexes/indexes.js'
import type { RecordKinds } from '../records/record-kind.js'
import type { Writer } from '../write/writer.js'
import type { Snapshot } from '../write/snapshot.js'
import type { OpenedStorage, StoredEpisode } from '../api/storage.js'
import { exportBytes, type Exported, sealingFor } from '../transfer/export.js'
import { checkExport } from '../transfer/options.js'
import { streamOf } from '../transfer/stream.js'
import { learningEventKind } from '../records/kinds/learning-event.js'
import type { KeptMedia } from '../memory/episodes/kept-media.js'
import type { Floors } from '../memory/memory.js'
import { decodeEpisode, encodeEpisode } from '../records/kinds/episode.js'
import { type LeftOut, leftOutBy } from './left-out.js'
import { expectSealed, exportKeys, type SealedMoment, sealedMoment } from './sealed-export.js'

/** What an export needs of an engine. */
export interface ExportContext {
  readonly indexes: Indexes
  readonly writer: Writer
  readonly storage: Pick<OpenedStorage, 'sealed'>
  readonly config: {
    readonly databaseId: string
    readonly clock: Clock
    readonly limits: Limits
    readonly recordKinds: RecordKinds
  }
  /** @throws AgidbError `AGIDB_CLOSED` */
  checkOpen(): void
}

/** Each may have to keep what changes before it is read. */
const MAX_OPEN_EXPORTS = 16
/** Rows that are read at a time: what is written waits for no more than these. */
const ROWS_PER_BATCH = 256
/** Pieces of pictures and sounds among them, of up to a megabyte each. */
const PIECES_PER_BATCH = 8

/**
 * The memory as it is now, as a stream of bytes; it can be written to while that is read.
 *
 * @throws AgidbError with the code of what is wrong with the options.
 */
export async function exportMemory(
  context: ExportContext,
  floors: Floors,
  options: ExportOptions,
): Promise<ReadableStream<Uint8Array>> {
  checkExport(options)
  const {
    indexes,
    writer,
    config: { databaseId, clock, limits, recordKinds },
  } = context
  const filter = options.filter === undefined ? undefined : checkFilter('filter', options.filter, limits)
  if (writer.snapshots.size >= MAX_OPEN_EXPORTS) {
    throw new AgidbError(
      'AGIDB_TOO_LARGE',
      `${MAX_OPEN_EXPORTS} exports are under way; read one to its end or cancel it`,
      { limit: MAX_OPEN_EXPORTS },
    )
  }
  const sealed = options.sealed === true ? expectSealed(context.storage) : undefined
  const chunks = await sealingFor(options)
  let instead: ReadonlyMap<number, Uint8Array | undefined> = new Map()
  let left: LeftOut | undefined
  let begun: SealedMoment | undefined
  const snapshot = await writer.snapshot(() => {
    left = filter && leftOutBy(filter, indexes, floors)
    instead = rowsInstead(floors, left)
    begun = sealed && sealedMoment(sealed, indexes)
    // What is kept goes where its episode goes.
    const isWithout = (episode: number | undefined) =>
      episode !== undefined && (!indexes.catalog.has(episode) || left?.isLeft(episode) === true)
    return (slot) =>
      left?.isLeft(slot) ||
      isWithout(floors.media.owner(slot)) ||
      floors.forgetting.isKeptBack(slot) ||
      floors.exchanged.slots.has(slot) ||
      (instead.has(slot) && instead.get(slot) === undefined)
  }, sealed)
  const release = (): void => writer.release(snapshot)
  try {
    const contents: Exported = {
      databaseId,
      recordKinds,
      exportedAt: Math.max(0, clock()),
      slots: snapshot.slots,
      rows: rowsOf(snapshot, floors.media, context, instead, left?.revived, begun),
      ...(sealed && {
        sealed: { keys: await exportKeys(begun!, snapshot.slots, writer), change: sealed.change },
      }),
    }
    return streamOf(exportBytes(contents, options, chunks), release)
  } catch (error) {
    release()
    throw error
  }
}

/** The rows of a snapshot, as long as the memory is open. */
async function* rowsOf(
  snapshot: Snapshot,
  media: KeptMedia,
  { checkOpen, writer }: ExportContext,
  instead: ReadonlyMap<number, Uint8Array | undefined>,
  revived: ReadonlySet<number> = new Set(),
  sealed?: SealedMoment,
): AsyncGenerator<StoredEpisode[]> {
  const row = (slot: number, stored: Uint8Array): Uint8Array => {
    const row = instead.get(slot) ?? stored
    return revived.has(slot) ? unsuperseded(row) : row
  }
  for (let from = 0; ; ) {
    checkOpen()
    sealed?.check()
    if (!writer.snapshots.has(snapshot))
      throw new AgidbError(
        'AGIDB_CLOSED',
        'the export ended when an import began; a memory cannot be imported from itself',
      )
    const count = countFrom(from, snapshot.slots, media)
    const rows = await writer.still(() => snapshot.read(count))
    if (rows.length === 0) return
    from += count
    yield rows.map((stored) =>
      sealed === undefined
        ? { ...stored, row: row(stored.slot, stored.row) }
        : sealed.rows.change(stored, (open) => row(stored.slot, open)),
    )
  }
}

/** How many of the slots from one on are read at a time. */
function countFrom(from: number, slots: readonly number[], media: KeptMedia): number {
  let pieces = 0
  for (let count = 0; count < ROWS_PER_BATCH; count++)
    if (media.owner(slots[from + count]) !== undefined && ++pieces > PIECES_PER_BATCH) return count
  return ROWS_PER_BATCH
}

/** The rows of events that name what is gone, as they go into an export; `undefined` for what does not. */
function rowsInstead(floors: Floors, left: LeftOut | undefined): Map<number, Uint8Array | undefined> {
  const instead = new Map([...floors.withoutGone(left?.isGone), ...(left?.instead ?? [])])
  const rows = new Map<number, Uint8Array | undefined>()
  if (instead.size === 0) return rows
  for (const { slot, event } of floors.log.all()) {
    if (!instead.has(event)) continue
    const other = instead.get(event)
    rows.set(slot, other && learningEventKind.encode(other))
  }
  return rows
}

/** The row of an episode that nothing has replaced. */
export function unsuperseded(row: Uint8Array): Uint8Array {
  const { superseded: _, ...episode } = decodeEpisode(row)
  return encodeEpisode(episode)
}
