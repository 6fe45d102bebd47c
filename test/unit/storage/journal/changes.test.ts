import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crc32c } from '../../../../src/base/crc32c.js'
import {
  encodeChanges,
  entryChange,
  entryId,
  entryIsIntact,
  entryKinds,
  entrySignatures,
  formatOf,
  readEntries,
  readEntry,
  mergeSignatures,
} from '../../../../src/storage/journal/changes.js'
import type { StorageChange } from '../../../../src/api/storage.js'
import { noise } from '../../../../src/storage/contract/episodes.js'

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)
const put = (more: object): StorageChange => ({ op: 'put', slot: 1, id: 'a', row: bytes(1), signatures: {}, ...more })
const CHANGES: StorageChange[] = [
  put({
    slot: 70_000,
    id: 'é',
    row: noise(1, 20),
    signatures: { text: noise(2, 9), structured: noise(3, 5), latent: noise(4, 3) },
    encoder: 9,
  }),
  { op: 'update', slot: 2, id: 'b', row: noise(5, 7) },
  { op: 'remove', slot: 3, id: 'c' },
  { op: 'setSignatures', slot: 4, id: 'd', signatures: { sentence: noise(6, 4) } },
  put({ slot: 5, id: '', row: bytes(), signatures: {} }),
]
const corrupt = expect.objectContaining({ code: 'AGIDB_CORRUPT' })
const tooLarge = expect.objectContaining({ code: 'AGIDB_TOO_LARGE' })

test('changes come back as they were encoded, after the bytes that were left free', () => {
  for (const before of [0, 32]) {
    const { body, entries } = encodeChanges(CHANGES, before, 1000)
    expect([...body.subarray(0, before)]).toEqual(new Array<number>(before).fill(0))
    expect(readEntries(body, before)).toEqual(entries)
    expect(entries.map((entry) => entryChange(body, entry))).toEqual(CHANGES)
    expect(entries.map((entry) => entryId(body, entry))).toEqual(CHANGES.map(({ id }) => id))
    expect(entries.map((entry) => entryKinds(body, entry))).toEqual([
      ['text', 'structured', 'latent'],
      [],
      [],
      ['sentence'],
      [],
    ])
    const shifted = new Uint8Array(body.length + 5)
    shifted.set(body, 5)
    const view = shifted.subarray(5)
    expect(readEntries(view, before).map((entry) => entryChange(view, entry))).toEqual(CHANGES)
    expect(readEntries(view, before).map((entry) => entryIsIntact(view, entry))).toEqual(CHANGES.map(() => true))
  }
})

test('what is encoded into memory that was used before is the same', () => {
  for (const before of [0, 32]) {
    const { body } = encodeChanges(CHANGES, before, 1000)
    const used = noise(7, body.length + 20)
    const { body: again, entries } = encodeChanges(CHANGES, before, 1000, (size) => used.subarray(3, 3 + size))
    expect(again.subarray(before)).toEqual(body.subarray(before))
    expect(entries).toEqual(readEntries(body, before))
    expect([used[2], used[3 + body.length]]).toEqual([noise(7, 3)[2], noise(7, body.length + 20)[3 + body.length]])
  }
})

test('ids of any characters', () => {
  const unit = fc.constantFrom(
    'a',
    '~',
    '\x7f',
    '\x80',
    'é',
    '\u07ff',
    '\u0800',
    '記',
    '\ud7ff',
    '\ud83c',
    '\udf89',
    '\u{1f389}',
    '\ue000',
    '\uffff',
  )
  fc.assert(
    fc.property(
      fc.array(unit).map((units) => units.join('')),
      (id) => {
        const {
          body,
          entries: [entry],
        } = encodeChanges([put({ id })], 0, 1000)
        expect(body.subarray(entry.idAt, entry.rowAt)).toEqual(new TextEncoder().encode(id))
        expect(readEntries(body, 0)).toEqual([entry])
      },
    ),
  )
})

test('signs, and signatures that no encoder makes, need version 2', () => {
  expect(formatOf([])).toBe(1)
  expect(
    formatOf([
      put({ signatures: { text: bytes(1), structured: bytes(1) } }),
      { op: 'update', slot: 1, id: 'a', row: bytes() },
      { op: 'remove', slot: 1, id: 'a' },
    ]),
  ).toBe(1)
  for (const news of [
    put({ signatures: { latent: bytes(1) } }),
    put({ signatures: { sentence: bytes(1) } }),
    { op: 'setSignatures', slot: 1, id: 'a', signatures: {} } as const,
  ]) {
    expect(formatOf([put({}), news])).toBe(2)
    expect(formatOf([news, put({})])).toBe(2)
  }
})

