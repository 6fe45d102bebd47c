import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { StorageEvent } from '../../../../src/api/stats.js'
import { AgidbError } from '../../../../src/base/errors.js'
import { crc32c } from '../../../../src/base/crc32c.js'
import { encodeFrame, encodeHeader, newHeader } from '../../../../src/storage/journal/frame.js'
import { CheckpointFile } from '../../../../src/storage/checkpoint/checkpoint-file.js'
import { Journal } from '../../../../src/storage/journal/journal.js'
import { readJournalHeader, writeHeader } from '../../../../src/storage/journal/journal-header.js'
import type { StorageChange } from '../../../../src/api/storage.js'
import { SlotTable } from '../../../../src/storage/journal/slot-table.js'
import { keepIn, type KeepDamagedTail } from '../../../../src/storage/journal/tail.js'
import {
  applyTo,
  copyOf,
  listed,
  modelOf,
  noise,
  put,
  puts,
  sign,
  type Kept,
} from '../../../../src/storage/contract/episodes.js'
import { quick, runs } from '../../../runs.js'
import { MemoryFile } from '../memory-file.js'

/** Episodes with short signatures, so that every byte of a journal can be tried. */
const small = (slot: number, rowBytes: number): StorageChange => ({
  ...put(slot, rowBytes),
  signatures: { text: noise(slot + 7, 24) },
})
const row = (slot: number, seed: number): StorageChange => ({
  op: 'update',
  slot,
  id: `ep_${slot}`,
  row: noise(seed, 33),
})
const COMMITS: StorageChange[][] = [
  [small(0, 20), small(1, 20)],
  [small(2, 50), row(0, 70), sign(0, { latent: noise(1, 32) }), sign(1, { latent: noise(2, 32) })],
  [
    { op: 'remove', slot: 1, id: 'ep_1' },
    small(3, 9),
    sign(3, { sentence: noise(3, 20) }),
    sign(0, { text: noise(4, 24), latent: noise(5, 32) }, 2),
  ],
]

interface OpenedJournal {
  readonly journal: Journal
  readonly events: StorageEvent[]
  readonly kept: Map<number, Kept>
  /** The bytes that were cut off. */
  readonly tail: Uint8Array
}

async function openJournal(file: MemoryFile): Promise<OpenedJournal> {
  const events: StorageEvent[] = []
  const side = new MemoryFile()
  const header = await readJournalHeader(file)
  const keep: KeepDamagedTail = async (from, offset, bytes) =>
    `the side file at ${await keepIn(side, from, offset, bytes)}`
  const journal = await Journal.open(file, header!, keep, (event) => events.push(event))
  const kept = new Map<number, Kept>()
  await journal.visit((episode) => kept.set(episode.slot, copyOf(episode)))
  return { journal, events, kept, tail: side.content() }
}

/** A journal of these commits, and where it ended after each. */
async function written(commits: readonly StorageChange[][]): Promise<{ file: MemoryFile; ends: number[] }> {
  const file = new MemoryFile()
  await writeHeader(file, newHeader(0))
  const { journal } = await openJournal(file)
  const ends: number[] = [journal.bytes]
  for (const commit of commits) {
    await journal.append(commit)
    ends.push(journal.bytes)
  }
  return { file, ends }
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  return work().then(
    () => 'none',
    (error: { code: string }) => error.code,
  )
}

