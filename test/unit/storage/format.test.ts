import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { encodeFrame, encodeHeader, newHeader } from '../../../src/storage/journal/frame.js'
import { Journal } from '../../../src/storage/journal/journal.js'
import { readJournalHeader } from '../../../src/storage/journal/journal-header.js'
import { crc32c } from '../../../src/base/crc32c.js'
import { copyOf, listed, noise, puts, sign, type Kept } from '../../../src/storage/contract/episodes.js'
import { quick } from '../../runs.js'
import { MemoryFile } from './memory-file.js'

// The layout of docs/format.md, written out by hand.
const DATABASE_ID = '00112233445566778899aabbccddeeff'
const HEADER = {
  version: 2,
  databaseId: DATABASE_ID,
  createdAt: 0x0198_0000_0001,
  baseLsn: 0x1_0000_0002,
  nextSlot: 3,
  epoch: 4,
}

const keepNothing = async (): Promise<string> => {
  throw new Error('there is no tail')
}

function bytes(...parts: (string | number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)),
  )
}

function checksum(of: Uint8Array): number[] {
  const value = crc32c(of)
  return [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff)
}

const id16 = Array.from({ length: 16 }, (_, index) => index * 0x11)

test('the header is laid out as documented', () => {
  const start = bytes(
    'AGIDBJNL',
    [2, 0, 0, 0],
    [64, 0, 0, 0],
    id16,
    [1, 0, 0, 0, 0x98, 1, 0, 0],
    [2, 0, 0, 0, 1, 0, 0, 0],
    [3, 0, 0, 0],
    [4, 0, 0, 0],
    [0, 0, 0, 0],
  )
  expect(encodeHeader(HEADER)).toEqual(bytes([...start], checksum(start)))
})

test('a frame is laid out as documented', () => {
  const signed = (...parts: (string | number[])[]): number[] => {
    const entry = bytes(...parts)
    return [...checksum(entry), ...entry]
  }
  const put = signed([1, 2], [2, 0], [5, 0, 0, 0], [3, 0, 0, 0], 'é', 'row')
  const signatures = [...[1, 9, 2, 0], 0xa1, 0xa2, ...[2, 9, 1, 0], 0xb1]
  const update = signed([2, 0], [1, 0], [6, 0, 0, 0], [1, 0, 0, 0], 'u', 'x')
  const remove = signed([3, 0], [1, 0], [7, 0, 0, 0], [0, 0, 0, 0], 'r')
  const sign = [
    ...signed([4, 2], [1, 0], [5, 0, 0, 0], [0, 0, 0, 0], 's'),
    ...[1, 7, 1, 0],
    0xc1,
    ...[4, 0, 2, 0],
    0xd1,
    0xd2,
  ]
  const latent = [...signed([1, 1], [1, 0], [8, 0, 0, 0], [0, 0, 0, 0], 'l'), ...[3, 0, 1, 0], 0xe1]
  const body = bytes([5, 0, 0, 0], put, signatures, update, remove, sign, latent)
  const rest = bytes([body.length, 0, 0, 0], [4, 0, 0, 0], [3, 0, 0, 0, 1, 0, 0, 0], id16.slice(0, 8), [...body])
  const frame = encodeFrame(HEADER, 0x1_0000_0003, [
    {
      op: 'put',
      slot: 5,
      id: 'é',
      row: bytes('row'),
      signatures: { text: bytes([0xa1, 0xa2]), structured: bytes([0xb1]) },
      encoder: 9,
    },
    { op: 'update', slot: 6, id: 'u', row: bytes('x') },
    { op: 'remove', slot: 7, id: 'r' },
    {
      op: 'setSignatures',
      slot: 5,
      id: 's',
      signatures: { sentence: bytes([0xd1, 0xd2]), text: bytes([0xc1]) },
      encoder: 7,
    },
    { op: 'put', slot: 8, id: 'l', row: bytes(), signatures: { latent: bytes([0xe1]) }, encoder: 7 },
  ])
  expect(frame.bytes).toEqual(bytes('AGFR', checksum(rest), [...rest]))
})