test("a sign replaces signatures of its kinds, and the encoder where it has one of the encoder's", () => {
  const before = { signatures: { text: bytes(1), latent: bytes(2) }, encoder: 3 }
  expect(mergeSignatures(before, { signatures: { latent: bytes(4), sentence: bytes(5) }, encoder: 9 })).toEqual({
    signatures: { text: bytes(1), latent: bytes(4), sentence: bytes(5) },
    encoder: 3,
  })
  expect(mergeSignatures(before, { signatures: { structured: bytes(6) }, encoder: 9 })).toEqual({
    signatures: { text: bytes(1), latent: bytes(2), structured: bytes(6) },
    encoder: 9,
  })
  expect(mergeSignatures(before, { signatures: { text: bytes(6) } })).toEqual({
    signatures: { text: bytes(6), latent: bytes(2) },
    encoder: 0,
  })
})

describe('what is too large is refused', () => {
  test('a body over the limit', () => {
    const { body } = encodeChanges([put({})], 10, 1000)
    expect(encodeChanges([put({})], 10, body.length - 10).body).toEqual(body)
    expect(() => encodeChanges([put({})], 10, body.length - 11)).toThrow(
      expect.objectContaining({
        code: 'AGIDB_TOO_LARGE',
        details: { bytes: body.length - 10, limit: body.length - 11 },
      }),
    )
  })

  test('an id and a signature of over 65,535 bytes', () => {
    const longest = [put({ id: 'i'.repeat(65_535) }), put({ signatures: { text: new Uint8Array(65_535) } })]
    const { body, entries } = encodeChanges(longest, 0, 1e6)
    expect(entryId(body, entries[0]).length).toBe(65_535)
    expect(entrySignatures(body, readEntry(body, entries[1].at)).signatures.text!.length).toBe(65_535)
    expect(() => encodeChanges([put({ id: 'i'.repeat(65_536) })], 0, 1e6)).toThrow(tooLarge)
    expect(() => encodeChanges([put({ id: 'é'.repeat(32_768) })], 0, 1e6)).toThrow(tooLarge)
    expect(() => encodeChanges([put({ signatures: { latent: new Uint8Array(65_536) } })], 0, 1e6)).toThrow(tooLarge)
  })
})

describe('what is no entry is refused as corrupt', () => {
  const {
    body,
    entries: [entry],
  } = encodeChanges([CHANGES[0]], 0, 1000)

  test('when it is cut short anywhere', () => {
    for (let length = 0; length < body.length; length++) {
      expect(() => readEntries(body.subarray(0, length), 0), `${length} bytes`).toThrow(corrupt)
      const read = () => readEntry(body.subarray(0, length), 4, true)
      if (length < entry.signaturesAt) expect(read, `${length} bytes`).toThrow(corrupt)
      else expect(read()).toEqual({ ...entry, signaturesEnd: entry.signaturesAt, end: entry.signaturesAt })
      expect(() => readEntry(body.subarray(0, length), 4), `${length} bytes, whole`).toThrow(corrupt)
    }
    expect(() => readEntries(new Uint8Array([...body, 0]), 0)).toThrow(corrupt)
    expect(readEntries(new Uint8Array(4), 0)).toEqual([])
    const { body: empty } = encodeChanges([put({ signatures: { text: bytes() } })], 0, 1000)
    expect(readEntries(empty, 0).map((entry) => entrySignatures(empty, entry))).toEqual([
      { signatures: { text: bytes() }, encoder: 0 },
    ])
  })

  test('when its operation or a kind of signature is unknown', () => {
    for (const operation of [0, 5, 255]) expect(() => readEntry(body.with(4 + 4, operation), 4)).toThrow(corrupt)
    for (const kind of [0, 8, 255])
      expect(() => entrySignatures(body.with(entry.signaturesAt, kind), entry)).toThrow(corrupt)
  })

  test('when its id is no UTF-8', () => {
    expect(() => entryId(body.with(entry.idAt, 0xff), entry)).toThrow(corrupt)
  })

  test('when it has more signatures than it says, or fewer', () => {
    for (const count of [0, 2, 4]) expect(() => readEntries(body.with(4 + 5, count), 0), `${count}`).toThrow(corrupt)
  })
})

test('an entry is intact when its bytes up to the signatures are', () => {
  const {
    body,
    entries: [entry],
  } = encodeChanges([CHANGES[0]], 0, 1000)
  for (let at = entry.at; at < entry.end; at++)
    expect(entryIsIntact(body.with(at, body[at] ^ 1), entry), `byte ${at}`).toBe(at >= entry.signaturesAt)
})

test('of several encoders the oldest counts; those of other signatures do not', () => {
  const {
    body,
    entries: [entry],
  } = encodeChanges([CHANGES[0]], 0, 1000)
  const second = entry.signaturesAt + 4 + 9
  const third = second + 4 + 5
  expect([entry.signaturesAt, second, third].map((at) => body[at + 1])).toEqual([9, 9, 0])
  expect(entrySignatures(body.with(second + 1, 7), entry).encoder).toBe(7)
  expect(entrySignatures(body.with(second + 1, 12), entry).encoder).toBe(9)
  expect(entrySignatures(body.with(third + 1, 2), entry).encoder).toBe(9)
  expect(crc32c(body.subarray(entry.at + 4, entry.signaturesAt))).toBe(
    new DataView(body.buffer).getUint32(entry.at, true),
  )
})