describe('a commit that a crash cut short', () => {
  test('at every byte leaves what was before it, and goes on', async () => {
    const { file, ends } = await written(COMMITS)
    const bytes = file.content()
    const before = listed(modelOf(...COMMITS.slice(0, 2)))
    for (let length = ends[2] + 1; length < ends[3]; length += quick ? 29 : 1) {
      const cut = new MemoryFile(bytes.subarray(0, length))
      const { journal, events, kept, tail } = await openJournal(cut)
      expect(events).toMatchObject([
        {
          kind: 'torn-tail',
          details: { found: 'cut-short', offset: ends[2], bytes: length - ends[2], kept: 'the side file at 0' },
        },
      ])
      expect(same(tail, bytes.subarray(ends[2], length))).toBe(true)
      expect(same(cut.content(), bytes.subarray(0, ends[2]))).toBe(true)
      expect(listed(kept)).toEqual(before)
      await journal.append(COMMITS[2])
      expect(same(cut.content(), bytes)).toBe(true)
    }
  })

  test('with any half of its bytes missing is a torn tail', async () => {
    const { file, ends } = await written(COMMITS)
    const bytes = file.content()
    for (let hole = ends[2]; hole < ends[3]; hole += 16) {
      const torn = bytes.slice()
      torn.fill(0, hole, Math.min(hole + 512, ends[3]))
      if (torn.every((byte, index) => byte === bytes[index])) continue
      const { events, kept } = await openJournal(new MemoryFile(torn))
      expect(events.map(({ kind }) => kind)).toEqual(['torn-tail'])
      expect(listed(kept)).toEqual(listed(modelOf(...COMMITS.slice(0, 2))))
    }
  })
})

test('a flipped bit fails the open, or cuts off only the last commit and keeps its bytes', async () => {
  const { file, ends } = await written(COMMITS)
  const bytes = file.content()
  for (let at = 0; at < bytes.length; at += quick ? 5 : 1) {
    const damaged = bytes.slice()
    damaged[at] ^= 1 << (at % 8)
    const place = new MemoryFile(damaged)
    if (at < ends[2]) {
      expect(['AGIDB_CORRUPT', 'AGIDB_FOREIGN_FILE', 'AGIDB_NEWER_FORMAT']).toContain(
        await codeOf(() => openJournal(place)),
      )
      expect(same(place.content(), damaged)).toBe(true)
    } else {
      const { events, kept, tail } = await openJournal(place)
      expect(events.map(({ kind }) => kind)).toEqual(['torn-tail'])
      expect(listed(kept)).toEqual(listed(modelOf(...COMMITS.slice(0, 2))))
      expect(same(tail, damaged.subarray(ends[2]))).toBe(true)
    }
  }
})

test('what the tail is, is said neutrally', async () => {
  const { file, ends } = await written(COMMITS)
  const found = async (damage: (bytes: Uint8Array) => Uint8Array): Promise<unknown> => {
    const { events } = await openJournal(new MemoryFile(damage(file.content())))
    return events[0].details?.found
  }
  const flip = (at: number) => (bytes: Uint8Array) => bytes.with(at, bytes[at] ^ 1)
  expect(await found((bytes) => bytes.subarray(0, ends[3] - 1))).toBe('cut-short')
  expect(await found(flip(ends[3] - 1))).toBe('checksum-mismatch')
  expect(await found(flip(ends[2]))).toBe('no-frame')
})

test('a tail that cannot be kept is not cut off', async () => {
  const { file, ends } = await written(COMMITS)
  const bytes = file.content().subarray(0, ends[3] - 1)
  const cut = new MemoryFile(bytes)
  const full: KeepDamagedTail = async () => {
    throw new AgidbError('AGIDB_QUOTA', 'the disk is full')
  }
  const header = await readJournalHeader(cut)
  expect(await codeOf(() => Journal.open(cut, header!, full, () => undefined))).toBe('AGIDB_QUOTA')
  expect(same(cut.content(), bytes)).toBe(true)
})

test.skipIf(quick)('a tail without end is read through to find that nothing follows', async () => {
  const { file, ends } = await written(COMMITS)
  const long = new Uint8Array(ends[3] + 3_000_000)
  long.set(file.content())
  // The first byte of every frame, over and over.
  long.fill(0x41, ends[3])
  const { events } = await openJournal(new MemoryFile(long))
  expect(events).toMatchObject([{ kind: 'torn-tail', details: { bytes: 3_000_000 } }])
})

test('a later frame is found however far away it is', async () => {
  const { file, ends } = await written([puts(0, 1), [put(1, 2_500_000)], [put(2)]])
  const bytes = file.content()
  bytes[ends[1] + 100] ^= 1
  await expect(openJournal(new MemoryFile(bytes))).rejects.toMatchObject({
    code: 'AGIDB_CORRUPT',
    details: { offset: ends[1] },
  })
})

