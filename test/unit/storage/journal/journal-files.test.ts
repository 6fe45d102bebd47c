import { describe, expect, test } from 'vitest'
import { encodeHeader, encodeSeal, newHeader, type JournalHeader } from '../../../../src/storage/journal/frame.js'
import { CheckpointFile } from '../../../../src/storage/checkpoint/checkpoint-file.js'
import { Journal } from '../../../../src/storage/journal/journal.js'
import { readJournalHeader, writeHeader } from '../../../../src/storage/journal/journal-header.js'
import { currentOf, DAMAGES_OF_OWN, inspectJournals } from '../../../../src/storage/journal/journal-pair.js'
import { JournalStore } from '../../../../src/storage/journal/journal-store.js'
import { noise, put, puts } from '../../../../src/storage/contract/episodes.js'
import { MemoryFile } from '../memory-file.js'

const HEADER: JournalHeader = {
  version: 2,
  databaseId: '00112233445566778899aabbccddeeff',
  createdAt: 5,
  baseLsn: 10,
  nextSlot: 7,
  epoch: 3,
}
const SEALED: JournalHeader = { ...HEADER, version: 3 }

/** A header with its seal. */
function sealed(header: JournalHeader, of = 12): Uint8Array {
  const bytes = encodeHeader(header)
  bytes.set(encodeSeal(header, { lsn: header.baseLsn, at: 128, of }), 64)
  return bytes
}

const padded = (bytes: Uint8Array, length: number): Uint8Array => {
  const file = new Uint8Array(length)
  file.set(bytes)
  return file
}
const read = (bytes: Uint8Array) =>
  readJournalHeader(new MemoryFile(bytes)).then(
    (header) => header,
    (error: { code: string }) => error.code,
  )

describe('the header of a journal', () => {
  test('of which a crash left a part, and perhaps zeros, is none: the file is as good as empty', async () => {
    const whole = encodeHeader(HEADER)
    const written = whole.findLastIndex((byte) => byte !== 0) + 1
    expect(await read(new Uint8Array(0))).toBeUndefined()
    for (const length of [1, 63, 64, 65, 127, 128])
      expect(await read(new Uint8Array(length)), `${length} zeros`).toBeUndefined()
    for (let part = 1; part < written; part++) {
      const head = whole.subarray(0, part)
      for (const length of [part, 64, 65, 100, 128]) {
        if (length < part) continue
        expect(await read(padded(head, length)), `${part} of ${length}`).toBe(
          head.findLastIndex((byte) => byte !== 0) + 1 < 64 ? undefined : 'AGIDB_CORRUPT',
        )
      }
    }
    // A longer file is none that was only just begun.
    expect(await read(new Uint8Array(129))).toBe('AGIDB_FOREIGN_FILE')
    expect(await read(padded(whole.subarray(0, 20), 129))).toBe('AGIDB_CORRUPT')
  })

  test('that is whole is read whatever comes after, and one that is damaged is damage', async () => {
    const whole = encodeHeader(HEADER)
    for (const length of [64, 65, 128, 129, 5000]) expect(await read(padded(whole, length))).toEqual(HEADER)
    expect(await read(new Uint8Array([...whole, ...noise(1, 30)]))).toEqual(HEADER)
    for (const length of [64, 128, 129]) {
      for (const at of [12, 20, 40, 61]) {
        const damaged = padded(whole, length)
        damaged[at] ^= 0x55
        expect(await read(damaged), `byte ${at} of ${length}`).toBe('AGIDB_CORRUPT')
      }
    }
    // Zeros at its end that were written are no sign of a crash, where what follows is none.
    expect(await read(new Uint8Array([...padded(whole.subarray(0, 40), 64), 1]))).toBe('AGIDB_CORRUPT')
    expect(await read(padded(noise(1, 10), 64))).toBe('AGIDB_FOREIGN_FILE')
    const newer = padded(whole, 64)
    newer[8] = 9
    expect(await read(newer)).toBe('AGIDB_NEWER_FORMAT')
  })

  test('of a sealed journal is read with its seal, and without where that is not whole', async () => {
    const whole = sealed(SEALED)
    for (const length of [128, 129, 400])
      expect(await read(padded(whole, length))).toEqual({ ...SEALED, seal: { lsn: 10, at: 128, of: 12 } })
    for (const length of [64, 65, 100, 127]) expect(await read(whole.subarray(0, length))).toEqual(SEALED)
    expect(await read(encodeHeader(SEALED))).toEqual(SEALED)
  })

  test('replaces what was in the file: that is gone, on the disk, before the header is there', async () => {
    const file = new MemoryFile(noise(1, 500))
    let empty = false
    const { truncate } = file
    file.truncate = (length) => {
      truncate.call(file, length)
      file.log.push(`truncate to ${length}`)
      empty = true
    }
    await writeHeader(file, HEADER)
    expect([empty, file.log]).toEqual([true, ['truncate to 0', 'flush', 'write at 0', 'flush']])
    expect(file.content()).toEqual(encodeHeader(HEADER))
    const fresh = new MemoryFile()
    await writeHeader(fresh, SEALED)
    expect([fresh.log, fresh.content()]).toEqual([['write at 0', 'flush'], encodeHeader(SEALED)])
  })
})

