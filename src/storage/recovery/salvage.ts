import { Window, type BlockFile } from '../block/block-file.js'
import {
  ENTRY_HEADER_BYTES,
  entryChange,
  entryIsIntact,
  KINDS,
  OPERATIONS,
  readEntries,
  readEntry,
  SIGNATURES_CHECKED,
  signaturesAreIntact,
  type Entry,
} from '../journal/changes.js'
import { vacate } from '../journal/compaction.js'
import {
  FRAME_HEADER_BYTES,
  frameIsIntact,
  HEADER_BYTES,
  nextFrameMagic,
  ownerOf,
  SEALED_VERSION,
  type JournalHeader,
} from '../journal/frame.js'
import { Journal } from '../journal/journal.js'
import { currentOf, inspectJournals, type JournalFiles } from '../journal/journal-pair.js'
import type { StorageChange, StoredEpisode } from '../../api/storage.js'
import { READ_AHEAD_BYTES } from '../journal/scan.js'
import { MAX_SLOT_GAP, MAX_SLOTS } from '../journal/slot-table.js'
import type { KeepDamagedTail } from '../journal/tail.js'
import { pace } from '../../base/pace.js'
import { walk, type Damage } from '../journal/walk.js'

/** The most of a stretch that cannot be read in which rows are looked for. */
const RESCUED_BYTES = 1 << 28
/**
 * How often each byte of it may be looked at, on average, as part of what may be a row: hostile bytes can look like one
 * at every place.
 */
const CHECKED_TIMES = 16
/** How much of it is looked through before other work may come in. */
const BYTES_BETWEEN_PAUSES = 1 << 14

/** The result of salvaging a journal that could not be read. */
export interface Salvaged {
  readonly databaseId: string
  /** Live rows that were found. */
  readonly rows: number
  /** Of these, rows of commits that cannot be read as a whole, or whose signatures are lost; they are made again. */
  readonly unsigned: number
  /** Changes to rows that were not found. They are kept with the damaged file alone. */
  readonly orphans: number
  /** Stretches that could not be read. */
  readonly damages: number
  /** Where the damaged file is kept, whole. */
  readonly kept: readonly string[]
}

/**
 * Writes what can be read of a damaged journal into the other file, which counts from then on. The damaged file is kept
 * byte for byte before, and so is anything in the other one. `undefined` when nothing of a journal is there.
 *
 * What was changed or removed by a commit that cannot be read is found as it was before.
 *
 * @param databaseId of the database, if something else than the journals knows it
 */
export async function salvage(
  journals: JournalFiles,
  keep: KeepDamagedTail,
  databaseId?: string,
): Promise<Salvaged | undefined> {
  const origin = await originOf(journals, databaseId)
  if (origin === undefined) return undefined
  const { file, other, header } = origin
  const kept = []
  for (const one of [file, other]) {
    const size = await one.size()
    if (size > 0) kept.push(await keep(one, 0, size))
  }
  const { journal, unsigned, orphans, damages } = await recover(origin, other)
  // Its bytes are kept, and with a header that cannot be read it would stand in the way.
  await vacate(file, { ...header, databaseId: journal.header.databaseId })
  return {
    databaseId: header.databaseId,
    rows: journal.liveSlots(0, journal.nextSlot).length,
    unsigned,
    orphans,
    damages: damages.length,
    kept,
  }
}

/** A journal that may be damaged. */
export interface Origin {
  readonly file: BlockFile
  /** The file that it is not in. */
  readonly other: BlockFile
  /** Its own, or what could be found of it. */
  readonly header: JournalHeader
  /** The newest of all that can be read. */
  readonly epoch: number
}

/** What was read of a journal. */
export interface Recovered {
  /** All of it, in another file. */
  readonly journal: Journal
  readonly unsigned: number
  readonly orphans: number
  readonly damages: readonly Damage[]
  /** Rows that another copy had, and the journal no more. */
  readonly copied: number
}