test('a frame of another database is no frame', async () => {
  const { file } = await written(COMMITS)
  const other = await written(COMMITS)
  const bytes = new Uint8Array([...file.content(), ...other.file.content().subarray(other.ends[2])])
  const { events, kept } = await openJournal(new MemoryFile(bytes))
  expect(events.map(({ kind }) => kind)).toEqual(['torn-tail'])
  expect(listed(kept)).toEqual(listed(modelOf(...COMMITS)))
})

test('a full disk refuses the commit whole; there is room again later', async () => {
  const { file, ends } = await written(COMMITS)
  const { journal } = await openJournal(file)
  for (const room of [0, 1, 31, 500]) {
    file.capacity = ends[3] + room
    expect(await codeOf(() => journal.append(puts(4, 3)))).toBe('AGIDB_QUOTA')
    expect(file.content().length).toBe(ends[3])
    expect(await journal.rows([3, 4])).toEqual([put(3, 9).row, undefined])
  }
  file.capacity = Infinity
  await journal.append(puts(4, 3))
  expect(listed((await openJournal(file)).kept)).toEqual(listed(modelOf(...COMMITS, puts(4, 3))))
})

test('a failing call, whichever it is, loses nothing that was acknowledged', async () => {
  for (const failures of [1, 2, 3]) {
    for (let call = 0; call < 12; call++) {
      const { file } = await written([])
      const { journal } = await openJournal(file)
      file.failAfter = call
      file.failures = failures
      const acknowledged: StorageChange[][] = []
      let refused: StorageChange[] | undefined
      for (const commit of COMMITS) {
        if ((await codeOf(() => journal.append(commit))) === 'none') acknowledged.push(commit)
        else refused ??= commit
        if (refused) break
      }
      file.failAfter = Infinity
      const { kept } = await openJournal(file)
      const possible = [modelOf(...acknowledged)]
      // Only when the file could not be put back either may the refused commit still be there, and then it is there
      // whole.
      if (failures > 1 && refused) possible.push(modelOf(...acknowledged, refused))
      expect(possible.map(listed)).toContainEqual(listed(kept))
    }
  }
})

test('a journal that could not be put back takes no more commits', async () => {
  const { file, ends } = await written(COMMITS)
  const { journal } = await openJournal(file)
  file.failAfter = 0
  file.failures = 2
  expect(await codeOf(() => journal.append(puts(4, 1)))).toBe('AGIDB_STORAGE')
  await expect(journal.append(puts(4, 1))).rejects.toThrow('close the database and open it again')
  expect(await journal.rows([3])).toEqual([put(3, 9).row])
  const again = await openJournal(file)
  expect(again.journal.bytes).toBe(ends[3])
  await again.journal.append(puts(4, 1))
})

test('a row that changes under the open database is noticed', async () => {
  const { file, ends } = await written(COMMITS)
  const { journal } = await openJournal(file)
  file.write(ends[0] + 32 + 4 + 16 + 4 + 3, Uint8Array.of(0xff, 0xff))
  expect(await codeOf(() => journal.rows([0]))).toBe('none')
  file.write(ends[1] + 32 + 4 + 16 + 4 + 3, Uint8Array.of(0xff, 0xff))
  expect(await codeOf(() => journal.rows([2]))).toBe('AGIDB_CORRUPT')
})