describe('of two files with journals', () => {
  const older = sealed({ ...SEALED, epoch: 3 })
  const newer = sealed({ ...SEALED, epoch: 4 })
  const begun = encodeHeader({ ...SEALED, epoch: 5 })
  const damaged = newer.with(20, newer[20] ^ 1)
  const foreign = noise(1, 300)
  const none = new Uint8Array(0)
  const own = HEADER.databaseId

  /** Which of them is the journal: 0 or 1; and whether it has a header, is damaged, or has nothing. */
  async function current(
    first: Uint8Array,
    second: Uint8Array,
    follower?: { databaseId: string; epoch: number },
  ): Promise<[number, string]> {
    const files = [new MemoryFile(first), new MemoryFile(second)] as const
    const { file, other, header, damage } = currentOf(await inspectJournals(files, DAMAGES_OF_OWN), follower)
    expect(other).toBe(files[file === files[0] ? 1 : 0])
    return [file === files[0] ? 0 : 1, damage ? 'damaged' : header ? `epoch ${header.epoch}` : 'nothing']
  }

  test('the newer is the journal; a damaged one may be, unless the copy follows the other', async () => {
    expect(await current(none, none)).toEqual([0, 'nothing'])
    expect(await current(older, none)).toEqual([0, 'epoch 3'])
    expect(await current(none, older)).toEqual([1, 'epoch 3'])
    expect(await current(older, newer)).toEqual([1, 'epoch 4'])
    expect(await current(newer, older)).toEqual([0, 'epoch 4'])
    // One that is being written does not count.
    expect(await current(older, begun)).toEqual([0, 'epoch 3'])
    expect(await current(begun, none)).toEqual([0, 'nothing'])
    for (const unreadable of [damaged, foreign]) {
      expect(await current(unreadable, none)).toEqual([0, 'damaged'])
      expect(await current(none, unreadable)).toEqual([1, 'damaged'])
      expect(await current(older, unreadable)).toEqual([1, 'damaged'])
      expect(await current(unreadable, older)).toEqual([0, 'damaged'])
      expect(await current(unreadable, older, { databaseId: own, epoch: 3 })).toEqual([1, 'epoch 3'])
      expect(await current(older, unreadable, { databaseId: own, epoch: 3 })).toEqual([0, 'epoch 3'])
      expect(await current(older, unreadable, { databaseId: own, epoch: 4 })).toEqual([1, 'damaged'])
      // A copy of another database says nothing of it.
      expect(await current(older, unreadable, { databaseId: 'ff'.repeat(16), epoch: 3 })).toEqual([1, 'damaged'])
    }
  })

  test('the journal is gone when the copy follows a later one than is there', async () => {
    expect(await current(older, none, { databaseId: own, epoch: 4 })).toEqual([1, 'nothing'])
    expect(await current(none, older, { databaseId: own, epoch: 4 })).toEqual([0, 'nothing'])
    expect(await current(older, none, { databaseId: own, epoch: 3 })).toEqual([0, 'epoch 3'])
    expect(await current(older, none, { databaseId: own, epoch: 2 })).toEqual([0, 'epoch 3'])
    expect(await current(older, none, { databaseId: 'ff'.repeat(16), epoch: 4 })).toEqual([0, 'epoch 3'])
  })

  test('what is newest, damaged or begun is told of each', async () => {
    const pair = await inspectJournals([new MemoryFile(older), new MemoryFile(newer)])
    expect([pair.header?.epoch, pair.epoch]).toEqual([4, 4])
    const empty = await inspectJournals([new MemoryFile(), new MemoryFile(begun)])
    expect([empty.header, empty.epoch, empty.sides[1].incomplete?.epoch, empty.sides[0].incomplete]).toEqual([
      undefined,
      -1,
      5,
      undefined,
    ])
    await expect(inspectJournals([new MemoryFile(older), new MemoryFile(foreign)])).rejects.toMatchObject({
      code: 'AGIDB_FOREIGN_FILE',
    })
    const failing = new MemoryFile(older)
    failing.failAfter = 0
    failing.failures = 1
    await expect(inspectJournals([failing, new MemoryFile()], DAMAGES_OF_OWN)).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
    })
    const odd = Object.assign(new MemoryFile(), {
      read: () => {
        throw Object.assign(new Error('odd'), { code: 'AGIDB_CORRUPT' })
      },
    })
    await expect(inspectJournals([odd, new MemoryFile()])).rejects.toThrow('odd')
  })
})

