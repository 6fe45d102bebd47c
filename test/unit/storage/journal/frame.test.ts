import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crc32c } from '../../../../src/base/crc32c.js'
import {
  corrupt,
  decodeHeader,
  encodeFrame,
  encodeHeader,
  encodeSeal,
  FRAME_HEADER_BYTES,
  frameChecksum,
  frameIsIntact,
  framesAt,
  isComplete,
  MAX_BODY_BYTES,
  newHeader,
  nextFrameMagic,
  ownerOf,
  readFrameHeader,
  type JournalHeader,
  type Seal,
} from '../../../../src/storage/journal/frame.js'
import { runs } from '../../../runs.js'

const HEADER: JournalHeader = {
  version: 3,
  databaseId: '00112233445566778899aabbccddeeff',
  createdAt: 1_800_000_000_000,
  baseLsn: 2 ** 33,
  nextSlot: 7,
  epoch: 4,
}
const SEAL: Seal = { lsn: 2 ** 33 + 5, at: 2 ** 34, of: 2 ** 35 }

/** A header with this at a place, and a checksum that is right. */
function forged(header: JournalHeader, at: number, value: number): Uint8Array {
  const bytes = encodeHeader(header)
  const view = new DataView(bytes.buffer)
  view.setUint32(at, value, true)
  view.setUint32(60, crc32c(bytes, 0, 60), true)
  return bytes
}

/** A header of version 3 with this after it. */
function withSeal(seal: Uint8Array, header = HEADER): Uint8Array {
  const bytes = encodeHeader(header)
  bytes.set(seal, 64)
  return bytes
}

function changed(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.with(at, bytes[at] ^ 0x10)
}

describe('a header', () => {
  test('comes back as it was written', () => {
    const header = fc.record({
      version: fc.constantFrom(1, 2, 3),
      databaseId: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex')),
      createdAt: fc.nat(2 ** 45),
      baseLsn: fc.nat(2 ** 45),
      nextSlot: fc.nat(2 ** 26),
      epoch: fc.nat(2 ** 31),
      flags: fc.constantFrom({}, { unfinished: true }, { compacted: true }, { unfinished: true, compacted: true }),
    })
    fc.assert(
      fc.property(header, ({ flags, ...rest }) => {
        expect(decodeHeader(encodeHeader({ ...rest, ...flags }), 'it')).toEqual({ ...rest, ...flags })
      }),
      { numRuns: Math.max(20, runs(200)) },
    )
  })

  test('begins where its frames do not', () => {
    expect([1, 2, 3].map((version) => framesAt({ ...HEADER, version }))).toEqual([64, 64, 128])
    expect([1, 2, 3].map((version) => encodeHeader({ ...HEADER, version }).length)).toEqual([64, 64, 128])
  })

  test('of a new database has a random id, and nothing before it', () => {
    const [one, two] = [newHeader(5), newHeader(5)]
    expect(one).toEqual({
      version: 2,
      databaseId: expect.stringMatching(/^[0-9a-f]{32}$/),
      createdAt: 5,
      baseLsn: 0,
      nextSlot: 0,
      epoch: 0,
      checked: true,
    })
    expect(one.databaseId).not.toBe(two.databaseId)
  })

  test('counts when it is complete: with a seal, or in earlier versions without a flag', () => {
    const complete = (more: Partial<JournalHeader>): boolean => isComplete({ ...HEADER, ...more })
    expect([complete({}), complete({ seal: SEAL }), complete({ seal: SEAL, unfinished: true })]).toEqual([
      false,
      true,
      true,
    ])
    expect([complete({ version: 2 }), complete({ version: 2, unfinished: true }), complete({ version: 1 })]).toEqual([
      true,
      false,
      true,
    ])
  })

  test('that is cut short is none, as far as it goes that of a journal', () => {
    const bytes = encodeHeader({ ...HEADER, version: 2 })
    for (let length = 0; length < 64; length++) {
      expect(decodeHeader(bytes.subarray(0, length), 'it'), `${length}`).toBeUndefined()
      if (length === 0) continue
      const damage = () => decodeHeader(changed(bytes, Math.min(length - 1, 7)).subarray(0, length), 'it')
      expect(damage, `${length}`).toThrow(
        expect.objectContaining({ code: 'AGIDB_FOREIGN_FILE', details: { file: 'it' } }),
      )
    }
    expect(() => decodeHeader(forged(HEADER, 8, 6).subarray(0, 12), 'it')).toThrow(
      expect.objectContaining({ code: 'AGIDB_NEWER_FORMAT' }),
    )
    expect(decodeHeader(forged(HEADER, 8, 6).subarray(0, 11), 'it')).toBeUndefined()
  })

  test('that is damaged anywhere is refused', () => {
    for (const { version, checked } of [
      { version: 1 },
      { version: 2 },
      { version: 3 },
      { version: 2, checked: true },
      { version: 3, checked: true },
    ]) {
      const bytes = encodeHeader({ ...HEADER, version, checked })
      for (let at = 8; at < 64; at++) {
        const code = at >= 8 && at < 12 ? expect.stringMatching(/AGIDB_(NEWER_FORMAT|CORRUPT)/) : 'AGIDB_CORRUPT'
        expect(() => decodeHeader(changed(bytes, at), 'it'), `version ${version}, ${checked}, byte ${at}`).toThrow(
          expect.objectContaining({ code }),
        )
      }
    }
  })

  test('of a version or a length that does not exist is refused, whatever its checksum', () => {
    const refused = (at: number, value: number, code: string, header = HEADER): void =>
      expect(() => decodeHeader(forged(header, at, value), 'it')).toThrow(expect.objectContaining({ code }))
    refused(8, 0, 'AGIDB_CORRUPT', { ...HEADER, version: 2 })
    refused(8, 6, 'AGIDB_NEWER_FORMAT')
    refused(12, 64, 'AGIDB_CORRUPT')
    refused(12, 128, 'AGIDB_CORRUPT', { ...HEADER, version: 2 })
    refused(12, 0, 'AGIDB_CORRUPT', { ...HEADER, version: 1 })
  })

  test('of which the upgrade was cut short is of the lower version; from version 3 there is no upgrade', () => {
    const of = (version: number): Uint8Array => encodeHeader({ ...HEADER, version }).slice(0, 64)
    const mixed = (version: number, checksumOf: number): Uint8Array =>
      new Uint8Array([...of(version).subarray(0, 60), ...of(checksumOf).subarray(60)])
    expect(decodeHeader(mixed(2, 1), 'it')).toMatchObject({ version: 1 })
    expect(decodeHeader(mixed(1, 2), 'it')).toMatchObject({ version: 1 })
    for (const [version, checksumOf] of [
      [3, 2],
      [3, 1],
      [2, 3],
      [1, 3],
    ]) {
      expect(
        () => decodeHeader(mixed(version, checksumOf), 'it'),
        `${version} with a checksum of ${checksumOf}`,
      ).toThrow(expect.objectContaining({ code: 'AGIDB_CORRUPT' }))
    }
  })
})