describe('commits that could not be read again are refused', () => {
  const remove = (slot: number): StorageChange => ({ op: 'remove', slot, id: `ep_${slot}` })
  const bad: [string, StorageChange[]][] = [
    ['a slot twice in a commit', [put(9), put(9)]],
    ['a slot that is live', [put(0)]],
    ['a slot that was removed', [put(1)]],
    ['an update of nothing', [row(7, 1)]],
    ['an update of what was removed', [row(1, 1)]],
    ['a sign of nothing', [sign(7, { latent: noise(1, 8) })]],
    ['a sign of what was removed', [sign(1, { latent: noise(1, 8) })]],
    ['a sign after its remove', [remove(0), sign(0, { latent: noise(1, 8) })]],
    ['a remove of nothing', [remove(7)]],
    ['a remove twice in a commit', [remove(0), remove(0)]],
    ['an update after its remove', [remove(0), row(0, 1)]],
    ['a slot far beyond the rest', [put(5_000_000)]],
    ['a slot that is no slot', [put(-1)]],
    ['half a slot', [put(10.5)]],
  ]
  test.each(bad)('%s', async (_, changes) => {
    const { file } = await written(COMMITS)
    const { journal } = await openJournal(file)
    const bytes = file.content()
    expect(await codeOf(() => journal.append([put(20), ...changes]))).toBe('AGIDB_INTERNAL')
    expect(same(file.content(), bytes)).toBe(true)
  })

  test('one over the limit of a frame', async () => {
    const { file } = await written([])
    const { journal } = await openJournal(file)
    const half = new Uint8Array(1 << 27)
    const changes = [0, 1].map((slot) => ({ op: 'put' as const, slot, id: 'x', row: half, signatures: {} }))
    expect(await codeOf(() => journal.append(changes))).toBe('AGIDB_TOO_LARGE')
  })
})

test('a cursor follows the commits and knows its place', async () => {
  const { file } = await written(COMMITS)
  const { journal } = await openJournal(file)
  const model = new Map<number, Kept>()
  let cursor = journal.start
  for (const commit of COMMITS) {
    expect(await journal.has(cursor)).toBe(true)
    const { changes, next } = await journal.changesFrom(cursor, 1)
    expect(changes.length).toBe(commit.length)
    applyTo(model, changes)
    cursor = next
  }
  expect(cursor).toEqual(journal.end)
  expect(listed(model)).toEqual(listed(modelOf(...COMMITS)))
  expect((await journal.changesFrom(journal.start, 4)).changes.length).toBe(6)
  for (const wrong of [
    { lsn: 1, at: journal.start.at },
    { ...journal.end, lsn: 2 },
    { lsn: 0, at: 65 },
    { lsn: 9, at: 1e9 },
  ]) {
    expect(await journal.has(wrong)).toBe(false)
  }
})

test('a frame with a right checksum and any body opens or is refused as corrupt', async () => {
  const start = (await written([[small(0, 5)]])).file.content()
  const entry = fc.record({
    op: fc.nat(5),
    signatures: fc.nat(3),
    id: fc.nat(6),
    slot: fc.nat(3),
    row: fc.nat(9),
    rest: fc.uint8Array({ maxLength: 12 }),
  })
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .tuple(fc.nat(3), fc.array(entry, { maxLength: 3 }))
      .map(([count, entries]) =>
        Uint8Array.from([
          count,
          0,
          0,
          0,
          ...entries.flatMap(({ op, signatures, id, slot, row, rest }) => [
            0,
            0,
            0,
            0,
            op,
            signatures,
            id,
            0,
            slot,
            0,
            0,
            0,
            row,
            0,
            0,
            0,
            ...rest,
          ]),
        ]),
      ),
  )
  await fc.assert(
    fc.asyncProperty(body, async (bytes) => {
      const file = new MemoryFile(start)
      const header = (await readJournalHeader(file))!
      // A frame as the journal writes it, with another body and a checksum that is right.
      const { bytes: frame } = encodeFrame(header, 2, [])
      const forged = new Uint8Array([...frame.subarray(0, 32), ...bytes])
      new DataView(forged.buffer).setUint32(8, bytes.length, true)
      new DataView(forged.buffer).setUint32(4, crc32c(forged, 8), true)
      file.write(start.length, forged)
      const before = file.content()
      expect(['none', 'AGIDB_CORRUPT']).toContain(await codeOf(() => openJournal(file)))
      expect(same(file.content(), before)).toBe(true)
    }),
    { numRuns: runs(2000) },
  )
})

