import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OpenedStorage, StorageChange } from '../../../../src/api/storage.js'
import { noise } from '../../../../src/storage/contract/episodes.js'
import { journalStorage } from '../../../../src/storage/journal/journal-storage.js'
import { KeyRing } from '../../../../src/storage/crypto/key-ring.js'
import { isSealed } from '../../../../src/storage/crypto/sealed.js'
import { Sealer } from '../../../../src/storage/crypto/sealer.js'
import { wasm } from '../../kernel/kernels.js'
import { MemoryFile } from '../memory-file.js'
import { type Disk, ModelFiles } from '../model-fs.js'
import { EncryptedFolder, encryptedStorage } from './places.js'

const text = (text: string) => new TextEncoder().encode(text)

const put = (slot: number, ...units: string[]): StorageChange => ({
  op: 'put',
  slot,
  id: `id ${slot}`,
  row: text(`row ${slot} of ${units.join(' and ')}`),
  signatures: { text: noise(slot, 1024) },
  encoder: 3,
  units,
})
const remove = (slot: number): StorageChange => ({ op: 'remove', slot, id: `id ${slot}` })

/** Two sessions, and an event that belongs to both. */
const ROWS = [put(0, 'a'), put(1, 'a'), put(2, 'b'), put(3, 'a', 'b')]
const CHECKPOINT = [{ name: 'texts', array: () => text('row 0 of a') }]

describe('erasing units of a folder', () => {
  let folder: EncryptedFolder
  beforeEach(() => (folder = new EncryptedFolder()))
  afterEach(() => folder.remove())

  test('leaves no key that reads an older copy of any file, and all live rows as they were', async () => {
    const storage = await folder.storage().open(() => {})
    await storage.rows.commit(ROWS)
    await storage.checkpoint!.write(CHECKPOINT)
    await storage.flush()
    const before = folder.files()
    await storage.erasure!.retire([1])
    await storage.rows.commit([remove(1)])
    await storage.erasure!.erase()
    expect(shown(await storage.rows.read([0, 2, 3]))).toEqual([shownRow(ROWS[0]), shownRow(ROWS[2]), shownRow(ROWS[3])])
    await storage.close()
    const after = folder.files()
    // All rows of unit a in the older journal, the combined one too, are of keys that are gone.
    expect(await readable(before, before)).toEqual(['row 0 of a', 'row 1 of a', 'row 2 of b', 'row 3 of a and b'])
    expect(await readable(before, after)).toEqual(['row 2 of b'])
    // And in the newer one, of which only the rest of the life before was not written anew.
    expect(await readable(after, after)).toEqual(['row 2 of b', 'row 0 of a', 'row 3 of a and b'])
    // The checkpoint, too, is of a key that is gone.
    for (const files of [before, after]) {
      folder.restore(new Map([['index.agidb', files.get('index.agidb')!]]))
      const seen: string[] = []
      const loader = {
        load: async (found: { parts(prefix: string): Promise<Map<string, unknown>> }) => {
          seen.push(...(await found.parts('')).keys())
          return false
        },
        reset: () => {},
        change: () => {},
        has: () => false,
      }
      await (await folder.storage().open(() => {}, loader)).close()
      expect(seen).toEqual([])
    }
  })

  test('reports rows of an older journal that was put back as erased, and not as damage', async () => {
    const storage = await folder.storage().open(() => {})
    await storage.rows.commit(ROWS)
    await storage.flush()
    const before = folder.files()
    await storage.erasure!.retire([1])
    await storage.rows.commit([remove(1)])
    await storage.erasure!.erase()
    await storage.close()
    folder.restore(new Map([['journal.agidb', before.get('journal.agidb')!]]))
    const visited: string[] = []
    const again = await folder.storage().open(({ row }) => visited.push(new TextDecoder().decode(row)))
    expect(visited).toEqual(['row 2 of b'])
    const { opening } = await again.stats()
    expect(opening).toContainEqual(expect.objectContaining({ kind: 'rows-erased', details: { rows: 3 } }))
    expect(await again.rows.slots()).toEqual([2])
    expect(await again.rows.get([0, 2, 3])).toEqual([undefined, text('row 2 of b'), undefined])
    expect(shown(await again.rows.read([0, 2, 3]))).toEqual([shownRow(ROWS[2])])
    await again.rows.commit([put(4, 'a')])
    expect(await again.rows.slots()).toEqual([2, 4])
    await again.close()
  })

  test('does nothing where no row was retired', async () => {
    const storage = await folder.storage().open(() => {})
    await storage.rows.commit(ROWS)
    const before = folder.files().get('keys.agidb')
    await storage.erasure!.erase()
    expect(folder.files().get('keys.agidb')).toEqual(before)
    await storage.close()
  })

  test('leaves nothing of a memory that was replaced', async () => {
    const storage = await folder.storage().open(() => {})
    await storage.rows.commit(ROWS)
    await storage.flush()
    const before = folder.files()
    await storage.rows.replace((add) => add([{ slot: 0, id: 'new', row: text('new'), signatures: {}, units: ['a'] }]))
    expect(await storage.rows.get([0])).toEqual([text('new')])
    await storage.close()
    // The unit that goes on keeps its key.
    expect(await readable(before, folder.files())).toEqual(['row 0 of a', 'row 1 of a'])
  })
})

