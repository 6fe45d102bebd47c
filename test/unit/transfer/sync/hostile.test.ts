import { expect, test } from 'vitest'
import type { Agidb } from '../../../../src/api/agidb.js'
import { crc32c } from '../../../../src/base/crc32c.js'
import { decodeUtf8, encodeUtf8 } from '../../../../src/base/utf8.js'
import { listed, NOW, openMemory } from '../../engine/open.js'

const HEADER = 32

/** The parts of changes, to be put together otherwise. */
function taken(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = view.getUint32(16, true)
  const json = JSON.parse(decodeUtf8(bytes.subarray(HEADER, HEADER + length))) as Parts
  return { header: bytes.slice(0, HEADER), json, rows: bytes.slice(HEADER + length) }
}

interface Parts {
  device: string
  vector: Record<string, number>
  records: { id: string; counter: number; stamp: string; birth: string; bytes: number }[]
  removals: { hash: string; stamp: string; counter: number }[]
}

/** Bytes with a right checksum, whatever they say. */
function put(header: Uint8Array, json: string, rows: Uint8Array): Uint8Array {
  const text = encodeUtf8(json)
  const bytes = new Uint8Array(HEADER + text.length + rows.length)
  bytes.set(header.subarray(0, 16))
  const view = new DataView(bytes.buffer)
  view.setUint32(16, text.length, true)
  view.setUint32(20, rows.length, true)
  bytes.set(text, HEADER)
  bytes.set(rows, HEADER + text.length)
  view.setUint32(28, crc32c(bytes), true)
  return bytes
}

/** Changes of a memory with three episodes, one of which is unlearned. */
async function made(): Promise<Uint8Array> {
  let now = NOW
  const db = await openMemory({ seed: 7, clock: () => (now += 1000) })
  await db.observe('The office is in Oslo.', { id: 'office' })
  await db.observe('The dentist is on Hill Road.')
  const gone = await db.observe('The code is 1234.')
  await db.changes()
  await db.unlearn({ episode: gone }, 'secret')
  const { bytes } = await db.changes()
  await db.close()
  return bytes
}

/** Changes that say something else than they should. */
function forged(bytes: Uint8Array, change: (parts: Parts) => void): Uint8Array {
  const { header, json, rows } = taken(bytes)
  change(json)
  return put(header, JSON.stringify(json), rows)
}

function withByte(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const other = bytes.slice()
  other[at] = value
  return other
}

const OTHER = '00000000000000ff'