test('rows that lie together are read at once', async () => {
  const { file } = await written([puts(0, 200), puts(200, 200), [row(7, 3), row(250, 4)]])
  const { journal } = await openJournal(file)
  const readsFor = async (slots: readonly number[]): Promise<number> => {
    const before = file.reads
    const rows = await journal.rows(slots)
    const expected = slots.map((slot) =>
      slot === 7 ? noise(3, 33) : slot === 250 ? noise(4, 33) : slot < 400 ? put(slot).row : undefined,
    )
    expect(rows).toEqual(expected)
    return file.reads - before
  }
  const all = Array.from({ length: 401 }, (_, slot) => slot)
  expect(await readsFor(all)).toBe(1)
  expect(await readsFor([...all].reverse())).toBe(1)
  expect(await readsFor([399, 0, 399])).toBe(2)
  expect(await readsFor([500])).toBe(0)
})

test('signatures that lie together are read at once, and one that is not its slot is damage', async () => {
  const { file } = await written([puts(0, 200), puts(200, 200), [row(7, 3), sign(9, { latent: noise(9, 1032) })]])
  const { journal } = await openJournal(file)
  const readsFor = async (slots: readonly number[]): Promise<number> => {
    const before = file.reads
    const found = new Map<number, Uint8Array | undefined>()
    await journal.signatures(
      (slot, packed) =>
        found.set(slot, packed.bytes.slice(packed.start('text'), packed.start('text') + packed.length('text'))),
      slots,
    )
    expect(found).toEqual(new Map(slots.filter((slot) => slot < 400).map((slot) => [slot, put(slot).signatures.text])))
    return file.reads - before
  }
  const all = Array.from({ length: 401 }, (_, slot) => slot)
  expect(await readsFor(all)).toBe(1)
  expect(await readsFor([399, 0])).toBe(2)
  expect(await readsFor([9])).toBe(2)
  expect(await readsFor([500])).toBe(0)
  // The entry of slot 0 comes first in the first frame: another slot's number in its place.
  const at =
    file
      .content()
      .findIndex(
        (_, i, bytes) => i > 64 && bytes.subarray(i, i + 4).every((byte, j) => byte === 'ep_0'.charCodeAt(j)),
      ) - 16
  const damaged = new MemoryFile(file.content().with(at + 8, 1))
  const other = new MemoryFile(file.content())
  const { journal: read } = await openJournal(other)
  other.write(0, damaged.content())
  expect(await codeOf(() => read.signatures(() => undefined, [0]))).toBe('AGIDB_CORRUPT')
  expect(await codeOf(() => read.signatures(() => undefined, [1]))).toBe('none')
  other.truncate(at + 100)
  expect(await codeOf(() => read.signatures(() => undefined, [1]))).toBe('AGIDB_CORRUPT')
})

test('signatures that are damaged under the open database are noticed, and so are rows that are gone', async () => {
  const { file, ends } = await written([[small(0, 20)]])
  // Before the signature: the entry of 16 bytes, four of the id, twenty of the row.
  const entry = ends[0] + 32 + 4
  const signature = entry + 16 + 4 + 20
  const { journal } = await openJournal(file)
  const whole = file.content()
  const after = async (at: number, byte: number): Promise<string> => {
    file.write(0, whole.with(at, byte))
    return codeOf(() => journal.signatures(() => undefined, [0]))
  }
  expect(await after(entry + 5, 0x81)).toBe('none') // as it was
  expect(await after(entry + 5, 1)).toBe('AGIDB_CORRUPT') // without a checksum
  expect(await after(entry + 5, 0x82)).toBe('AGIDB_CORRUPT') // one more than there are
  expect(await after(entry + 5, 0)).toBe('AGIDB_CORRUPT') // one less
  for (const operation of [0, 5]) expect(await after(entry + 4, operation)).toBe('AGIDB_CORRUPT')
  for (const kind of [0, 8]) expect(await after(signature, kind)).toBe('AGIDB_CORRUPT')
  expect(await after(signature + 2, 23)).toBe('AGIDB_CORRUPT') // a byte shorter
  file.write(0, whole)
  expect(await journal.rows([0])).toEqual([noise(0, 20)])
  expect(await journal.lastRow(0)).toEqual(noise(0, 20))
  file.truncate(signature - 1)
  expect([await codeOf(() => journal.rows([0])), await codeOf(() => journal.lastRow(0))]).toEqual([
    'AGIDB_CORRUPT',
    'AGIDB_CORRUPT',
  ])
})

