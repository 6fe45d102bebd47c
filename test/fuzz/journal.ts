import { readFileSync } from 'node:fs'
import { crc32c } from '../../src/storage/crc32c.js'
import { readEntries, readEntry } from '../../src/storage/changes.js'
import { FRAME_HEADER_BYTES, HEADER_BYTES, MAX_BODY_BYTES, nextFrameMagic } from '../../src/storage/frame.js'
import { Journal } from '../../src/storage/journal.js'
import { readHeader } from '../../src/storage/journal-header.js'
import { MemoryFile } from '../storage/memory-file.js'
import { mutate, type Random } from './mutate.js'
import type { Target } from './target.js'

const fixture = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(`../storage/fixtures/${path}`, import.meta.url)))
const SEEDS = [fixture('format-1.agidb'), fixture('format-2.agidb'), fixture('folder-2/journal.agidb').slice(0, 3000)]

/** A damaged journal: it opens, without its tail, and all that it says it has can be read; or it is refused. */
export const journal: Target = {
  name: 'journal',
  // The table of as many slots as there may be, and its growing; of that only what is used is ever touched.
  mostBuffers: 6 * 2 ** 30,
  async run(from) {
    const bytes = mutate(SEEDS, from)
    if (from.below(4) > 0) rechecked(bytes, from)
    await open(new MemoryFile(bytes))
  },
}

async function open(file: MemoryFile): Promise<void> {
  const header = await readHeader(file)
  if (header === undefined) return
  const journal = await Journal.open(file, header, async () => 'nowhere', () => {})
  const slots = journal.liveSlots(0, Math.min(journal.nextSlot, 1 << 21))
  await journal.visit(() => {}, slots)
  await journal.rows(slots.slice(0, 100))
  await journal.changesFrom(journal.start, 10)
  const before = slots.length
  await journal.append([{ op: 'put', slot: journal.nextSlot, id: 'new', row: Uint8Array.of(1, 2, 3), signatures: {} }])
  const again = await Journal.open(file, (await readHeader(file))!, async () => 'nowhere', () => {})
  const after = again.liveSlots(0, Math.min(again.nextSlot, 1 << 21)).length
  if (after !== before + 1 && journal.nextSlot < 1 << 21) throw new Error(`${before} episodes and a new one are ${after}`)
}

/** Makes checksums right, so that what lies behind them is tried as well. */
export function rechecked(bytes: Uint8Array, from: Random): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES) return
  view.setUint32(60, crc32c(bytes, 0, 60), true)
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
  async run(from) {
    const bytes = mutate(SEEDS.map((seed) => seed.slice(HEADER_BYTES, 600)), from)
    readEntries(bytes, Math.min(FRAME_HEADER_BYTES, bytes.length))
    readEntry(bytes, from.below(bytes.length), from.below(2) === 0)
  },
}