/** Looks for a journal; `undefined` when nothing of one is there. See {@link inspectJournals}. */
export async function originOf(
  journals: JournalFiles,
  databaseId?: string,
  damages?: Parameters<typeof inspectJournals>[1],
): Promise<Origin | undefined> {
  const pair = await inspectJournals(journals, damages)
  const { file, other, ...current } = currentOf(pair)
  const known = [
    pair.header?.databaseId,
    ...pair.sides.map(({ incomplete }) => incomplete?.databaseId),
    databaseId,
  ].find((id) => id !== undefined)
  const header = current.header ?? (await guessHeader(file, known))
  if (header === undefined) return undefined
  return {
    file,
    other,
    header,
    epoch: Math.max(pair.epoch, header.epoch, ...pair.sides.map(({ incomplete }) => incomplete?.epoch ?? 0)),
  }
}

/**
 * Writes what can be read of a journal into another file, whose content is lost, and changes nothing else.
 *
 * @param copy episodes of another copy of the same database: those are taken that the journal does not say anything of
 */
export async function recover(
  { file, header, epoch }: Origin,
  place: BlockFile,
  copy?: AsyncIterable<readonly StoredEpisode[]>,
): Promise<Recovered> {
  const { lsn, nextSlot } = await extentOf(file, header)
  const { databaseId, createdAt } = header
  const start = { baseLsn: lsn, nextSlot, epoch: epoch + 1 }
  const journal = await Journal.begin(place, {
    version: SEALED_VERSION,
    databaseId,
    createdAt,
    ...start,
    checked: true,
  })
  const found = { unsigned: 0, orphans: 0, copied: 0 }
  const damages: Damage[] = []
  for await (const piece of walk(file, header)) {
    if ('lsn' in piece) await build(journal, changesOf(piece.bytes), found)
    else {
      damages.push(piece)
      await build(journal, await rescue(file, header, piece), found)
    }
  }
  for await (const episodes of copy ?? []) {
    const missing = episodes.filter(({ slot }) => !journal.isLive(slot) && !journal.isRemoved(slot))
    if (missing.length > 0) await journal.build(missing.map((episode) => ({ op: 'put', ...episode })))
    found.copied += missing.length
  }
  await journal.finish(lsn)
  return { journal, damages, ...found }
}

function changesOf(frame: Uint8Array): StorageChange[] {
  try {
    return readEntries(frame, FRAME_HEADER_BYTES).map((entry) => entryChange(frame, entry))
  } catch {
    return []
  }
}

/** Of the changes, what fits; an update of what is lost makes it again, without signatures. */
async function build(
  into: Journal,
  changes: readonly StorageChange[],
  found: { unsigned: number; orphans: number },
): Promise<void> {
  for (const change of changes) {
    const { op, slot, id } = change
    const live = into.isLive(slot)
    // No program of ours writes into a slot that was used before, or beyond what there can be.
    if (!live && (op === 'put' || op === 'update') && !into.isFree(slot)) found.orphans++
    else if (op === 'put' ? !live : live) await into.build([change])
    else if (op === 'put' || op === 'update') {
      await into.build(
        live
          ? [{ op: 'update', slot, id, row: change.row }]
          : [{ op: 'put', slot, id, row: change.row, signatures: {} }],
      )
      found.unsigned++
    } else if (op === 'setSignatures') found.orphans++
  }
}

/**
 * Rows that can be read of a stretch that cannot: each has a checksum of its own, and so is found wherever it begins.
 * Signatures are taken where they have one, too.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: each damage is handled where it is found
async function rescue(
  file: BlockFile,
  { databaseId, epoch }: JournalHeader,
  { at, bytes }: Damage,
): Promise<StorageChange[]> {
  const region = new Uint8Array(Math.max(0, Math.min(bytes, RESCUED_BYTES, (await file.size()) - at)))
  await file.read(at, region)
  const changes: StorageChange[] = []
  let budget = CHECKED_TIMES * region.length
  let frameAt = nextFrameMagic(region, 0)
  const rest = pace()
  for (let next = 0, pause = 0; next + ENTRY_HEADER_BYTES <= region.length && budget > 0; ) {
    if (next >= pause) {
      await rest()
      pause = next + BYTES_BETWEEN_PAUSES
    }
    if (frameAt >= 0 && frameAt < next) frameAt = nextFrameMagic(region, next)
    const owner = next === frameAt ? ownerOf(region.subarray(next)) : undefined
    if (owner !== undefined && !(databaseId.startsWith(owner.databaseId) && owner.epoch === epoch)) {
      const frame = region.subarray(next, next + owner.bytes)
      budget -= frame.length
      // A whole frame of another journal.
      if (frame.length === owner.bytes && frameIsIntact(frame)) {
        next += owner.bytes
        continue
      }
    }
    const entry = entryIn(region, next)
    if (entry !== undefined) budget -= entry.signaturesAt - next
    if (entry !== undefined && entryIsIntact(region, entry)) {
      const signed = signedIn(region, entry)
      changes.push(...(signed === undefined ? rowChange(region, entry) : [entryChange(region, signed)]))
      next = signed?.end ?? entry.signaturesAt
    } else next++
  }
  return changes
}

/** The same entry with its signatures, if it has no others than those whose checksum is right. */
function signedIn(region: Uint8Array, { at }: Entry): Entry | undefined {
  try {
    const entry = readEntry(region, at)
    return signaturesAreIntact(region, entry) === true ? entry : undefined
  } catch {
    return undefined // they are cut short
  }
}

