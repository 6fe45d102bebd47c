import { describe, expect, test } from 'vitest'
import { Window, copyBytes, closeAll } from '../../../../src/storage/block/block-file.js'
import { encodeFrame, encodeHeader, type JournalHeader } from '../../../../src/storage/journal/frame.js'
import { readPieces } from '../../../../src/storage/journal/pieces.js'
import type { StorageChange } from '../../../../src/api/storage.js'
import {
  findFrame,
  READ_AHEAD_BYTES,
  readFrame,
  scan,
  startOf,
  tailAt,
  type Frame,
} from '../../../../src/storage/journal/scan.js'
import { readSentinel, writeSentinel } from '../../../../src/storage/mirror/sentinel.js'
import { erase } from '../../../../src/storage/recovery/erase.js'
import { walk } from '../../../../src/storage/journal/walk.js'
import { noise } from '../../../../src/storage/contract/episodes.js'
import { quick } from '../../../runs.js'
import { MemoryFile } from '../memory-file.js'

const HEADER: JournalHeader = {
  version: 2,
  databaseId: '00112233445566778899aabbccddeeff',
  createdAt: 0,
  baseLsn: 10,
  nextSlot: 0,
  epoch: 1,
}
const put = (slot: number, bytes = 8): StorageChange => ({
  op: 'put',
  slot,
  id: `${slot}`,
  row: noise(slot + 1, bytes),
  signatures: {},
})
const frame = (lsn: number, bytes = 8): Uint8Array => encodeFrame(HEADER, lsn, [put(lsn, bytes)]).bytes

function fileOf(...parts: Uint8Array[]): MemoryFile {
  return new MemoryFile(Buffer.concat([encodeHeader(HEADER), ...parts]))
}

async function scanned(
  file: MemoryFile,
  from = startOf(HEADER),
): Promise<{ seen: [number, number][]; extent: Awaited<ReturnType<typeof scan>> }> {
  const seen: [number, number][] = []
  const extent = await scan(file, HEADER, ({ lsn, at }: Frame) => void seen.push([lsn, at]), from)
  return { seen, extent }
}

const [a, b, c] = [11, 12, 13].map((lsn) => frame(lsn))
const ends = [64, 64 + a.length, 64 + a.length + b.length, 64 + a.length + b.length + c.length]

describe('a scan', () => {
  test('visits each frame, from the start or from a place on', async () => {
    expect(startOf(HEADER)).toEqual({ lsn: 10, at: 64 })
    expect(await scanned(fileOf(a, b, c))).toEqual({
      seen: [
        [11, ends[0]],
        [12, ends[1]],
        [13, ends[2]],
      ],
      extent: { lsn: 13, end: ends[3], size: ends[3] },
    })
    expect((await scanned(fileOf(a, b, c), { lsn: 11, at: ends[1] })).seen).toEqual([
      [12, ends[1]],
      [13, ends[2]],
    ])
    expect(await scanned(fileOf())).toEqual({ seen: [], extent: { lsn: 10, end: 64, size: 64 } })
  })

  test('says what stands at the end when that is no frame', async () => {
    const tail = async (...parts: Uint8Array[]) => (await scanned(fileOf(a, ...parts))).extent.tail
    expect(await tail(b.subarray(0, 1))).toBe('cut-short')
    expect(await tail(b.subarray(0, 31))).toBe('cut-short')
    expect(await tail(b.subarray(0, 32))).toBe('cut-short')
    expect(await tail(b.subarray(0, -1))).toBe('cut-short')
    expect(await tail(b.with(40, b[40] ^ 1))).toBe('checksum-mismatch')
    expect(await tail(b.with(40, b[40] ^ 1), new Uint8Array(9))).toBe('checksum-mismatch')
    expect(await tail(new Uint8Array(31))).toBe('cut-short')
    expect(await tail(new Uint8Array(32))).toBe('no-frame')
  })

  test('refuses a frame with the wrong number, and an unreadable frame before a readable one', async () => {
    const refused = (file: MemoryFile, offset: number, text: RegExp) =>
      expect(scanned(file)).rejects.toMatchObject({
        code: 'AGIDB_CORRUPT',
        details: { offset },
        message: expect.stringMatching(text),
      })
    await refused(fileOf(a, c), ends[1], /sequence number 13, 12 is due/)
    await refused(fileOf(a, a), ends[1], /sequence number 11, 12 is due/)
    await refused(fileOf(a, b.with(40, b[40] ^ 1), c), ends[1], new RegExp(`a later one at byte ${ends[2]} can`))
    await refused(fileOf(a, b.subarray(0, 5), c), ends[1], new RegExp(`at byte ${ends[1] + 5} can`))
    // One that was there before is no later one.
    expect((await scanned(fileOf(a, b, new Uint8Array(7), a, b))).extent).toMatchObject({
      lsn: 12,
      end: ends[2],
      tail: 'no-frame',
    })
  })
})