test('in a journal of version 5 a checksum of its signatures stands after each entry that has any', () => {
  const header = { ...HEADER, checked: true }
  expect(encodeHeader(header).slice(8, 16)).toEqual(bytes([5, 0, 0, 0], [64, 0, 0, 0]))
  const entry = bytes([1, 0x82], [1, 0], [5, 0, 0, 0], [3, 0, 0, 0], 'i', 'row')
  const signatures = bytes([1, 9, 2, 0], [0xa1, 0xa2], [2, 9, 1, 0], [0xb1])
  const remove = bytes([3, 0], [1, 0], [7, 0, 0, 0], [0, 0, 0, 0], 'r')
  const body = [
    ...bytes([2, 0, 0, 0], checksum(entry), [...entry], [...signatures], checksum(signatures), checksum(remove), [
      ...remove,
    ]),
  ]
  const frame = encodeFrame(header, 0x1_0000_0003, [
    {
      op: 'put',
      slot: 5,
      id: 'i',
      row: bytes('row'),
      signatures: { text: bytes([0xa1, 0xa2]), structured: bytes([0xb1]) },
      encoder: 9,
    },
    { op: 'remove', slot: 7, id: 'r' },
  ])
  expect([...frame.bytes.subarray(32)]).toEqual(body)
})

const fixture = (name: string): MemoryFile =>
  new MemoryFile(new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url))))

async function open(file: MemoryFile): Promise<{ journal: Journal; kept: Map<number, Kept>; events: unknown[] }> {
  const events: unknown[] = []
  const journal = await Journal.open(file, (await readJournalHeader(file))!, keepNothing, (event) => events.push(event))
  const kept = new Map<number, Kept>()
  await journal.visit((episode) => kept.set(episode.slot, copyOf(episode)))
  return { journal, kept, events }
}

function summary(kept: Map<number, Kept>): unknown[] {
  return [...kept].map(([slot, { id, row, text, structured, encoder }]) => {
    return [slot, id, new TextDecoder().decode(row), text?.length ?? 0, structured?.length ?? 0, encoder]
  })
}

const OLD_EPISODES = [
  [0, 'ep_zero', '{"text":"Houston, we’ve had a problem."}', 1024, 0, 0],
  [1, 'ep_one', '{"text":"changed"}', 1024, 1024, 0],
  [4, '日本語', '', 0, 0, undefined],
]

