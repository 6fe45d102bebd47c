import type { CheckpointArray } from '../../src/base/checkpoint-parts.js'
import { crc32c } from '../../src/base/crc32c.js'
import { Extents } from '../../src/storage/journal/extents.js'
import { CheckpointFile, type CheckpointBase } from '../../src/storage/checkpoint/checkpoint-file.js'
import { Journal } from '../../src/storage/journal/journal.js'
import { readJournalHeader } from '../../src/storage/journal/journal-header.js'
import { SlotTable } from '../../src/storage/journal/slot-table.js'
import { decodeSuperblock, encodeSuperblock, SUPERBLOCK_BYTES } from '../../src/storage/journal/superblock.js'
import { MemoryFile } from '../unit/storage/memory-file.js'
import { changed } from './calls.js'
import { FAR, SEALED } from './journal.js'
import { mutate, type Random } from './mutate.js'
import type { Target } from './target.js'

const utf8 = new TextEncoder()
const WORDS = [
  '"__proto__":',
  '{',
  '[',
  ']',
  '"type":"u32"',
  '"type":"x"',
  '"bytes":-1',
  '"at":1e300',
  'null',
  '99999999999',
  '"mark":5',
  '"name":null',
].map((word) => utf8.encode(word))

interface Entry {
  name: string
  type: string
  at: number
  bytes: number
  checksum?: number
}

/** A journal and an image of it. */
interface Seed {
  readonly journal: Uint8Array
  readonly file: Uint8Array
  readonly base: CheckpointBase
  readonly directory: Uint8Array
  /** Where the directory lies. */
  readonly at: number
  readonly parts: readonly Entry[]
}

/** An image of a journal, as it is kept. */
async function made(bytes: Uint8Array): Promise<Uint8Array> {
  const file = new MemoryFile()
  const journal = await opened(bytes)
  await journal.keep(await CheckpointFile.open(file), [
    { name: 'index.utf8', array: () => Uint8Array.of(1, 2, 3) },
    { name: 'index.ends', array: () => Uint16Array.of(1, 2) },
    { name: 'index.arena', array: () => new Uint8Array(300), mark: 'abc' },
  ])
  return file.content()
}

async function opened(bytes: Uint8Array, image?: CheckpointFile): Promise<Journal> {
  const file = new MemoryFile(bytes)
  return Journal.open(
    file,
    (await readJournalHeader(file))!,
    async () => 'nowhere',
    () => {},
    image,
  )
}

async function seed(journal: Uint8Array): Promise<Seed> {
  const file = await made(journal)
  const superblock = [0, 1]
    .map((i) => decodeSuperblock(file.subarray(i * SUPERBLOCK_BYTES, (i + 1) * SUPERBLOCK_BYTES)))
    .find((superblock) => superblock !== undefined)!
  const { at, bytes } = superblock.directory
  const directory = file.slice(at, at + bytes)
  return {
    journal,
    file,
    at,
    directory,
    ...(JSON.parse(new TextDecoder().decode(directory)) as { base: CheckpointBase; parts: Entry[] }),
  }
}

const SEEDS = [await seed(SEALED), await seed(FAR)]

/** A damaged image: it counts as none, or gives what it has; then it can be kept anew. */
export const image: Target = {
  name: 'image',
  stages: { superblock: 0.8, directory: 0.25, parts: 0.25, table: 0.05 },
  async run(from, probe) {
    const seed = from.pick(SEEDS)
    const bytes = damaged(seed, from)
    if ([0, 1].some((i) => decodeSuperblock(bytes.subarray(i * SUPERBLOCK_BYTES, (i + 1) * SUPERBLOCK_BYTES))))
      probe.reached('superblock')
    const file = new MemoryFile(bytes)
    const image = await CheckpointFile.open(file)
    if (image.base !== undefined) {
      probe.reached('directory')
      for (const prefix of ['journal', 'index'])
        await tolerated(async () => {
          const parts = await image.parts(prefix)
          probe.reached('parts')
          if (prefix !== 'journal') return
          new SlotTable(0).load(parts, 'journal', seed.base.at)
          probe.reached('table')
        })
      await tolerated(() =>
        image.fill('index.arena', new Uint8Array(Math.min(1000, image.marked('index.arena')?.bytes ?? 0)), 0),
      )
    }
    await image.keep(seed.base, [{ name: 'index.ends', array: () => Uint16Array.of(1) }])
    const again = await CheckpointFile.open(file)
    if ((await again.parts('index')).get('index.ends')?.length !== 1)
      throw new Error('an image that was kept cannot be read')
  },
}

/**
 * An image of a journal whose table says something else, with right checksums: what the journal has is read by it, or
 * refused.
 */