/** A frame that comes after another. */
const after = (lsn: number) => (frame: { readonly lsn: number }) => frame.lsn > lsn

test('a later frame is found wherever the pieces end in which the file is read', async () => {
  const later = frame(20)
  for (const before of quick ? [-16] : [-later.length - 1, -later.length, -40, -33, -32, -31, -16, -4, -1, 0, 1, 32]) {
    const at = READ_AHEAD_BYTES + before
    const file = new MemoryFile(new Uint8Array(READ_AHEAD_BYTES + 200))
    file.write(at, later)
    expect(await findFrame(file, HEADER, 0, file.size(), after(15)), `${before}`).toBe(at)
    if (quick) continue
    for (const from of [1, 100])
      expect(await findFrame(file, HEADER, from, file.size(), after(15)), `${before} from ${from}`).toBe(at)
  }
  const file = new MemoryFile(Buffer.concat([new Uint8Array(50), later, new Uint8Array(9)]))
  const find = (from: number, size: number, lsn: number): Promise<number | undefined> =>
    findFrame(file, HEADER, from, size, after(lsn))
  expect([await find(50, file.size(), 15), await find(51, file.size(), 15)]).toEqual([50, undefined])
  expect([await find(0, file.size(), 19), await find(0, file.size(), 20)]).toEqual([50, undefined])
  expect([await find(0, 50 + later.length, 15), await find(0, 49 + later.length, 15)]).toEqual([50, undefined])
  const bare = encodeFrame(HEADER, 20, []).bytes
  expect([
    await findFrame(new MemoryFile(bare), HEADER, 0, bare.length, after(15)),
    await findFrame(new MemoryFile(bare), HEADER, 0, 31, after(15)),
  ]).toEqual([0, undefined])
})

test('a frame is read where it is whole', async () => {
  const file = fileOf(a, b)
  const window = new Window(file, file.size(), 0)
  expect(await readFrame(window, HEADER, 64, ends[2])).toMatchObject({ lsn: 11, at: 64 })
  expect(await readFrame(window, HEADER, 64, ends[1])).toMatchObject({ lsn: 11 })
  expect(await readFrame(window, HEADER, 64, ends[1] - 1)).toBeUndefined()
  expect(await readFrame(window, HEADER, 65, ends[2])).toBeUndefined()
  // The file may be shorter than it was.
  expect(await readFrame(new Window(file, ends[2] + 10, 0), HEADER, ends[1], ends[2])).toMatchObject({ lsn: 12 })
  file.truncate(ends[2] - 1)
  expect(await readFrame(new Window(file, ends[2], 0), HEADER, ends[1], ends[2])).toBeUndefined()
  expect(await tailAt(file, HEADER, { lsn: 11, at: ends[1] }, ends[2] - 1)).toBe('cut-short')
})

test('a walk sees every frame that can be read, and what lies between', async () => {
  const pieces = async (file: MemoryFile): Promise<unknown[]> => {
    const found: unknown[] = []
    for await (const piece of walk(file, HEADER)) found.push('lsn' in piece ? piece.lsn : piece)
    return found
  }
  expect(await pieces(fileOf(a, b, c))).toEqual([11, 12, 13])
  expect(await pieces(fileOf(a, b.with(40, b[40] ^ 1), c))).toEqual([11, { at: ends[1], bytes: b.length }, 13])
  expect(await pieces(fileOf(new Uint8Array(3), b, c.subarray(0, 40)))).toEqual([
    { at: 64, bytes: 3 },
    12,
    { at: 67 + b.length, bytes: 40, tail: 'cut-short' },
  ])
  expect(await pieces(fileOf(a, new Uint8Array(50)))).toEqual([11, { at: ends[1], bytes: 50, tail: 'no-frame' }])
  // What comes later has a higher number.
  expect(await pieces(fileOf(b, new Uint8Array(2), a, c))).toEqual([12, { at: 64 + b.length, bytes: 2 + a.length }, 13])
})

describe('a window', () => {
  test('reads ahead, once, and never past the end', async () => {
    const bytes = noise(3, 1000)
    const file = new MemoryFile(bytes)
    const window = new Window(file, 1000, 100)
    const read = async (at: number, length: number): Promise<[Uint8Array, number]> => {
      const before = file.reads
      return [(await window.bytes(at, length)).slice(), file.reads - before]
    }
    expect(await read(10, 20)).toEqual([bytes.subarray(10, 30), 1])
    expect(await read(50, 60)).toEqual([bytes.subarray(50, 110), 0])
    expect(await read(50, 61)).toEqual([bytes.subarray(50, 111), 1])
    expect(await read(49, 1)).toEqual([bytes.subarray(49, 50), 1])
    expect(await read(0, 300)).toEqual([bytes.subarray(0, 300), 1])
    expect(await read(100, 100)).toEqual([bytes.subarray(100, 200), 0])
    expect(await read(990, 30)).toEqual([bytes.subarray(990), 1])
    expect(await read(2000, 5)).toEqual([new Uint8Array(0), 1])
  })
})