describe('a database that was written in format 1', () => {
  test('opens, from before encoders had versions', async () => {
    const file = fixture('format-1.agidb')
    const before = file.content()
    const { journal, kept, events } = await open(file)
    expect(journal.header).toEqual({
      version: 1,
      databaseId: DATABASE_ID,
      createdAt: 1_763_700_000_000,
      baseLsn: 0,
      nextSlot: 0,
      epoch: 0,
    })
    expect(summary(kept)).toEqual(OLD_EPISODES)
    expect([events, journal.nextSlot, journal.end.lsn]).toEqual([[], 6, 3])
    expect(file.content()).toEqual(before)
  })

  test('stays one for its old readers until something comes that they do not know', async () => {
    const signed = { signatures: { latent: noise(1, 1032) } }
    for (const news of [
      sign(0, signed.signatures),
      { op: 'put' as const, slot: 9, id: 'new', row: bytes('{}'), ...signed },
    ]) {
      const file = fixture('format-1.agidb')
      const { journal } = await open(file)
      await journal.append([
        ...puts(6, 1),
        { op: 'update', slot: 0, id: 'ep_zero', row: bytes('{}') },
        { op: 'remove', slot: 1, id: 'ep_one' },
      ])
      expect([file.content()[8], (await open(file)).journal.header.version]).toEqual([1, 1])
      const { at } = journal.end
      file.log.length = 0
      await journal.append([news])
      await journal.append([sign(0, { sentence: noise(2, 1032) })])
      expect(file.log).toEqual([
        'write at 0',
        'flush',
        `write at ${at}`,
        'flush',
        expect.stringMatching(/^write at \d+$/),
        'flush',
      ])
      const { at: next } = (await open(file)).journal.end
      expect(next).toBe(journal.end.at)
      const { journal: again, kept, events } = await open(file)
      expect([again.header, events]).toEqual([{ ...journal.header, version: 2 }, []])
      expect(kept.get(news.slot)?.latent).toEqual(noise(1, 1032))
      expect(kept.get(0)?.sentence).toEqual(noise(2, 1032))
    }
  })

  test.skipIf(quick)('of which a crash cut the upgrade short opens, wherever it cut', async () => {
    const old = fixture('format-1.agidb').content()
    const upgraded = fixture('format-1.agidb')
    await (await open(upgraded)).journal.append([sign(0, { latent: noise(1, 1032) })])
    const header = upgraded.content().subarray(0, 64)
    for (let at = 0; at <= 64; at++) {
      // The header reached the disk up to this byte, or from it on.
      for (const mixed of [
        [...header.subarray(0, at), ...old.subarray(at)],
        [...old.subarray(0, at), ...header.subarray(at), ...old.subarray(64)],
      ]) {
        const cut = new MemoryFile(Uint8Array.from(mixed))
        const { journal, kept, events } = await open(cut)
        expect([summary(kept), events]).toEqual([OLD_EPISODES, []])
        await journal.append([sign(0, { latent: noise(1, 1032) })])
        expect(cut.content()).toEqual(upgraded.content())
      }
    }
  })

  test('and could not be upgraded keeps what it had, and is signed the next time', async () => {
    for (let call = 0; call < 4; call++) {
      const file = fixture('format-1.agidb')
      const before = file.content()
      const { journal } = await open(file)
      file.failAfter = call
      file.failures = 1
      await expect(journal.append([sign(0, { latent: noise(1, 1032) })])).rejects.toMatchObject({
        code: 'AGIDB_STORAGE',
      })
      file.failAfter = Infinity
      expect(file.content().slice(64)).toEqual(before.slice(64))
      expect(summary((await open(file)).kept)).toEqual(OLD_EPISODES)
      await journal.append([sign(0, { latent: noise(1, 1032) })])
      const again = await open(file)
      expect([again.journal.header.version, again.kept.get(0)?.latent]).toEqual([2, noise(1, 1032)])
    }
  })
})

test('a database that was written in format 2 opens with its latest signatures', async () => {
  const { journal, kept, events } = await open(fixture('format-2.agidb'))
  expect(journal.header).toEqual({
    version: 2,
    databaseId: DATABASE_ID,
    createdAt: 1_795_300_000_000,
    baseLsn: 0,
    nextSlot: 0,
    epoch: 0,
  })
  expect([events, journal.nextSlot, journal.end.lsn]).toEqual([[], 3, 3])
  const zero = {
    id: 'ep_zero',
    row: bytes('{"text":"Houston, we’ve had a problem."}'),
    text: noise(1, 1024),
    latent: noise(8, 1032),
    sentence: noise(6, 1032),
    encoder: 3,
  }
  const one = {
    id: 'ep_one',
    row: bytes('{"text":"changed"}'),
    text: noise(9, 1024),
    structured: noise(10, 1024),
    latent: noise(4, 1032),
    encoder: 4,
  }
  expect(listed(kept)).toEqual(
    listed(
      new Map<number, Kept>([
        [0, zero],
        [1, one],
      ]),
    ),
  )
})

test('a journal of format 6 is refused, whatever else is in it', async () => {
  for (const content of [
    fixture('format-2.agidb').content().with(8, 6),
    encodeHeader({ ...newHeader(0), checked: false, version: 6 }),
  ]) {
    const file = new MemoryFile(content)
    await expect(readJournalHeader(file)).rejects.toMatchObject({
      code: 'AGIDB_NEWER_FORMAT',
      details: { version: 6, supported: 5 },
    })
    expect(file.content()).toEqual(content)
  }
})