export const table: Target = {
  name: 'table',
  stages: { used: 0.3, read: 0.7 },
  async run(from, probe) {
    const seed = from.pick(SEEDS)
    const parts = seed.parts.filter(({ name }) => name.startsWith('journal'))
    const changes = Array.from({ length: 1 + from.below(3) }, () => ({
      part: from.pick(parts),
      place: from.below(40),
      value: from.pick(NUMBERS),
    }))
    const journal = await opened(
      seed.journal,
      await CheckpointFile.open(new MemoryFile(withNumbers(seed, changes, from))),
    )
    if (journal.checkpoint !== undefined) probe.reached('used')
    const slots = journal.liveSlots(0, journal.nextSlot)
    await journal.visit(() => {}, slots)
    await journal.rows(slots)
    for (let slot = 0; slot < 16; slot++) if (journal.isRemoved(slot)) await journal.lastRow(slot)
    probe.reached('read')
    await journal.append([
      { op: 'put', slot: journal.nextSlot, id: 'new', row: Uint8Array.of(1, 2, 3), signatures: {} },
    ])
  },
}

const NUMBERS = [0, 1, -1, 7, 64, 128, 300, 5000, 0.5, NaN, Infinity, 2 ** 20, 2 ** 26, 2 ** 31, 2 ** 32 - 1, 2 ** 53]
const ARRAYS: Record<string, { new (buffer: ArrayBuffer): CheckpointArray }> = {
  u8: Uint8Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f64: Float64Array,
}

/** The image with other numbers in some of its parts, now and then shorter ones. */
function withNumbers(
  seed: Seed,
  changes: readonly { part: Entry; place: number; value: number }[],
  from: Random,
): Uint8Array {
  const file = seed.file.slice()
  const directory = structuredClone(seed.parts)
  for (const {
    part: { name, type, at, bytes },
    place,
    value,
  } of changes) {
    const array = new ARRAYS[type](file.slice(at, at + bytes).buffer as ArrayBuffer)
    array[place % array.length] = value
    const written = new Uint8Array(array.buffer)
    file.set(written, at)
    const entry = directory.find((entry) => entry.name === name)!
    if (from.below(8) === 0) entry.bytes = array.BYTES_PER_ELEMENT * from.below(array.length)
    entry.checksum = crc32c(written.subarray(0, entry.bytes))
  }
  return withDirectory({ ...seed, file }, utf8.encode(JSON.stringify({ base: seed.base, parts: directory })))
}

/** What is wrong with a part is said by an error, which makes all be made again. */
async function tolerated(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof Error)) throw new Error('it threw no error')
  })
}

/** Changes the superblocks, the directory or what it says, with checksums that are mostly right. */
function damaged(seed: Seed, from: Random): Uint8Array {
  const { file, directory, base, parts } = seed
  const kind = from.below(8)
  if (kind === 0) return mutate([file], from)
  if (kind < 3) return withDirectory(seed, mutate([directory], from, WORDS), from)
  if (kind < 5)
    return withDirectory(
      seed,
      utf8.encode(
        JSON.stringify({
          base,
          parts: Array.from({ length: 1 + from.below(2 * parts.length) }, () => ({
            ...from.pick(parts),
            name: from.pick(parts).name,
          })),
        }),
      ),
      from,
    )
  return withDirectory(
    seed,
    utf8.encode(
      JSON.stringify({ base: from.below(4) === 0 ? changed(base, from) : base, parts: changed(parts, from) }, sendable),
    ),
    from,
  )
}

/** What JSON does not know. */
function sendable(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

function withDirectory({ file, at }: Pick<Seed, 'file' | 'at'>, directory: Uint8Array, from?: Random): Uint8Array {
  const bytes = new Uint8Array(Math.max(file.length, at + directory.length))
  bytes.set(file)
  bytes.set(directory, at)
  const isElsewhere = from?.below(6) === 0
  const extent = isElsewhere
    ? { at: from.pick([0, at, 2 ** 40]), bytes: from.pick([0, 1, 2 ** 40, directory.length]) }
    : { at, bytes: directory.length }
  const superblock = encodeSuperblock({
    generation: from?.pick([1, 2, 2 ** 52]) ?? 2,
    directory: extent,
    checksum: crc32c(directory),
  })
  bytes.set(superblock, (from?.below(2) ?? 0) * SUPERBLOCK_BYTES)
  return bytes
}

/** Room in a file, whatever extents are said to be in use. */
export const extents: Target = {
  name: 'extents',
  stages: {},
  async run(from) {
    const used = Array.from({ length: from.below(5) }, () => ({ at: from.below(1 << 20), bytes: from.below(1 << 16) }))
    const free = new Extents(8192, used)
    for (let i = 0; i < 4; i++) {
      const bytes = 1 + from.below(10_000)
      const at = free.take(bytes)
      for (const other of used)
        if (at < other.at + other.bytes && other.at < at + bytes) throw new Error('room was given that is in use')
      used.push({ at, bytes })
    }
  },
}