/** Each hostile change with the code of its refusal. */
const ATTACKS: readonly (readonly [string, string, (bytes: Uint8Array) => Uint8Array])[] = [
  ['of no bytes', 'AGIDB_FOREIGN_FILE', () => new Uint8Array(0)],
  ['of something else', 'AGIDB_FOREIGN_FILE', () => encodeUtf8('{"id":"x","text":"an episode"}')],
  ['of 10 MB of noise', 'AGIDB_FOREIGN_FILE', () => new Uint8Array(10_000_000).map((_, i) => (i * 7919) % 251)],
  ['of 10 MB of zeros after a right magic', 'AGIDB_CORRUPT', (b) => padded(b.subarray(0, 8), 10_000_000)],
  ['that are too large', 'AGIDB_TOO_LARGE', (b) => padded(b, 2 ** 26 + 1)],
  ['cut short in the header', 'AGIDB_CORRUPT', (b) => b.subarray(0, 20)],
  ['cut short in a row', 'AGIDB_CORRUPT', (b) => b.subarray(0, b.length - 3)],
  ['with a flipped bit', 'AGIDB_CORRUPT', (b) => withByte(b, b.length - 5, b[b.length - 5] ^ 1)],
  ['of a newer version', 'AGIDB_NEWER_FORMAT', (b) => withByte(b, 8, 9)],
  ['of another encoder', 'AGIDB_SYNC', (b) => sealed(withByte(b, 12, 200))],
  ['that are no JSON', 'AGIDB_CORRUPT', (b) => put(taken(b).header, '{"device":', taken(b).rows)],
  ['nested deeply', 'AGIDB_CORRUPT', (b) => put(taken(b).header, '['.repeat(5e4) + ']'.repeat(5e4), taken(b).rows)],
  ['with a key of all objects', 'AGIDB_CORRUPT', (b) => put(taken(b).header, '{"__proto__":{}}', taken(b).rows)],
  ['with a negative length', 'AGIDB_CORRUPT', (b) => forged(b, ({ records }) => void (records[0].bytes = -1))],
  ['with a length over the end', 'AGIDB_CORRUPT', (b) => forged(b, ({ records }) => void (records[1].bytes = 1e9))],
  ['with a row left out', 'AGIDB_CORRUPT', (b) => forged(b, ({ records }) => void records.pop())],
  ['with another id', 'AGIDB_CORRUPT', (b) => forged(b, ({ records }) => void (records[0].id = 'x'))],
  ['with a stamp that is none', 'AGIDB_CORRUPT', (b) => forged(b, ({ records }) => void (records[0].stamp = 'now'))],
  ['with a birth that is none', 'AGIDB_CORRUPT', (b) => forged(b, ({ records }) => void (records[0].birth += '~'))],
  ['with a hash that is none', 'AGIDB_CORRUPT', (b) => forged(b, ({ removals }) => void (removals[0].hash = 'x'))],
  ['with a counter of zero', 'AGIDB_CORRUPT', (b) => forged(b, ({ records }) => void (records[0].counter = 0))],
  [
    'with a counter over the vector',
    'AGIDB_CORRUPT',
    (b) => forged(b, ({ records }) => void (records[0].counter = 99)),
  ],
  [
    'of a device that the vector lacks',
    'AGIDB_CORRUPT',
    (b) => forged(b, ({ records }) => void (records[0].stamp = records[0].stamp.slice(0, 16) + OTHER)),
  ],
  [
    'with two changes under one number',
    'AGIDB_CORRUPT',
    (b) => forged(b, ({ records }) => void (records[1].counter = records[0].counter)),
  ],
  [
    'of a clock that is days ahead',
    'AGIDB_SYNC',
    (b) =>
      forged(b, ({ records }) => {
        const ahead = (NOW + 3 * 86_400_000).toString(16).padStart(12, '0')
        records[0].stamp = ahead + records[0].stamp.slice(12)
      }),
  ],
  [
    'with a row of an unknown kind',
    'AGIDB_NEWER_FORMAT',
    (b) => put(taken(b).header, JSON.stringify(taken(b).json), withByte(taken(b).rows, 0, 29)),
  ],
  [
    'with a row that is not exchanged',
    'AGIDB_CORRUPT',
    (b) => put(taken(b).header, JSON.stringify(taken(b).json), withByte(taken(b).rows, 0, 3)),
  ],
]

function padded(bytes: Uint8Array, length: number): Uint8Array {
  const all = new Uint8Array(length)
  all.set(bytes.subarray(0, length))
  return all
}

/** With the checksum that belongs to the bytes. */
function sealed(bytes: Uint8Array): Uint8Array {
  const all = bytes.slice()
  const view = new DataView(all.buffer)
  view.setUint32(28, 0, true)
  view.setUint32(28, crc32c(all), true)
  return all
}

async function state(db: Agidb): Promise<unknown> {
  return { episodes: await listed(db), events: await db.whatDidILearn(0), vector: await db.versionVector() }
}

test.each(ATTACKS)('changes %s are refused with %s, and nothing is applied', async (_, code, attack) => {
  const bytes = await made()
  const db = await openMemory({ seed: 8, clock: () => NOW + 10_000 })
  await db.observe('Mine.', { id: 'office' })
  await db.changes()
  const before = await state(db)
  await expect(db.apply(attack(bytes))).rejects.toMatchObject({ code })
  expect(await state(db)).toEqual(before)
  expect(await db.apply(bytes)).toMatchObject({ added: 1, removed: 0 })
  await db.close()
})

test('changes of a device that bears the id of this one are refused', async () => {
  const db = await openMemory({ seed: 8 })
  await db.observe('Mine.')
  const own = await db.changes()
  await expect(db.apply(own)).rejects.toMatchObject({ code: 'AGIDB_SYNC' })
  const other = forged(await made(), ({ vector }) => void (vector[own.device] = 1_000))
  await expect(db.apply(other)).rejects.toMatchObject({ code: 'AGIDB_SYNC' })
  await db.close()
})

test.each([
  ['changes', [[]]],
  ['changes', [{ device: 1 }]],
  ['changes', [{}, { maxBytes: 1 }]],
  ['changes', [{}, { maxByte: 4096 }]],
  ['apply', [undefined]],
  ['apply', [{ bytes: 'x' }]],
] as const)('%s refuses %j', async (method, args) => {
  const db = await openMemory()
  const call = db[method].bind(db) as (...args: unknown[]) => Promise<unknown>
  await expect(call(...args)).rejects.toMatchObject({ code: expect.stringMatching(/^AGIDB_(INVALID|UNKNOWN)/) })
  await db.close()
})
