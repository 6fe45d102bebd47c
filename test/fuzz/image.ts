import { crc32c } from '../../src/storage/crc32c.js'
import { Extents } from '../../src/storage/extents.js'
import { ImageFile, type ImageBase } from '../../src/storage/image-file.js'
import { SlotTable } from '../../src/storage/slot-table.js'
import { decodeSuperblock, encodeSuperblock, SUPERBLOCK_BYTES } from '../../src/storage/superblock.js'
import { MemoryFile } from '../storage/memory-file.js'
import { mutate, type Random } from './mutate.js'
import type { Target } from './target.js'

const utf8 = new TextEncoder()
const WORDS = ['"__proto__":', '{', '[', ']', '"type":"u32"', '"type":"x"', '"bytes":-1', '"at":1e300', 'null', '99999999999', '"mark":5', '"name":null'].map((word) => utf8.encode(word))

const base: ImageBase = { databaseId: '00'.repeat(16), epoch: 0, lsn: 3, at: 500, anchorAt: 100, anchor: 7 }

async function made(): Promise<Uint8Array> {
  const file = new MemoryFile()
  const image = await ImageFile.open(file)
  const parts = { 'journal.next': Uint32Array.of(4), 'journal.puts': Float64Array.of(64, 80, 90, 100), 'index.utf8': Uint8Array.of(1, 2, 3), 'index.ends': Uint16Array.of(1, 2) }
  await image.keep(base, [
    ...Object.entries(parts).map(([name, array]) => ({ name, array: () => array })),
    { name: 'index.arena', array: () => new Uint8Array(300), mark: 'abc' },
  ])
  return file.content()
}

const SEED = await made()

/** A damaged image: it counts as none, or gives what it has; then it can be kept anew. */
export const image: Target = {
  name: 'image',
  async run(from) {
    const bytes = mutated(from)
    const file = new MemoryFile(bytes)
    const image = await ImageFile.open(file)
    if (image.base !== undefined) {
      for (const prefix of ['journal', 'index']) await tolerated(async () => {
        const parts = await image.parts(prefix)
        if (prefix === 'journal') new SlotTable(0).load(parts, 'journal')
      })
      await tolerated(() => image.fill('index.arena', new Uint8Array(Math.min(1000, image.marked('index.arena')?.bytes ?? 0)), 0))
    }
    await image.keep(base, [{ name: 'index.ends', array: () => Uint16Array.of(1) }])
    const again = await ImageFile.open(file)
    if ((await again.parts('index')).get('index.ends')?.length !== 1) throw new Error('an image that was kept cannot be read')
  },
}

/** What is wrong with a part is said by an error, which makes all be made again. */
async function tolerated(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof Error)) throw new Error('it threw no error')
  })
}

/** Mutates the superblocks or the directory, with checksums that are mostly right. */
function mutated(from: Random): Uint8Array {
  if (from.below(4) === 0) return mutate([SEED], from)
  const found = [0, 1].map((i) => decodeSuperblock(SEED.subarray(i * SUPERBLOCK_BYTES, (i + 1) * SUPERBLOCK_BYTES))).find((superblock) => superblock !== undefined)!
  const { at, bytes } = found.directory
  const directory = mutate([SEED.subarray(at, at + bytes)], from, WORDS)
  const file = new Uint8Array(Math.max(SEED.length, at + directory.length))
  file.set(SEED)
  file.set(directory, at)
  const extent = from.below(5) > 0 ? { at, bytes: directory.length } : { at: from.pick([0, at, 2 ** 40]), bytes: from.pick([0, 1, 2 ** 40, directory.length]) }
  const superblock = encodeSuperblock({ generation: from.pick([1, 2, 2 ** 52]), directory: extent, checksum: crc32c(directory) })
  file.set(superblock, from.below(2) * SUPERBLOCK_BYTES)
  return file
}

/** Room in a file, whatever extents are said to be in use. */
export const extents: Target = {
  name: 'extents',
  async run(from) {
    const used = Array.from({ length: from.below(5) }, () => ({ at: from.below(1 << 20), bytes: from.below(1 << 16) }))
    const free = new Extents(8192, used)
    for (let i = 0; i < 4; i++) {
      const bytes = 1 + from.below(10_000)
      const at = free.take(bytes)
      for (const other of used) if (at < other.at + other.bytes && other.at < at + bytes) throw new Error('room was given that is in use')
      used.push({ at, bytes })
    }
  },
}
