import { readFileSync } from 'node:fs'
import { crc32c } from '../../src/base/crc32c.js'
import { entryChange, entryIsIntact, readEntries } from '../../src/storage/journal/changes.js'
import {
  decodeHeader,
  encodeFrame,
  encodeHeader,
  encodeSeal,
  FRAME_HEADER_BYTES,
  framesAt,
  HEADER_BYTES,
  MAX_BODY_BYTES,
  nextFrameMagic,
  readFrameHeader,
  SEALED_HEADER_BYTES,
  SEALED_VERSION,
  type JournalHeader,
} from '../../src/storage/journal/frame.js'
import { Journal } from '../../src/storage/journal/journal.js'
import { readJournalHeader } from '../../src/storage/journal/journal-header.js'
import { currentOf, inspectJournals } from '../../src/storage/journal/journal-pair.js'
import type { StorageChange } from '../../src/api/storage.js'
import { MAX_SLOTS } from '../../src/storage/journal/slot-table.js'
import { salvage } from '../../src/storage/recovery/salvage.js'
import { noise } from '../../src/storage/contract/episodes.js'
import { MemoryFile } from '../unit/storage/memory-file.js'
import { mutate, type Random } from './mutate.js'
import type { Probe, Target } from './target.js'

const fixture = (path: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../unit/storage/fixtures/${path}`, import.meta.url)))
export const SEALED = await sealed(12)
/** The same with an episode far from the others. */
export const FAR = await sealed(500_000)
const SEEDS = [
  fixture('format-1.agidb'),
  fixture('format-2.agidb'),
  fixture('folder-2/journal.agidb').slice(0, 3000),
  SEALED,
  FAR,
]
/** What stands in their first frames. */
const BODIES = SEEDS.map((seed) => {
  const at = nextFrameMagic(seed, HEADER_BYTES)
  const body = at + FRAME_HEADER_BYTES
  return seed.slice(body, body + new DataView(seed.buffer, seed.byteOffset).getUint32(at + 8, true))
})

/** A journal that was begun out of another one, with changes of all kinds. @param last the slot of the last episode */
async function sealed(last: number): Promise<Uint8Array> {
  const file = new MemoryFile()
  const header = {
    version: SEALED_VERSION,
    databaseId: '0a'.repeat(16),
    createdAt: 1,
    baseLsn: 40,
    nextSlot: 12,
    epoch: 3,
    compacted: true,
  }
  const journal = await Journal.begin(file, header)
  const signatures = (seed: number) => ({ text: noise(seed, 64), structured: noise(seed + 1, 64) })
  await journal.build(
    [3, 7, 8].map((slot) => ({
      op: 'put',
      slot,
      id: `ep_${slot}`,
      row: noise(slot, 30),
      signatures: signatures(slot),
    })),
  )
  await journal.finish(40)
  await journal.append([
    { op: 'put', slot: last, id: 'ep_12', row: noise(12, 30), signatures: signatures(12) },
    { op: 'update', slot: 7, id: 'ep_7', row: noise(70, 20) },
  ])
  await journal.append([
    { op: 'setSignatures', slot: 3, id: 'ep_3', signatures: { latent: noise(5, 40), sentence: noise(6, 40) } },
    { op: 'remove', slot: 8, id: 'ep_8' },
  ])
  return file.content()
}

/** A damaged journal: it opens, without its tail, and all that it says it has can be read; or it is refused. */
export const journal: Target = {
  name: 'journal',
  stages: { header: 0.8, opened: 0.4, rows: 0.15, 'went on': 0.35 },
  async run(from, probe) {
    await open(new MemoryFile(damaged(from)), probe)
  },
}

function damaged(from: Random): Uint8Array {
  if (from.below(2) === 0) return forged(from.pick(SEEDS), from)
  const bytes = mutate(SEEDS, from)
  if (from.below(4) > 0) rechecked(bytes, from)
  return bytes
}

async function open(file: MemoryFile, probe: Probe): Promise<void> {
  const header = await readJournalHeader(file)
  if (header === undefined) return
  probe.reached('header')
  const journal = await Journal.open(
    file,
    header,
    async () => 'nowhere',
    () => {},
  )
  probe.reached('opened')
  const slots = journal.liveSlots(0, journal.nextSlot)
  await journal.visit(() => {}, slots)
  await journal.rows(slots.slice(0, 100))
  if (slots.length > 0) probe.reached('rows')
  await journal.changesFrom(journal.start, 10)
  const before = slots.length
  if (journal.nextSlot === MAX_SLOTS) return
  await journal.append([{ op: 'put', slot: journal.nextSlot, id: 'new', row: Uint8Array.of(1, 2, 3), signatures: {} }])
  const again = await Journal.open(
    file,
    (await readJournalHeader(file))!,
    async () => 'nowhere',
    () => {},
  )
  const after = again.liveSlots(0, again.nextSlot).length
  if (after !== before + 1) throw new Error(`${before} episodes and a new one are ${after}`)
  probe.reached('went on')
}

/** A damaged journal whose commits are saved as far as they can be read: what comes of it is a journal that opens. */
export const salvaged: Target = {
  name: 'salvage',
  stages: { 'something found': 0.8, 'rows found': 0.5, opened: 0.8 },
  async run(from, probe) {
    const bytes = damaged(from)
    const files = [new MemoryFile(bytes), new MemoryFile()] as const
    const report = await salvage(files, async () => 'nowhere')
    if (report === undefined) return
    probe.reached('something found')
    if (report.rows > 0) probe.reached('rows found')
    const { file, header } = currentOf(await inspectJournals(files))
    const journal = await Journal.open(
      file,
      header!,
      async () => 'nowhere',
      () => {},
    )
    const slots = journal.liveSlots(0, journal.nextSlot)
    if (slots.length !== report.rows) throw new Error(`${report.rows} rows were saved, and ${slots.length} are there`)
    await journal.rows(slots.slice(0, 100))
    probe.reached('opened')
  },
}

/** A journal in which a few commits say something else, in proper frames. */
function forged(seed: Uint8Array, from: Random): Uint8Array {
  const { header: whole, commits } = read(seed)
  let header = whole
  for (let times = 1 + from.below(2); times > 0 && commits.length > 0; times--) {
    const at = from.below(commits.length)
    const commit = commits[at]
    const change = from.below(commit.length)
    switch (from.below(8)) {
      case 0:
        header = { ...header, nextSlot: edge(from), baseLsn: from.pick([header.baseLsn, header.baseLsn, 0, 2 ** 53]) }
        break
      case 1:
        commits.splice(at, from.below(2), [...from.pick(commits)])
        break
      case 2:
        commit.splice(change, 1)
        break
      case 3:
        commit.push(...from.pick(commits).slice(0, 1))
        break
      default:
        if (commit.length > 0) commit[change] = other(commit[change], from)
    }
  }
  const frames = commits.map(
    (changes, index) => encodeFrame(header, header.baseLsn + 1 + index + (from.below(40) === 0 ? 1 : 0), changes).bytes,
  )
  const head = [encodeHeader(header), ...(header.seal ? [encodeSeal(header, header.seal)] : [])]
  const bytes = new Uint8Array(Buffer.concat([...head.map((part) => part.subarray(0, HEADER_BYTES)), ...frames]))
  return from.below(4) === 0 ? bytes.subarray(0, from.below(bytes.length)) : bytes
}

/** The commits of a seed. */
function read(seed: Uint8Array): { header: JournalHeader; commits: StorageChange[][] } {
  const header = decodeHeader(seed.subarray(0, SEALED_HEADER_BYTES), 'seed')!
  const commits: StorageChange[][] = []
  for (let at = framesAt(header); at < seed.length; ) {
    const start = readFrameHeader(seed.subarray(at, at + FRAME_HEADER_BYTES), header)
    if (start === undefined || at + start.bytes > seed.length) break
    const frame = seed.subarray(at, at + start.bytes)
    commits.push(readEntries(frame, FRAME_HEADER_BYTES).map((entry) => entryChange(frame, entry)))
    at += start.bytes
  }
  return { header, commits }
}

/** A change of which one thing is another. */
function other(change: StorageChange, from: Random): StorageChange {
  const bytes = () => noise(from.below(100), from.below(5) === 0 ? 3000 : from.below(40))
  const parts: Record<string, unknown> = {
    op: from.pick(['put', 'update', 'remove', 'setSignatures']),
    slot: from.below(2) === 0 ? from.below(14) : edge(from),
    id: from.pick(['', 'ep_3', 'x'.repeat(600), '\u{1f600}']),
    row: bytes(),
    signatures: from.pick([{}, { text: bytes() }, { latent: bytes(), sentence: bytes() }]),
  }
  const key = from.pick(Object.keys(parts))
  return { row: new Uint8Array(0), signatures: {}, ...change, [key]: parts[key] } as StorageChange
}

function edge(from: Random): number {
  return from.pick([0, 1, 1000, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 30, 2 ** 26 - 1, 2 ** 26, 2 ** 32 - 1])
}

/** Makes checksums right, so that what lies behind them is tried as well. */
export function rechecked(bytes: Uint8Array, from: Random): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES) return
  view.setUint32(60, crc32c(bytes, 0, 60), true)
  if (view.getUint32(8, true) >= SEALED_VERSION && bytes.length >= SEALED_HEADER_BYTES)
    view.setUint32(68, crc32c(bytes, 72, SEALED_HEADER_BYTES), true)
  for (let at = nextFrameMagic(bytes, HEADER_BYTES); at >= 0; at = nextFrameMagic(bytes, at + 4)) {
    if (at + FRAME_HEADER_BYTES > bytes.length) return
    // The length, too, unless it is what was changed.
    const next = nextFrameMagic(bytes, at + 4)
    if (from.below(2) === 0) view.setUint32(at + 8, (next < 0 ? bytes.length : next) - at - FRAME_HEADER_BYTES, true)
    const length = view.getUint32(at + 8, true)
    if (length > MAX_BODY_BYTES || at + FRAME_HEADER_BYTES + length > bytes.length) continue
    view.setUint32(at + 4, crc32c(bytes, at + 8, at + FRAME_HEADER_BYTES + length), true)
  }
}

/** The functions that read what stands in a frame, on anything. */
export const entries: Target = {
  name: 'entries',
  stages: { read: 0.12 },
  async run(from, probe) {
    const bytes = mutate(BODIES, from)
    for (const entry of readEntries(bytes, 0)) {
      entryChange(bytes, entry)
      entryIsIntact(bytes, entry)
    }
    probe.reached('read')
  },
}