test('a header of version 5 fits journals with and without a seal; a flipped bit of the version is detected', () => {
  for (const version of [2, 3]) {
    const bytes = encodeHeader({ ...HEADER, version, checked: true })
    expect([bytes[8], decodeHeader(bytes, 'it')]).toEqual([5, { ...HEADER, version, checked: true }])
    for (const bit of [0, 1, 2, 3]) {
      const damage = () => decodeHeader(bytes.with(8, 5 ^ (1 << bit)), 'it')
      expect(damage, `bit ${bit}`).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/AGIDB_(NEWER_FORMAT|CORRUPT)/) }),
      )
    }
  }
})

describe('a seal', () => {
  const seal = encodeSeal(HEADER, SEAL)

  test('comes back as it was written', () => {
    expect(seal.length).toBe(64)
    expect(decodeHeader(withSeal(seal), 'it')).toEqual({ ...HEADER, seal: SEAL })
  })

  test('does not count when any byte of it is another, when it is short, or of another epoch', () => {
    for (let at = 0; at < seal.length; at++)
      expect(decodeHeader(withSeal(changed(seal, at)), 'it'), `byte ${at}`).toEqual(HEADER)
    for (let length = 64; length < 128; length++)
      expect(decodeHeader(withSeal(seal).subarray(0, length), 'it'), `${length} bytes`).toEqual(HEADER)
    expect(decodeHeader(withSeal(encodeSeal({ ...HEADER, epoch: 3 }, SEAL)), 'it')).toEqual(HEADER)
    // A checksum that is right makes no seal of something else.
    const other = changed(seal, 1)
    expect(decodeHeader(withSeal(other), 'it')).toEqual(HEADER)
  })

  test('is laid out as documented', () => {
    const fields = [
      [4, 0, 0, 0],
      [0, 0, 0, 0],
      [5, 0, 0, 0, 2, 0, 0, 0],
      [0, 0, 0, 0, 4, 0, 0, 0],
      [0, 0, 0, 0, 8, 0, 0, 0],
      new Array<number>(24).fill(0),
    ].flat()
    const checksum = crc32c(Uint8Array.from(fields))
    const bytes = [
      ...new TextEncoder().encode('AGSL'),
      ...[0, 8, 16, 24].map((shift) => (checksum >>> shift) & 0xff),
      ...fields,
    ]
    expect([...encodeSeal(HEADER, SEAL)]).toEqual(bytes)
  })

  test('after a header of an earlier version is not one', () => {
    const bytes = new Uint8Array([...encodeHeader({ ...HEADER, version: 2 }), ...seal])
    expect(decodeHeader(bytes, 'it')).toEqual({ ...HEADER, version: 2 })
  })
})

