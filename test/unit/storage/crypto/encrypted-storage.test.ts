import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StorageChange, StoredEpisode } from '../../../../src/api/storage.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { noise } from '../../../../src/storage/contract/episodes.js'
import { reference, wasm } from '../../kernel/kernels.js'
import { altered } from '../altered-adapter.js'
import { EncryptedFolder, encryptedStorage } from './places.js'

let folder: EncryptedFolder
beforeEach(() => (folder = new EncryptedFolder()))
afterEach(() => folder.remove())

const MARKER = 'a marker that nobody else writes'

const put = (slot: number, units: readonly string[], text = `${MARKER} ${slot}`): StorageChange => ({
  op: 'put',
  slot,
  id: `id-${slot}-${MARKER}`,
  row: new TextEncoder().encode(text),
  signatures: { text: noise(slot, 1024), latent: noise(slot + 1000, 1032) },
  encoder: 3,
  units,
})

async function opened(encryption?: Parameters<EncryptedFolder['storage']>[0], adapter = folder.storage(encryption)) {
  const visited: StoredEpisode[] = []
  const storage = await adapter.open((stored) => visited.push({ ...stored, row: stored.row.slice() }))
  return { storage, visited }
}

/** Commits in a session of its own. */
async function written(...changes: StorageChange[]): Promise<void> {
  const { storage } = await opened()
  await storage.rows.commit(changes)
  await storage.close()
}

const texts = (episodes: readonly { row: Uint8Array }[]) => episodes.map(({ row }) => new TextDecoder().decode(row))

/** Whether any file has these bytes. */
function found(bytes: Uint8Array | string): string[] {
  return [...folder.files()].flatMap(([name, content]) =>
    Buffer.from(content).includes(Buffer.from(bytes)) ? [name] : [],
  )
}