/** What may be an entry there, up to and with its row. */
function entryIn(region: Uint8Array, at: number): Entry | undefined {
  const operation = region[at + 4]
  const signatures = region[at + 5] & ~SIGNATURES_CHECKED
  if (operation === 0 || operation > OPERATIONS.length || signatures > KINDS.length) return undefined
  const view = new DataView(region.buffer, at)
  const isWhole = at + ENTRY_HEADER_BYTES + view.getUint16(6, true) + view.getUint32(12, true) <= region.length
  return isWhole ? readEntry(region, at, true) : undefined
}

function rowChange(bytes: Uint8Array, entry: Entry): StorageChange[] {
  const { op, slot, rowAt, signaturesAt } = entry
  if (op === 'setSignatures') return []
  const { id } = entryChange(bytes, { ...entry, end: signaturesAt })
  const row = bytes.subarray(rowAt, signaturesAt)
  if (op === 'remove') return [{ op, slot, id }]
  return op === 'put' ? [{ op, slot, id, row, signatures: {} }] : [{ op, slot, id, row }]
}

/** A header for a journal whose own cannot be read, out of the first frame that can. */
async function guessHeader(file: BlockFile, databaseId: string | undefined): Promise<JournalHeader | undefined> {
  const size = await file.size()
  const window = new Window(file, size, READ_AHEAD_BYTES)
  for (let start = 0; start < size; start += READ_AHEAD_BYTES - FRAME_HEADER_BYTES) {
    const bytes = (await window.bytes(start, READ_AHEAD_BYTES)).slice()
    for (let at = nextFrameMagic(bytes, 0); at >= 0; at = nextFrameMagic(bytes, at + 1)) {
      const owner = ownerOf(bytes.subarray(at))
      if (owner === undefined) continue
      if (start + at + owner.bytes > size) continue
      const frame = new Uint8Array(owner.bytes)
      if ((await file.read(start + at, frame)) < owner.bytes || !frameIsIntact(frame)) continue
      const id = databaseId?.startsWith(owner.databaseId) ? databaseId : owner.databaseId.padEnd(32, '0')
      return {
        version: await guessVersion(file),
        databaseId: id,
        createdAt: 0,
        baseLsn: owner.lsn - 1,
        nextSlot: 0,
        epoch: owner.epoch,
      }
    }
  }
  return undefined
}

/**
 * A version whose frames begin where those of a journal do: in one with a seal that stands where the first would begin
 * without.
 */
async function guessVersion(file: BlockFile): Promise<number> {
  const bytes = new Uint8Array(FRAME_HEADER_BYTES)
  await file.read(HEADER_BYTES, bytes)
  return nextFrameMagic(bytes, 0, 1) === 0 ? SEALED_VERSION - 1 : SEALED_VERSION
}

/** The last commit, and one more than the highest slot, that can be read. */
async function extentOf(file: BlockFile, header: JournalHeader): Promise<{ lsn: number; nextSlot: number }> {
  let lsn = header.baseLsn
  let nextSlot = Math.min(header.nextSlot, MAX_SLOTS)
  for await (const piece of walk(file, header)) {
    if (!('lsn' in piece)) continue
    lsn = piece.lsn
    for (const { slot } of changesOf(piece.bytes))
      if (slot < Math.min(nextSlot + MAX_SLOT_GAP, MAX_SLOTS)) nextSlot = Math.max(nextSlot, slot + 1)
  }
  return { lsn, nextSlot }
}
