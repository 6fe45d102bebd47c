import fc from 'fast-check'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { joinBytes } from '../../../src/base/join-bytes.js'
import type { Agidb } from '../../../src/api/agidb.js'
import { AgidbError, type ErrorCode } from '../../../src/base/errors.js'
import { openEngine } from '../../../src/engine/whole.js'
import { crc32c } from '../../../src/base/crc32c.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import type { StoredEpisode } from '../../../src/api/storage.js'
import { toChunks } from '../../../src/transfer/chunks.js'
import { encodeContents } from '../../../src/transfer/contents.js'
import { encodeExportHeader, EXPORT_HEADER_BYTES } from '../../../src/transfer/header.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { countedKernel } from '../encoding/counted-kernel.js'
import { kernel } from '../encoding/kernel.js'
import { listed, NOW, openMemory, withFolder } from '../engine/open.js'
import { runs } from '../../runs.js'
import { altered } from '../storage/altered-adapter.js'
import { exported } from './exported.js'
import { everyFloor } from './floors.js'

const utf8 = new TextEncoder()
const source = await openMemory()
await everyFloor(source)
const plain = await exported(source)
const sealed = await exported(source, { passphrase: 'right' })

/** Refuses to import, with this code, and is afterwards what it was. */
async function expectRefused(bytes: unknown, code: ErrorCode | undefined, options: object = {}): Promise<AgidbError> {
  const db = await openMemory()
  await db.observe('It was here before.', { id: 'before' })
  const before = await exported(db)
  const error = await db.import(bytes as Uint8Array, { replace: true, ...options }).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(AgidbError)
  if (code !== undefined) expect((error as AgidbError).code).toBe(code)
  expect(await exported(db)).toEqual(before)
  expect((await db.recall('what was here?')).matches.map(({ id }) => id)).toEqual(['before'])
  await db.observe('It goes on.')
  await db.close()
  return error as AgidbError
}

/** An export of these rows, with every checksum right. */
async function forged(
  rows: readonly Partial<StoredEpisode>[],
  about: { readonly rows?: number } = {},
): Promise<Uint8Array> {
  const whole = rows.map(
    (row, slot): StoredEpisode => ({ slot, id: `r${slot}`, row: new Uint8Array(0), signatures: {}, ...row }),
  )
  const pieces = [encodeExportHeader({ isSealed: false })]
  const contents = encodeContents(
    { databaseId: '00'.repeat(16), exportedAt: 0, rows: rows.length, ...about },
    (async function* () {
      yield whole
    })(),
  )
  for await (const piece of toChunks(contents)) pieces.push(piece)
  return joinBytes(pieces)
}

const json = (value: string | object): Uint8Array =>
  utf8.encode(typeof value === 'string' ? value : JSON.stringify(value))
const event = (value: string | object): Uint8Array => joinBytes([Uint8Array.of(1), json(value)])
const time = '2026-05-01T19:00:00.000Z'
const episode = { id: 'r0', text: 'It was said.', at: time, recordedAt: time, writer: 'w' }
const goal = (number: number, more: object) => ({
  id: `r${number}`,
  kind: 'goalSet',
  at: time,
  goal: `g${number}`,
  description: 'd',
  successCriteria: [],
  completion: 'all',
  provenance: { writer: 'w', episodes: [] },
  ...more,
})