describe('a crash', () => {
  const FILES = ['journal', 'journal-2', 'index', 'keys']

  const adapter = (files: ModelFiles) => {
    const [first, second, checkpoint, keys] = FILES.map((name) => files.file(name))
    const place = { journals: [first, second] as const, checkpoint, keys, keep: async () => 'aside', release: () => {} }
    return encryptedStorage(
      journalStorage('model', () => place),
      {
        cipher: wasm,
        unitsOf: () => ['memory'],
        encryption: 'keys-beside',
      },
    )
  }

  /** What a disk holds after a crash, opened. */
  async function rowsOn(disk: Disk): Promise<{ rows: string[]; erased: number }> {
    const rows: string[] = []
    const storage = await adapter(new ModelFiles(disk)).open(({ row }) => rows.push(new TextDecoder().decode(row)))
    const { opening } = await storage.stats()
    await storage.close()
    return { rows, erased: opening.filter(({ kind }) => kind === 'rows-erased').length }
  }

  /** Does something on a disk once for each of its calls to files, and lets that one and all after it fail. */
  async function eachCrash(
    disk: Disk,
    work: (storage: OpenedStorage) => Promise<unknown>,
    check: (disk: Disk) => Promise<void>,
  ): Promise<number> {
    for (let calls = 0; ; calls++) {
      const files = new ModelFiles(disk)
      const storage = await adapter(files).open(() => {})
      files.failIn = calls
      files.keepsFailing = true
      files.failsShort = calls % 2 === 1
      const failed = await work(storage).then(
        () => false,
        () => true,
      )
      files.failIn = -1
      await check(files.disk())
      if (!failed) return calls
    }
  }

  async function written(): Promise<Disk> {
    const files = new ModelFiles()
    const storage = await adapter(files).open(() => {})
    await storage.rows.commit(ROWS)
    await storage.checkpoint!.write(CHECKPOINT)
    await storage.close()
    return files.disk()
  }

  test('between the ring and the rows of new units leaves all of the commit or nothing', async () => {
    const before = ['row 0 of a', 'row 1 of a', 'row 2 of b', 'row 3 of a and b']
    const crashes = await eachCrash(
      await written(),
      (storage) => storage.rows.commit([put(4, 'c'), put(5, 'd', 'a')]),
      async (disk) => {
        const { rows, erased } = await rowsOn(disk)
        expect([before, [...before, 'row 4 of c', 'row 5 of d and a']]).toContainEqual(rows)
        expect(erased).toBe(0)
      },
    )
    expect(crashes).toBeGreaterThan(4)
  })

  test('anywhere in an erasure loses no live row, and the next opening finishes it', async () => {
    const disk = await written()
    const crashes = await eachCrash(
      disk,
      async (storage) => {
        await storage.erasure!.retire([1])
        await storage.rows.commit([remove(1)])
        await storage.erasure!.erase()
      },
      async (after) => {
        const { rows, erased } = await rowsOn(after)
        expect([...rows].sort().filter((row) => row !== 'row 1 of a')).toEqual([
          'row 0 of a',
          'row 2 of b',
          'row 3 of a and b',
        ])
        expect(erased).toBe(0)
      },
    )
    expect(crashes).toBeGreaterThan(10)
  })
})

const shown = (episodes: readonly { slot: number; id: string; row: Uint8Array }[]) =>
  episodes.map(({ slot, id, row }) => `${slot} ${id} ${new TextDecoder().decode(row)}`)

const shownRow = (change: StorageChange) => ('row' in change ? shown([change])[0] : '')

/** The rows in a journal, removed and replaced ones too, that the keys of a folder decrypt. */
async function readable(journal: Map<string, Uint8Array>, keys: Map<string, Uint8Array>): Promise<string[]> {
  const ring = (await KeyRing.open(new MemoryFile(keys.get('keys.agidb')), undefined, wasm))!
  const bytes = journal.get('journal.agidb')!
  const rows: string[] = []
  for (let at = 0; at < bytes.length; at++) {
    if (!isSealed(bytes.subarray(at))) continue
    // The entry before it says how long it is; every length that decrypts will do.
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at - idLength(bytes, at) - 4, true)
    try {
      const open = new Sealer(ring, wasm).unsealRow(bytes.subarray(at, at + length))
      if (open !== 'erased') rows.push(new TextDecoder().decode(open.row))
    } catch {
      // It is a signature, or the number before it is not its length.
    }
  }
  return rows
}

/** Bytes of the id `row-N` that ends at a position. */
function idLength(bytes: Uint8Array, end: number): number {
  let start = end
  while (start > 0 && end - start < 12 && String.fromCharCode(...bytes.subarray(start, start + 4)) !== 'row-') start--
  return end - start
}