test('commits that can no longer be read are not followed', async () => {
  const { file, ends } = await written(COMMITS)
  const { journal } = await openJournal(file)
  file.write(ends[1] + 40, Uint8Array.of(file.content()[ends[1] + 40] ^ 1))
  const { next } = await journal.changesFrom(journal.start, 1)
  await expect(journal.changesFrom(next, 1)).rejects.toMatchObject({
    code: 'AGIDB_CORRUPT',
    details: { offset: ends[1] },
  })
})

test('a header that names more slots than there is memory for is damage; another error is what it is', async () => {
  const { file, ends } = await written([[small(0, 5)]])
  const growing = vi.spyOn(SlotTable.prototype, 'put')
  const before = file.content()
  growing.mockImplementation(() => {
    throw new RangeError('Array buffer allocation failed')
  })
  await expect(openJournal(file)).rejects.toMatchObject({
    code: 'AGIDB_CORRUPT',
    details: { offset: ends[0] + 36 },
    message: expect.stringContaining('no room for a table of 0 slots'),
  })
  growing.mockImplementation(() => {
    throw new TypeError('another')
  })
  await expect(openJournal(file)).rejects.toThrow(new TypeError('another'))
  expect(file.content()).toEqual(before)
  growing.mockRestore()
  // What has a right checksum and can be no header.
  const huge = new MemoryFile(encodeHeader({ ...newHeader(0), nextSlot: 2 ** 26 + 1 }))
  await expect(openJournal(huge)).rejects.toMatchObject({ code: 'AGIDB_CORRUPT', details: { offset: 48 } })
})

describe('an image of the journal', () => {
  async function imaged() {
    const { file } = await written([])
    const place = new MemoryFile()
    const { journal } = await openJournal(file)
    await journal.append(COMMITS[0])
    await journal.append(COMMITS[1])
    await journal.keep(await CheckpointFile.open(place), [{ name: 'part', array: () => noise(1, 9) }])
    const kept = journal.end
    await journal.append(COMMITS[2])
    return { file, place, kept }
  }
  const open = async (file: MemoryFile, place: MemoryFile) => {
    const events: StorageEvent[] = []
    const journal = await Journal.open(
      file,
      (await readJournalHeader(file))!,
      async () => 'aside',
      (event) => events.push(event),
      await CheckpointFile.open(place),
    )
    const kept = new Map<number, Kept>()
    await journal.visit((episode) => kept.set(episode.slot, copyOf(episode)))
    return { journal, events, kept, used: journal.checkpoint !== undefined }
  }

  test('is taken over with what came after it, and is what the journal was', async () => {
    const { file, place, kept } = await imaged()
    const scanned = await openJournal(file)
    const loaded = await open(file, place)
    expect([loaded.used, loaded.events, loaded.journal.end]).toEqual([true, [], scanned.journal.end])
    expect(listed(loaded.kept)).toEqual(listed(modelOf(...COMMITS)))
    expect(loaded.journal.checkpoint!.base).toMatchObject({
      ...kept,
      epoch: 0,
      databaseId: scanned.journal.header.databaseId,
    })
    expect([loaded.journal.isAt(loaded.journal.checkpoint!.base!), loaded.journal.garbage]).toEqual([
      false,
      scanned.journal.garbage,
    ])
    // Where nothing came after it, the place is known all the same.
    await loaded.journal.keep(await CheckpointFile.open(place), [])
    const again = await open(file, place)
    expect([again.used, again.journal.isAt(again.journal.checkpoint!.base!), listed(again.kept)]).toEqual([
      true,
      true,
      listed(loaded.kept),
    ])
  })

  test('of another database, epoch or commit, or with a damaged part, is not used', async () => {
    const { file, place, kept } = await imaged()
    const header = (await readJournalHeader(file))!
    for (const other of [
      { ...header, epoch: 1 },
      { ...header, databaseId: 'ab'.repeat(16) },
    ]) {
      const elsewhere = new MemoryFile()
      await writeHeader(elsewhere, other)
      const journal = (await openJournal(elsewhere)).journal
      for (const commit of COMMITS) await journal.append(commit)
      expect(await open(elsewhere, place)).toMatchObject({ used: false, events: [] })
    }
    const same = new MemoryFile(encodeHeader(header))
    const { journal } = await openJournal(same)
    await journal.append(COMMITS[0])
    await journal.append([{ ...COMMITS[1][0], id: 'ep_9' } as StorageChange, ...COMMITS[1].slice(1)])
    expect(await open(same, place)).toMatchObject({ used: false, events: [] })
    // The last commit of the image is not whole any more, though its beginning is there.
    const cut = await open(new MemoryFile(file.content().subarray(0, kept.at - 1)), place)
    expect([cut.used, cut.events.map(({ kind }) => kind), listed(cut.kept)]).toEqual([
      false,
      ['torn-tail'],
      listed(modelOf(COMMITS[0])),
    ])
    const whole = await open(new MemoryFile(file.content().subarray(0, kept.at)), place)
    expect([whole.used, listed(whole.kept)]).toEqual([true, listed(modelOf(...COMMITS.slice(0, 2)))])
    const damaged = place.content()
    const puts = Buffer.from(damaged).indexOf(Buffer.from(Float64Array.of(64 + 36).buffer))
    damaged[puts] ^= 1
    const scanned = await open(file, new MemoryFile(damaged))
    expect([scanned.used, listed(scanned.kept)]).toEqual([false, listed(modelOf(...COMMITS))])
  })
})