describe('an import is refused, and the memory stays as it was,', () => {
  test('when something is there and it is not to be replaced', async () => {
    const error = await expectRefused(plain, 'AGIDB_NOT_EMPTY', { replace: false })
    expect(error.message).toContain('replace: true')
  })

  test.each<[string, Uint8Array, ErrorCode]>([
    ['nothing', new Uint8Array(0), 'AGIDB_FOREIGN_FILE'],
    ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), 'AGIDB_FOREIGN_FILE'],
    [
      'a journal',
      new Uint8Array(readFileSync(new URL('../storage/fixtures/format-2.agidb', import.meta.url))),
      'AGIDB_FOREIGN_FILE',
    ],
    ['a newer format', changed(plain, (view) => view.setUint32(8, 3, true)), 'AGIDB_NEWER_FORMAT'],
    ['a damaged header', changed(plain, (view) => view.setUint8(20, 1)), 'AGIDB_CORRUPT'],
    ['half of a header', plain.subarray(0, 30), 'AGIDB_CORRUPT'],
    ['a header alone', plain.subarray(0, EXPORT_HEADER_BYTES), 'AGIDB_CORRUPT'],
    ['a byte that is missing', plain.subarray(0, -1), 'AGIDB_CORRUPT'],
    ['a byte too many', joinBytes([plain, Uint8Array.of(0)]), 'AGIDB_CORRUPT'],
    ['a changed byte', changed(plain, (view) => view.setUint8(5000, view.getUint8(5000) ^ 1)), 'AGIDB_CORRUPT'],
    [
      'a chunk of 4 GiB',
      changed(plain, (view) => view.setUint32(EXPORT_HEADER_BYTES + 4, 0xffff_ffff, true)),
      'AGIDB_CORRUPT',
    ],
    [
      'a thousand million rounds of key derivation',
      rechecked(changed(sealed, (view) => view.setUint32(20, 1e9, true))),
      'AGIDB_CORRUPT',
    ],
  ])('of %s', async (_, bytes, code) => {
    await expectRefused(bytes, code, bytes.length === sealed.length ? { passphrase: 'right' } : {})
  })

  test.each<[string, readonly Partial<StoredEpisode>[], ErrorCode]>([
    ['a row that is no JSON', [{ row: json('{"id": "r0"') }], 'AGIDB_CORRUPT'],
    [
      'a row with __proto__',
      [{ row: json(JSON.stringify({ ...episode }).replace('}', ', "__proto__": {"polluted": 1}}')) }],
      'AGIDB_CORRUPT',
    ],
    [
      'a row with constructor',
      [
        {
          row: json({
            ...episode,
            triples: [{ subject: 'a', predicate: 'b', object: 'c', constructor: { prototype: {} } }],
          }),
        },
      ],
      'AGIDB_CORRUPT',
    ],
    [
      'a row that is nested deeply',
      [{ row: json(`{"id":"r0","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) }],
      'AGIDB_CORRUPT',
    ],
    ['a text that is a number', [{ row: json({ ...episode, text: 5 }) }], 'AGIDB_CORRUPT'],
    ['a text that is too long', [{ row: json({ ...episode, text: 'x'.repeat(65_537) }) }], 'AGIDB_TOO_LARGE'],
    ['a time that is none', [{ row: json({ ...episode, at: '2026-02-31' }) }], 'AGIDB_CORRUPT'],
    ['a row under another id', [{ row: json({ ...episode, id: 'other' }) }], 'AGIDB_CORRUPT'],
    ['two rows with one id', [{ row: json(episode) }, { id: 'r0', row: json(episode) }], 'AGIDB_CORRUPT'],
    [
      'a signature of another length',
      [{ row: json(episode), encoder: 1, signatures: { text: new Uint8Array(10) } }],
      'AGIDB_CORRUPT',
    ],
    ['a row of an unknown kind', [{ row: Uint8Array.of(31, 1, 2, 3) }], 'AGIDB_NEWER_FORMAT'],
    ['an event of an unknown kind', [{ row: event({ id: 'r0', kind: 'x', at: time }) }], 'AGIDB_CORRUPT'],
    [
      'a belief without a claim',
      [
        {
          row: event({
            id: 'r0',
            kind: 'beliefAsserted',
            at: time,
            belief: 'b',
            confidence: 1,
            evidence: [],
            validFrom: time,
            provenance: { writer: 'w', episodes: [] },
          }),
        },
      ],
      'AGIDB_CORRUPT',
    ],
    [
      'goals that stand below each other',
      [
        { row: event(goal(0, {})) },
        { row: event(goal(1, { parent: 'g0' })) },
        { row: event({ id: 'r2', kind: 'goalRevised', at: time, goal: 'g0', changes: { parent: 'g1' } }) },
      ],
      'AGIDB_CORRUPT',
    ],
    ['a sensory frame that is cut short', [{ row: Uint8Array.of(2, 255, 255, 255, 255, 1) }], 'AGIDB_CORRUPT'],
  ])('of %s', async (_, rows, code) => {
    await expectRefused(await forged(rows), code)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('of another number of rows than it says', async () => {
    const rows = [{ row: json(episode) }, { row: json({ ...episode, id: 'r1' }) }]
    await expectRefused(await forged(rows, { rows: 3 }), 'AGIDB_CORRUPT')
    await expectRefused(await forged(rows, { rows: 1 }), 'AGIDB_CORRUPT')
    expect(await (await openMemory()).import(await forged(rows))).toMatchObject({ episodes: 2 })
  })

  test('of a row whose length exceeds what is left', async () => {
    const bytes = (await forged([{ row: json(episode) }])).slice()
    const at = EXPORT_HEADER_BYTES + 16 + 32 // header of the export, of the chunk, what it says of itself
    for (const length of [0xffff_ffff, 1 << 27]) {
      new DataView(bytes.buffer).setUint32(at, length, true)
      new DataView(bytes.buffer).setUint32(EXPORT_HEADER_BYTES, crc32c(bytes, EXPORT_HEADER_BYTES + 4), true)
      await expectRefused(bytes, 'AGIDB_CORRUPT')
    }
  })

  test('with no passphrase, a wrong one, or one too many', async () => {
    await expectRefused(sealed, 'AGIDB_PASSPHRASE')
    await expectRefused(sealed, 'AGIDB_PASSPHRASE', { passphrase: 'wrong' })
    await expectRefused(plain, 'AGIDB_PASSPHRASE', { passphrase: 'right' })
    await expectRefused(sealed, 'AGIDB_INVALID_ARGUMENT', { passphrase: '' })
    await expectRefused(sealed, 'AGIDB_UNKNOWN_OPTION', { passphrase: 'right', merge: true })
    await expectRefused(5, 'AGIDB_INVALID_ARGUMENT')
    await expectRefused({}, 'AGIDB_INVALID_ARGUMENT')
    await expectRefused(['text'], 'AGIDB_INVALID_ARGUMENT')
  })

  test.each<[string, string, ErrorCode]>([
    ['a line with __proto__', '{"text":"a"}\n{"text":"b","__proto__":{}}\n', 'AGIDB_TRANSCRIPT'],
    ['a line without text', '{"text":"a"}\n{"speaker":"b"}\n', 'AGIDB_TRANSCRIPT'],
    ['two lines with one id', '{"text":"a","id":"x"}\n{"text":"b","id":"x"}\n', 'AGIDB_DUPLICATE_ID'],
    ['a line that is none', '{"text":"a"}\nnothing', 'AGIDB_TRANSCRIPT'],
  ])('of JSON lines with %s', async (_, lines, code) => {
    await expectRefused(utf8.encode(lines), code)
  })

  test('of JSON lines with one of more than 16 MiB, whole or in pieces', async () => {
    const bytes = utf8.encode(`{"text":"a"}\n{"text":"${'x'.repeat(1 << 24)}"}\n{"text":"b"}\n`)
    const half = bytes.length / 2
    for (const source of [bytes, [bytes.subarray(0, half), bytes.subarray(half)]]) {
      const { details } = await expectRefused(source, 'AGIDB_TOO_LARGE')
      expect(details).toEqual({ limit: 1 << 24 })
    }
  })

  test('when the source fails, the signal fires or the caller throws in its midst', async () => {
    async function* failing() {
      yield plain.subarray(0, plain.length - 100)
      throw new TypeError('network error')
    }
    expect((await expectRefused(failing(), 'AGIDB_STORAGE')).message).toContain('network error')
    const stop = new AbortController()
    async function* stalling() {
      yield plain.subarray(0, plain.length - 100)
      stop.abort()
      await new Promise(() => {})
    }
    await expectRefused(stalling(), 'AGIDB_ABORTED', { signal: stop.signal })
    const db = await openMemory()
    await expect(
      db.import(plain, {
        onProgress: () => {
          throw new RangeError('mine')
        },
      }),
    ).rejects.toThrow('mine')
    expect(await listed(db)).toEqual([])
    await db.close()
  })
})

test('an import that cannot be committed gives back what its engine took of the kernel', async () => {
  const { kernel, held } = countedKernel()
  const storage = altered(memoryStorage(), ({ rows }) => ({
    rows: {
      ...rows,
      replace: (fill) =>
        rows.replace(async (add) => {
          await fill(add)
          throw new AgidbError('AGIDB_QUOTA', 'the disk is full')
        }),
    },
  }))
  const db = await openMemory({ kernel, storage })
  await everyFloor(db)
  const before = held()
  await expect(db.import(plain, { replace: true })).rejects.toMatchObject({ code: 'AGIDB_QUOTA' })
  expect(held()).toBe(before)
  expect((await db.recall('what was said?')).matches.length).toBeGreaterThan(0)
  await db.close()
  expect(held()).toBe(0)
})

describe('chunks of an encrypted export', () => {
  const memory = (): Promise<Uint8Array> => exported(source, { passphrase: 'right' })

  test('that are moved, left out, repeated or made the last do not decrypt', async () => {
    const db = await openMemory()
    await db.observeMany(Array.from({ length: 100 }, (_, i) => ({ text: `${i} ${'abc '.repeat(500)}` })))
    const bytes = await exported(db, { passphrase: 'right' })
    await db.close()
    const CHUNK = 16 + 65_536 + 16
    const header = bytes.subarray(0, EXPORT_HEADER_BYTES)
    const chunks: Uint8Array[] = []
    for (let at = EXPORT_HEADER_BYTES; at < bytes.length; at += CHUNK) chunks.push(bytes.subarray(at, at + CHUNK))
    expect(chunks.length).toBeGreaterThan(3)
    /** The chunk with a head that fits another place. */
    const placed = (chunk: Uint8Array, number: number, final: boolean): Uint8Array => {
      const copy = chunk.slice()
      const view = new DataView(copy.buffer)
      view.setUint32(8, number, true)
      view.setUint32(12, final ? 1 : 0, true)
      view.setUint32(0, crc32c(copy, 4), true)
      return copy
    }
    const [a, b, ...rest] = chunks
    const orders = {
      swapped: [a, placed(rest[0], 1, false), placed(b, 2, false), ...rest.slice(1)],
      'one left out': [a, ...rest.map((chunk, i) => placed(chunk, i + 1, i === rest.length - 1))],
      'made the last': [a, placed(b, 1, true)],
    }
    for (const order of Object.values(orders))
      await expectRefused(joinBytes([header, ...order]), 'AGIDB_CORRUPT', { passphrase: 'right' })
  })

  test('show nothing of what was said, and never twice the same', async () => {
    const [one, other] = [await memory(), await memory()]
    expect(new TextDecoder('latin1').decode(one)).not.toContain('Bawri')
    expect(new TextDecoder('latin1').decode(plain)).toContain('Bawri')
    expect(one.subarray(EXPORT_HEADER_BYTES + 16, 200)).not.toEqual(other.subarray(EXPORT_HEADER_BYTES + 16, 200))
  })
})

test('whatever byte is changed, cut or added, an import is refused and nothing changes', async () => {
  const db = await openMemory()
  await fc.assert(
    fc.asyncProperty(
      fc.nat(plain.length - 1),
      fc.integer({ min: 1, max: 255 }),
      fc.constantFrom('flip', 'cut', 'insert'),
      async (at, by, how) => {
        const bytes =
          how === 'cut'
            ? plain.subarray(0, at)
            : how === 'flip'
              ? changed(plain, (view) => view.setUint8(at, view.getUint8(at) ^ by))
              : joinBytes([plain.subarray(0, at), Uint8Array.of(by), plain.subarray(at)])
        const error = await db.import(bytes).then(
          () => undefined,
          (error: unknown) => error,
        )
        expect(error).toBeInstanceOf(AgidbError)
        expect((error as AgidbError).code).not.toBe('AGIDB_INTERNAL')
        expect((await db.stats()).episodes).toBe(0)
      },
    ),
    { numRuns: runs(100) },
  )
  await db.close()
})

test('a folder that is being imported into, and whose process dies, is what it was', async () => {
  await withFolder((path) =>
    withFolder(async (left) => {
      const open = (folder: string) => openEngine({ kernel, clock: () => NOW, seed: 1, storage: nodeStorage(folder) })
      const db: Agidb = await open(path)
      await db.observe('It was here before.')
      async function* seen() {
        yield plain.subarray(0, plain.length - 100)
        // What a process that is killed now leaves.
        cpSync(path, left, { recursive: true, filter: (name) => !/lock(\.[^/]*)?$/.test(name) })
        throw new Error('killed')
      }
      await expect(db.import(seen(), { replace: true })).rejects.toThrow('killed')
      expect(await listed(db)).toHaveLength(1)
      await db.observe('It goes on.')
      await db.close()
      for (const [folder, episodes] of [
        [left, 1],
        [path, 2],
      ] as const) {
        const again = await open(folder)
        expect(await listed(again)).toHaveLength(episodes)
        await again.import(plain, { replace: true })
        await again.observe('It goes on.')
        await again.close()
        const last = await open(folder)
        expect((await listed(last)).slice(0, -1)).toEqual(await listed(source))
        expect((await last.stats()).opening).toEqual([])
        await last.close()
        // What was given up is overwritten.
        for (const name of readdirSync(folder))
          expect(readFileSync(join(folder, name), 'latin1')).not.toContain('It was here before.')
      }
    }),
  )
})

function changed(bytes: Uint8Array, change: (view: DataView) => void): Uint8Array {
  const copy = bytes.slice()
  change(new DataView(copy.buffer))
  return copy
}

/** With the checksum of the header made right. */
function rechecked(bytes: Uint8Array): Uint8Array {
  return changed(bytes, (view) =>
    view.setUint32(EXPORT_HEADER_BYTES - 4, crc32c(bytes, 0, EXPORT_HEADER_BYTES - 4), true),
  )
}