test('pieces that lie close together are read at once, and come back as they are', async () => {
  const bytes = noise(4, 3_000_000)
  const reading = async (pieces: { at: number; bytes: number }[]): Promise<number> => {
    const file = new MemoryFile(bytes)
    const seen: { at: number; bytes: number }[] = []
    for await (const found of readPieces(file, pieces)) {
      for (const [piece, read] of found) {
        expect(Buffer.compare(read, bytes.subarray(piece.at, piece.at + piece.bytes))).toBe(0)
        seen.push(piece)
      }
    }
    expect(seen).toEqual([...pieces].sort((x, y) => x.at - y.at))
    return file.reads
  }
  expect(await reading([])).toBe(0)
  expect(
    await reading([
      { at: 0, bytes: 10 },
      { at: 4106, bytes: 10 },
    ]),
  ).toBe(1)
  expect(
    await reading([
      { at: 0, bytes: 10 },
      { at: 4107, bytes: 10 },
    ]),
  ).toBe(2)
  expect(
    await reading([
      { at: 4107, bytes: 10 },
      { at: 0, bytes: 10 },
    ]),
  ).toBe(2)
  expect(
    await reading([
      { at: 5, bytes: 2 ** 20 - 10 },
      { at: 5 + 2 ** 20 - 10, bytes: 10 },
    ]),
  ).toBe(1)
  expect(
    await reading([
      { at: 5, bytes: 2 ** 20 - 10 },
      { at: 5 + 2 ** 20 - 10, bytes: 11 },
    ]),
  ).toBe(2)
  expect(
    await reading([
      { at: 5, bytes: 2_000_000 },
      { at: 9, bytes: 3 },
      { at: 2_000_010, bytes: 9 },
    ]),
  ).toBe(2)
  expect(
    await reading([
      { at: 0, bytes: 5000 },
      { at: 10, bytes: 20 },
      { at: 9000, bytes: 1 },
    ]),
  ).toBe(1)
  expect(await reading([{ at: 2_999_990, bytes: 100 }])).toBe(1)
})

test('bytes are copied, as far as there are any', async () => {
  const bytes = noise(5, 2_500_000)
  const to = new MemoryFile()
  await copyBytes(new MemoryFile(bytes), 10, 2_400_000, to, 3)
  expect(Buffer.compare(to.content(), Buffer.concat([new Uint8Array(3), bytes.subarray(10, 2_400_010)]))).toBe(0)
  const short = new MemoryFile()
  await copyBytes(new MemoryFile(bytes.subarray(0, 50)), 10, 100, short, 0)
  expect(short.content()).toEqual(bytes.subarray(10, 50))
})

test('all files are closed, and the first that could not be is told', async () => {
  const closed: number[] = []
  const file = (number: number, error?: string) =>
    Object.assign(new MemoryFile(), {
      close: () => {
        closed.push(number)
        if (error) throw new Error(error)
      },
    })
  await expect(closeAll([file(1), file(2, 'second'), file(3, 'third'), file(4)])).rejects.toThrow('second')
  expect(closed).toEqual([1, 2, 3, 4])
  await closeAll([file(5)])
})

test('what is erased is overwritten, flushed, cut off and flushed', async () => {
  const file = new MemoryFile(noise(1, 2_500_000))
  const states: number[] = []
  const { truncate } = MemoryFile.prototype
  file.truncate = (length) => (
    states.push(
      file.content().findIndex((byte) => byte !== 0),
      file.content().length,
    ),
    truncate.call(file, length)
  )
  await erase(file)
  expect(file.log).toEqual(['write at 0', 'write at 1048576', 'write at 2097152', 'flush', 'flush'])
  expect([states, file.size()]).toEqual([[-1, 2_500_000], 0])
  const later = new MemoryFile(noise(1, 100))
  later.truncate = () => states.push(...later.content().subarray(0, 65))
  await erase(later, 64)
  expect(states.slice(2)).toEqual([...noise(1, 64), 0])
  const empty = new MemoryFile()
  await erase(empty)
  expect(empty.log).toEqual([])
})

test('how far the second copy came is remembered, or nothing', async () => {
  const file = new MemoryFile()
  expect(await readSentinel(file)).toBe(0)
  await writeSentinel(file, 2 ** 40 + 3)
  expect([file.size(), await readSentinel(file)]).toEqual([16, 2 ** 40 + 3])
  const bytes = file.content()
  for (let at = 0; at < 16; at++)
    expect(await readSentinel(new MemoryFile(bytes.with(at, bytes[at] ^ 1))), `byte ${at}`).toBe(0)
  expect(await readSentinel(new MemoryFile(bytes.subarray(0, 15)))).toBe(0)
})
