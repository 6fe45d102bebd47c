import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { encodeFrame, encodeHeader } from '../../src/storage/frame.js'
import { Journal, readHeader } from '../../src/storage/journal.js'
import { crc32c } from '../../src/storage/crc32c.js'
import { MemoryFile } from './memory-file.js'

// The layout of docs/format.md, written out by hand.
const DATABASE_ID = '00112233445566778899aabbccddeeff'
const HEADER = { version: 2, databaseId: DATABASE_ID, createdAt: 0x0198_0000_0001, baseLsn: 0x1_0000_0002, nextSlot: 3, epoch: 4 }

const keepNothing = async (): Promise<string> => {
  throw new Error('there is no tail')
}

function bytes(...parts: (string | number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)))
}

function checksum(of: Uint8Array): number[] {
  const value = crc32c(of)
  return [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff)
}

const id16 = Array.from({ length: 16 }, (_, index) => index * 0x11)

test('the header is laid out as documented', () => {
  const start = bytes('AGIDBJNL', [2, 0, 0, 0], [64, 0, 0, 0], id16, [1, 0, 0, 0, 0x98, 1, 0, 0], [2, 0, 0, 0, 1, 0, 0, 0], [3, 0, 0, 0], [4, 0, 0, 0], [0, 0, 0, 0])
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
  const body = bytes([3, 0, 0, 0], put, signatures, update, remove)
  const rest = bytes([body.length, 0, 0, 0], [4, 0, 0, 0], [3, 0, 0, 0, 1, 0, 0, 0], id16.slice(0, 8), [...body])
  const frame = encodeFrame(HEADER, 0x1_0000_0003, [
    { op: 'put', slot: 5, id: 'é', row: bytes('row'), signatures: { text: bytes([0xa1, 0xa2]), structured: bytes([0xb1]) }, encoder: 9 },
    { op: 'update', slot: 6, id: 'u', row: bytes('x') },
    { op: 'remove', slot: 7, id: 'r' },
  ])
  expect(frame.bytes).toEqual(bytes('AGFR', checksum(rest), [...rest]))
})

test('a database that was written in format 1, before encoders had versions, opens', async () => {
  const file = new MemoryFile(readFileSync(new URL('fixtures/format-1.agidb', import.meta.url)))
  const header = await readHeader(file)
  expect(header).toEqual({ version: 1, databaseId: DATABASE_ID, createdAt: 1_763_700_000_000, baseLsn: 0, nextSlot: 0, epoch: 0 })
  const events: unknown[] = []
  const journal = await Journal.open(file, header!, keepNothing, (event) => events.push(event))
  const found: unknown[] = []
  await journal.visit(({ slot, id, row, signatures: { text, structured }, encoder }) => {
    found.push([slot, id, new TextDecoder().decode(row), text?.length ?? 0, structured?.length ?? 0, encoder])
  })
  expect(found).toEqual([
    [0, 'ep_zero', '{"text":"Houston, we’ve had a problem."}', 1024, 0, 0],
    [1, 'ep_one', '{"text":"changed"}', 1024, 1024, 0],
    [4, '日本語', '', 0, 0, undefined],
  ])
  expect([events, journal.nextSlot, journal.end.lsn]).toEqual([[], 6, 3])
})