describe('an encrypted folder', () => {
  test('gives back what came in, whatever the rows, ids, units and signatures are', async () => {
    const signature = fc.uint8Array({ minLength: 1, maxLength: 1100 })
    const item = fc.record({
      id: fc.string({ maxLength: 40 }),
      row: fc.uint8Array({ maxLength: 900 }),
      units: fc.option(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), { nil: undefined }),
      signatures: fc.record({ text: signature, latent: signature, sentence: signature }, { requiredKeys: [] }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 12 }), async (items) => {
        const place = new EncryptedFolder()
        const puts = items.map((given, slot): StorageChange => ({ op: 'put', slot, ...given, encoder: 1 }))
        const first = await place.storage().open(() => {})
        await first.rows.commit(puts)
        await first.close()
        const visited: StoredEpisode[] = []
        const again = await place.storage(undefined).open(({ signatures, encoder: _, ...rest }) => {
          visited.push(structuredClone({ ...rest, signatures }))
        })
        const expected = items.map(({ units: _, ...rest }, slot) => ({ slot, ...rest }))
        expect(visited).toEqual(expected)
        expect((await again.rows.get(items.map((_, slot) => slot))).map((row) => new Uint8Array(row!))).toEqual(
          items.map(({ row }) => row),
        )
        const packed: Record<string, unknown>[] = []
        await again.signatures!.visitPacked(
          items.map((_, slot) => slot),
          (_, signatures) => {
            const kinds = Object.keys(items[packed.length].signatures)
            const entries = kinds.map((kind) => {
              const start = signatures.start(kind)
              return [kind, signatures.bytes.slice(start, start + signatures.length(kind))]
            })
            packed.push(Object.fromEntries(entries) as Record<string, unknown>)
          },
        )
        expect(packed).toEqual(items.map(({ signatures }) => signatures))
        await again.close()
        place.remove()
      }),
      { numRuns: 25 },
    )
  })

  test('holds no text, id or signature in clear in any file; one without encryption does', async () => {
    await written(put(0, ['session a']), put(1, ['session b']))
    const { storage } = await opened()
    await storage.rows.commit([{ op: 'update', slot: 0, id: 'x', row: new TextEncoder().encode(`${MARKER} new`) }])
    await storage.rows.commit([{ op: 'remove', slot: 1, id: MARKER }])
    await storage.checkpoint!.write([
      { name: 'a', array: () => new TextEncoder().encode(MARKER) },
      { name: 'b', array: () => new TextEncoder().encode(MARKER.repeat(90_000)), mark: MARKER },
    ])
    await storage.close()
    for (const secret of [MARKER, noise(0, 1024).subarray(0, 64), noise(1001, 1032).subarray(0, 64)])
      expect(found(secret)).toEqual([])
    folder.remove()
    folder = new EncryptedFolder()
    const plain = await opened('none')
    await plain.storage.rows.commit([put(0, ['session a'])])
    await plain.storage.close()
    for (const secret of [MARKER, noise(0, 1024).subarray(0, 64)]) expect(found(secret)).toEqual(['journal.agidb'])
  })

  test('refuses a flipped bit anywhere in a stored row as damage', async () => {
    await written(put(0, ['session a']))
    for (let byte = 0; byte < 200; byte += 7) {
      const broken = altered(nodeStorage(folder.path), ({ rows }) => ({
        rows: {
          ...rows,
          async get(slots) {
            const [row] = await rows.get(slots)
            const flipped = row!.slice()
            flipped[8 + (byte % (flipped.length - 8))] ^= 1 << (byte % 8)
            return [flipped]
          },
        },
      }))
      const setup = { cipher: wasm, unitsOf: () => ['memory'] }
      const { storage } = await opened(undefined, encryptedStorage(broken, setup))
      await expect(storage.rows.get([0])).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
      await storage.close()
    }
  })

  test('opens with either kernel', async () => {
    await written(put(0, ['session a']))
    const { storage, visited } = await opened(undefined, folder.storage(undefined, { cipher: reference }))
    expect(texts(visited)).toEqual([`${MARKER} 0`])
    await storage.rows.commit([put(1, ['session a'])])
    await storage.close()
    expect(texts((await closing(opened())).visited)).toEqual([`${MARKER} 0`, `${MARKER} 1`])
  })

  test('cannot be opened by a version that knows no encryption, nor without its keys, and stays as it is', async () => {
    await written(put(0, ['session a']))
    const files = folder.files()
    const rows: Uint8Array[] = []
    await (await nodeStorage(folder.path).open(({ row }) => rows.push(row.slice()))).close()
    expect(rows[0][0]).toBe(31) // a tag that no version knows: AGIDB_NEWER_FORMAT
    const journal = files.get('journal.agidb')!
    folder.remove()
    folder = new EncryptedFolder()
    folder.restore(new Map([['journal.agidb', journal]]))
    for (const encryption of [undefined, 'keys-beside'] as const)
      await expect(opened(undefined, folder.storage(encryption))).rejects.toMatchObject({
        code: 'AGIDB_CORRUPT',
        message: expect.stringMatching(/keys\.agidb/),
      })
    expect(folder.files().get('journal.agidb')).toEqual(journal)
    expect([...folder.files().keys()]).not.toContain('keys.agidb')
  })

  test('begun without encryption opens as before; its rows are encrypted when they are written anew', async () => {
    const plain = await opened('none')
    await plain.storage.rows.commit([put(0, ['session a']), put(1, ['session a']), put(2, ['session b'])])
    expect((await plain.storage.stats()).encryption).toMatchObject({ kind: 'none', keys: 0 })
    await plain.storage.close()
    const { storage, visited } = await opened()
    expect(texts(visited)).toEqual([0, 1, 2].map((slot) => `${MARKER} ${slot}`))
    await storage.rows.commit([
      { op: 'update', slot: 0, id: 'id-0', row: new TextEncoder().encode('new'), units: ['u'] },
    ])
    await storage.rows.commit([{ op: 'setSignatures', slot: 1, id: 'id-1', signatures: { sentence: noise(9, 1032) } }])
    expect((await storage.rows.read([0, 1])).map(({ signatures }) => Object.keys(signatures))).toEqual([
      ['text', 'latent'],
      ['text', 'latent', 'sentence'],
    ])
    await storage.maintenance!.compact()
    expect((await storage.rows.read([1]))[0].signatures.sentence).toEqual(noise(9, 1032))
    await storage.close()
    expect(found(MARKER)).toEqual([])
    expect(texts((await closing(opened())).visited)).toEqual(['new', `${MARKER} 1`, `${MARKER} 2`])
  })

  test('says how it is encrypted', async () => {
    const { storage } = await opened()
    await storage.rows.commit([put(0, ['a']), put(1, ['b']), put(2, ['a', 'b'])])
    expect((await storage.stats()).encryption).toMatchObject({ kind: 'keys-beside', keys: 2 })
    await storage.close()
  })

  test('gets another secret without a change to its rows', async () => {
    await written(put(0, ['a']))
    const journal = folder.files().get('journal.agidb')
    const key = { key: noise(1, 32) }
    await expect(opened({ ...key })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await closing(opened({ ...key, replaces: 'keys-beside' }))
    await expect(opened(undefined, folder.storage(undefined))).rejects.toMatchObject({ code: 'AGIDB_PASSPHRASE' })
    const next = { key: noise(2, 32) }
    await expect(opened(next)).rejects.toMatchObject({ code: 'AGIDB_PASSPHRASE' })
    await closing(opened({ ...next, replaces: key }))
    await expect(opened(key)).rejects.toMatchObject({ code: 'AGIDB_PASSPHRASE' })
    expect(texts((await closing(opened({ ...next, replaces: key }))).visited)).toEqual([`${MARKER} 0`])
    expect(folder.files().get('journal.agidb')).toEqual(journal)
  })

  test('keeps its secret where it is only read, also by who names one that is to replace it', async () => {
    await written(put(0, ['a']))
    const [first, next] = [{ key: noise(1, 32) }, { key: noise(2, 32) }]
    const read = (encryption: Parameters<EncryptedFolder['storage']>[0]) =>
      closing(opened(encryption, folder.storage(encryption, { readOnly: true })))
    for (const [secret, replaces] of [
      [first, 'keys-beside'],
      [next, first],
    ] as const) {
      const files = folder.files()
      expect(texts((await read({ ...secret, replaces })).visited)).toEqual([`${MARKER} 0`])
      expect(folder.files()).toEqual(files)
      await closing(opened({ ...secret, replaces }))
    }
  })

  test('is not opened without encryption when that was asked for', async () => {
    await written(put(0, ['a']))
    await expect(opened('none')).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })

  test('is refused where there is no place for keys', async () => {
    const setup = { cipher: wasm, unitsOf: () => ['memory'] }
    const open = (encryption?: 'keys-beside') =>
      opened(undefined, encryptedStorage(memoryStorage(), { ...setup, encryption }))
    await expect(open('keys-beside')).rejects.toMatchObject({ code: 'AGIDB_UNSUPPORTED' })
    const { storage } = await open()
    expect((await storage.stats()).encryption).toMatchObject({
      kind: 'none',
      reason: 'this place has no file for keys',
    })
    await storage.close()
  })
})

/** The same, closed. */
async function closing(opening: ReturnType<typeof opened>): ReturnType<typeof opened> {
  const { storage, visited } = await opening
  await storage.close()
  return { storage, visited }
}