describe('what is left behind', () => {
  /**
   * A store of a journal with this header, beside another file; what is in that when it has been tidied, and whether
   * the image is kept.
   */
  async function tidied(other: Uint8Array, compacted = true, imageOf: Partial<JournalHeader> = {}) {
    const header = { ...newHeader(1), databaseId: HEADER.databaseId, epoch: 4, ...(compacted && { compacted }) }
    const journal = await Journal.begin(new MemoryFile(), header)
    await journal.append(puts(0, 2))
    const place = new MemoryFile()
    const image = await CheckpointFile.open(place)
    const { databaseId, epoch } = { ...header, ...imageOf }
    await image.keep({ databaseId, epoch, lsn: 1, at: 64, anchorAt: 64, anchor: 0 }, [])
    const file = new MemoryFile(other)
    await new JournalStore(journal, file, image).tidy()
    return { left: file.content(), kept: image.base !== undefined, size: place.size(), written: file.log }
  }
  const rows = noise(1, 300)
  const withRows = (head: Uint8Array): Uint8Array => new Uint8Array([...head, ...rows])
  /** No more than a header that says that it does not count. */
  async function expectRetired(left: Uint8Array): Promise<void> {
    expect(left.length).toBe(128)
    expect(await readJournalHeader(new MemoryFile(left))).toEqual(
      expect.not.objectContaining({ seal: expect.anything() }),
    )
  }

  test('by a compaction that was cut short is overwritten', async () => {
    const { left, written } = await tidied(withRows(encodeHeader({ ...SEALED, epoch: 5 })))
    await expectRetired(left)
    expect(written).toContain('write at 64')
    // One that has nothing in it stays as it is.
    const bare = encodeHeader({ ...SEALED, epoch: 5 })
    expect(await tidied(bare)).toMatchObject({ left: bare, written: [] })
    // Of another database, too: it was only being written.
    await expectRetired((await tidied(withRows(encodeHeader({ ...SEALED, databaseId: 'ff'.repeat(16) })))).left)
  })

  test('by a compaction that was done is overwritten; by a rebuilding it is kept until the next time', async () => {
    for (const before of [encodeHeader({ ...HEADER, epoch: 3 }), sealed({ ...SEALED, epoch: 3 })]) {
      await expectRetired((await tidied(withRows(before))).left)
      expect((await tidied(withRows(before), false)).left).toEqual(withRows(before))
    }
    for (const other of [{ epoch: 4 }, { epoch: 5 }, { databaseId: 'ff'.repeat(16) }]) {
      const journal = withRows(sealed({ ...SEALED, ...other }))
      expect((await tidied(journal)).left, JSON.stringify(other)).toEqual(journal)
    }
  })

  test('that cannot be read stays as it is', async () => {
    for (const other of [new Uint8Array(0), noise(1, 200), encodeHeader(HEADER).with(20, 1)])
      expect((await tidied(other)).left).toEqual(other)
  })

  test('of an image of another journal is overwritten, too', async () => {
    expect((await tidied(new Uint8Array(0))).kept).toBe(true)
    expect(await tidied(new Uint8Array(0), true, { epoch: 3 })).toMatchObject({ kept: false, size: 0 })
    expect(await tidied(new Uint8Array(0), true, { databaseId: 'ff'.repeat(16) })).toMatchObject({
      kept: false,
      size: 0,
    })
  })
})

test('what is put in the place of a journal is one with later numbers', async () => {
  const journal = await Journal.begin(new MemoryFile(), HEADER)
  await journal.append([put(7)])
  await journal.append([put(8)])
  const next = await journal.successor(new MemoryFile())
  expect(next.header).toEqual({ ...SEALED, epoch: 4, baseLsn: 13, nextSlot: 0, checked: true })
  const base = { databaseId: HEADER.databaseId, epoch: 3, ...journal.end }
  const image = await CheckpointFile.open(new MemoryFile())
  await journal.keep(image, [])
  expect(image.base).toMatchObject(base)
  expect(journal.isAt(image.base!)).toBe(true)
  for (const key of ['epoch', 'lsn', 'at', 'anchorAt', 'anchor'] as const)
    expect(journal.isAt({ ...image.base!, [key]: image.base![key] + 1 }), key).toBe(false)
  expect(journal.isAt({ ...image.base!, databaseId: 'ff'.repeat(16) })).toBe(false)
})