describe('a frame', () => {
  const { bytes } = encodeFrame(HEADER, 2 ** 33 + 1, [{ op: 'remove', slot: 3, id: 'three' }])

  test("is this journal's by its epoch and its database, and has a length that can be", () => {
    expect(readFrameHeader(bytes, HEADER)).toEqual({ lsn: 2 ** 33 + 1, unflushed: 0, bytes: bytes.length })
    expect(readFrameHeader(bytes.subarray(0, FRAME_HEADER_BYTES), HEADER)).toEqual({
      lsn: 2 ** 33 + 1,
      unflushed: 0,
      bytes: bytes.length,
    })
    expect(readFrameHeader(bytes.subarray(0, FRAME_HEADER_BYTES - 1), HEADER)).toBeUndefined()
    expect(readFrameHeader(bytes, { ...HEADER, epoch: 5 })).toBeUndefined()
    expect(readFrameHeader(bytes, { ...HEADER, databaseId: `1${HEADER.databaseId.slice(1)}` })).toBeUndefined()
    expect(
      readFrameHeader(bytes, { ...HEADER, databaseId: `${HEADER.databaseId.slice(0, 16)}${'0'.repeat(16)}` }),
    ).toBeDefined()
    for (let at = 0; at < 4; at++) expect(readFrameHeader(changed(bytes, at), HEADER)).toBeUndefined()
    for (let at = 24; at < 32; at++) expect(readFrameHeader(changed(bytes, at), HEADER)).toBeUndefined()
  })

  test('says whose it is', () => {
    const owner = { databaseId: HEADER.databaseId.slice(0, 16), epoch: 4, lsn: 2 ** 33 + 1, bytes: bytes.length }
    expect(ownerOf(bytes)).toEqual(owner)
    expect(ownerOf(bytes.subarray(0, FRAME_HEADER_BYTES))).toEqual(owner)
    expect(ownerOf(bytes.subarray(0, FRAME_HEADER_BYTES - 1))).toBeUndefined()
    expect(ownerOf(changed(bytes, 0))).toBeUndefined()
  })

  test('is not longer than the longest', () => {
    const long = bytes.slice()
    const view = new DataView(long.buffer)
    view.setUint32(8, MAX_BODY_BYTES, true)
    expect([readFrameHeader(long, HEADER)?.bytes, ownerOf(long)?.bytes]).toEqual([
      MAX_BODY_BYTES + 32,
      MAX_BODY_BYTES + 32,
    ])
    view.setUint32(8, MAX_BODY_BYTES + 1, true)
    expect([readFrameHeader(long, HEADER), ownerOf(long)]).toEqual([undefined, undefined])
  })

  test('in the midst of other bytes is read all the same', () => {
    const inside = new Uint8Array(bytes.length + 40)
    inside.set(bytes, 13)
    const view = inside.subarray(13, 13 + bytes.length)
    expect(readFrameHeader(view, HEADER)).toEqual(readFrameHeader(bytes, HEADER))
    expect(ownerOf(view)).toEqual(ownerOf(bytes))
    expect([frameIsIntact(view), frameChecksum(view)]).toEqual([true, frameChecksum(bytes)])
    expect(decodeHeader(new Uint8Array([0, ...encodeHeader(HEADER)]).subarray(1), 'it')).toEqual(HEADER)
  })

  test('is intact only as it was written', () => {
    expect(frameIsIntact(bytes)).toBe(true)
    for (let at = 4; at < bytes.length; at++) expect(frameIsIntact(changed(bytes, at)), `byte ${at}`).toBe(false)
  })
})

test('frames are found where their first four bytes are, and nowhere else', () => {
  const magic = [...new TextEncoder().encode('AGFR')]
  const bytes = Uint8Array.from([...magic, 0, ...magic.slice(0, 3), ...magic, 0x41])
  expect([0, 1, 8, 9].map((from) => nextFrameMagic(bytes, from))).toEqual([0, 8, 8, -1])
  expect([nextFrameMagic(bytes, 1, 8), nextFrameMagic(bytes, 1, 9), nextFrameMagic(bytes, 0, 0)]).toEqual([-1, 8, -1])
  for (let wrong = 0; wrong < 4; wrong++) expect(nextFrameMagic(Uint8Array.from(magic).with(wrong, 0), 0)).toBe(-1)
})

test('a damaged file is named, with the place and the reason', () => {
  const error = corrupt('journal.agidb', 12, 'it is gone', 'why')
  expect(error).toMatchObject({ code: 'AGIDB_CORRUPT', details: { file: 'journal.agidb', offset: 12 }, cause: 'why' })
  expect(error.message).toMatch(/journal\.agidb .*byte 12: it is gone/)
})