test.skipIf(quick)(
  'opening reads each entry that counts once, and signs that were replaced hardly at all',
  async () => {
    const latents = (from: number): StorageChange[] =>
      puts(0, 400).map(({ slot }) => sign(slot, { latent: noise(slot + from, 1032) }))
    const visiting = async (commits: StorageChange[][]): Promise<{ read: number; bytes: number; reads: number }> => {
      const { file } = await written(commits)
      const { journal } = await openJournal(file)
      const before = [file.bytesRead, file.reads]
      await journal.visit(() => undefined)
      return { read: file.bytesRead - before[0], bytes: journal.bytes, reads: file.reads - before[1] }
    }
    const plain = await visiting([puts(0, 400)])
    expect(plain.read).toBeLessThanOrEqual(plain.bytes - 64)
    expect(plain.reads).toBeLessThanOrEqual(2)
    const signed = await visiting([puts(0, 400), latents(1000)])
    expect(signed.read).toBeLessThanOrEqual(signed.bytes - 64)
    expect(signed.reads).toBeLessThanOrEqual(4)
    const twice = await visiting([puts(0, 400), latents(1000), latents(2000)])
    expect(twice.read).toBe(signed.read)
    // Each signed right after it was put, as when they come one by one.
    const each = await visiting(puts(0, 400).flatMap((change, index) => [[change], [latents(1000)[index]]]))
    expect(each.read).toBeLessThanOrEqual(each.bytes - 64)
  },
)

test.skipIf(quick)('other work of the thread goes on while a journal is opened', async () => {
  const { file } = await written([
    puts(0, 1),
    [put(1, 5_000_000)],
    ...Array.from({ length: 5 }, (_, index) => [put(index + 2, 1_000_000)]),
  ])
  file.readMs = 10
  const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
    let turns = 0
    let working = true
    const tick = (): unknown => working && setTimeout(() => (turns++, tick()), 0)
    tick()
    await work().finally(() => (working = false))
    return turns
  }
  const header = (await readJournalHeader(file))!
  const keep: KeepDamagedTail = async () => ''
  let journal: Journal
  expect(
    await turnsDuring(async () => (journal = await Journal.open(file, header, keep, () => undefined))),
  ).toBeGreaterThanOrEqual(4)
  expect(await turnsDuring(() => journal.visit(() => undefined))).toBeGreaterThanOrEqual(4)
  // The search for a later frame, too.
  const damaged = new MemoryFile(file.content().with(64 + 2500, 1 ^ file.content()[64 + 2500]))
  damaged.readMs = 10
  expect(
    await turnsDuring(() => Journal.open(damaged, header, keep, () => undefined).catch(() => undefined)),
  ).toBeGreaterThanOrEqual(1)
})
