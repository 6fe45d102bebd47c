import '../adapters/browser/browser-model.js'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { opfsFiles, writeOpfsFile } from '../../../../e2e/pages/storage-places.js'
import type { EncryptionSecret } from '../../../../src/api/encryption.js'
import type { SalvageOptions } from '../../../../src/api/salvage.js'
import type { StorageAdapter } from '../../../../src/api/storage.js'
import { openEngine } from '../../../../src/engine/whole.js'
import { salvaged } from '../../../../src/runtimes/browser/salvage.js'
import { verifyPath } from '../../../../src/runtimes/node/verify.js'
import { browserStorage } from '../whole-browser-storage.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import * as encryption from '../../../../src/storage/crypto/encryption.js'
import { kernel } from '../../encoding/kernel.js'
import { listed, openMemory, withFolder } from '../../engine/open.js'

const KEY = { key: new Uint8Array(32).fill(5) }
const OTHER = { key: new Uint8Array(32).fill(6) }

const open = (storage: StorageAdapter, secret?: EncryptionSecret) =>
  openEngine({ kernel, storage, encryption: secret, extract: 'none', autoConsolidate: false, tombstoneDays: 0 })

/** Makes a memory with fifty episodes, in a commit each, and a goal. */
async function fill(storage: StorageAdapter, secret: EncryptionSecret): Promise<void> {
  const db = await open(storage, secret)
  for (let i = 0; i < 50; i++) await db.observe(`Item ${i} is here.`, { id: `i${i}`, session: `s${i % 5}` })
  await db.setGoal({ description: 'count the items' })
  await db.close()
}

/** Bytes of a journal of which a stretch in the middle cannot be read. */
const damaged = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes).fill(7, 20_000, 20_100)

async function texts(db: Awaited<ReturnType<typeof openMemory>>): Promise<string[]> {
  return (await listed(db)).map(({ text }) => text)
}

test.each<[string, EncryptionSecret]>([
  ['lie beside it', 'keys-beside'],
  ['need a key of the program', KEY],
])('A damaged folder whose keys %s is repaired with them, and not changed without.', (_, secret) =>
  withFolder(async (path) => {
    await fill(nodeStorage(path), secret)
    const journal = join(path, 'journal.agidb')
    const bytes = damaged(readFileSync(journal))
    writeFileSync(journal, bytes)
    if (secret !== 'keys-beside') {
      await expect(verifyPath(path, { repair: true })).rejects.toMatchObject({ code: 'AGIDB_PASSPHRASE' })
      await expect(verifyPath(path, { repair: true, secret: async () => OTHER })).rejects.toMatchObject({
        code: 'AGIDB_PASSPHRASE',
      })
      expect(new Uint8Array(readFileSync(journal))).toEqual(bytes)
      // To look at it nothing is needed.
      expect((await verifyPath(path)).problems.map(({ code }) => code)).toEqual(['journal-damaged', 'journal-gap'])
    }
    const { ok, mended } = await verifyPath(path, { repair: true, secret: async () => secret })
    expect({ ok, mended }).toEqual({ ok: true, mended: ['journal-damaged', 'journal-gap'] })
    const db = await open(nodeStorage(path), secret)
    expect((await texts(db)).length).toBeGreaterThan(48)
    expect(await db.activeGoals()).toHaveLength(1)
    await db.close()
    expect(await verifyPath(path, { secret: async () => secret })).toMatchObject({ ok: true, problems: [] })
  }))

test('Verifying a folder finds rows that do not decrypt, where it has the keys.', () =>
  withFolder(async (path) => {
    await fill(nodeStorage(path), KEY)
    const db = await open(nodeStorage(path), KEY)
    await db.close() // with a checkpoint
    expect(await verifyPath(path, { secret: async () => KEY })).toMatchObject({ ok: true, problems: [] })
    writeFileSync(join(path, 'keys.agidb'), new Uint8Array(0))
    const { ok, problems } = await verifyPath(path)
    expect(ok).toBe(false)
    expect(problems).toMatchObject([
      { code: 'row-unreadable', count: 51, message: expect.stringContaining('keys.agidb') as string },
    ])
  }))

const PARTS = { cipher: async () => kernel, encryption: async () => encryption }
const salvage = (options: Omit<SalvageOptions, 'name'> & { readonly name: string }) => salvaged(options, PARTS)

/** Makes the journal of a database of the browser one that cannot be read in the middle, with no copy beside it. */
async function damage(name: string): Promise<Uint8Array> {
  const bytes = damaged((await opfsFiles(name)).get('journal.agidb')!)
  await writeOpfsFile(name, 'journal.agidb', bytes)
  return bytes
}

test('A damaged database of a browser is brought out decrypted with its keys, and refused without.', async () => {
  await fill(browserStorage('sealed'), KEY)
  const bytes = await damage('sealed')
  for (const given of [undefined, OTHER]) {
    const attempt = salvage({ name: 'sealed', encryption: given, repair: true })
    await expect(attempt).rejects.toMatchObject({ code: 'AGIDB_PASSPHRASE' })
  }
  expect((await opfsFiles('sealed')).get('journal.agidb')).toEqual(bytes)
  const { memory, report } = await salvage({ name: 'sealed', encryption: KEY })
  expect(report).toMatchObject({ episodes: 50, records: 1, setAside: 0, erased: 0 })
  const db = await openMemory()
  await db.import(memory)
  expect(await texts(db)).toContain('Item 49 is here.')
  expect(await db.activeGoals()).toMatchObject([{ description: 'count the items' }])
  await db.close()
  expect((await opfsFiles('sealed')).get('journal.agidb')).toEqual(bytes)
})

test('A repaired database of a browser has its rows as they were, under the same keys.', async () => {
  await fill(browserStorage('mended'), 'keys-beside')
  await damage('mended')
  const { report, kept } = await salvage({ name: 'mended', repair: true })
  expect(report).toMatchObject({ episodes: 50 })
  expect(kept).not.toEqual([])
  const db = await open(browserStorage('mended'))
  expect((await db.stats()).encryption).toMatchObject({ kind: 'keys-beside' })
  expect(await texts(db)).toHaveLength(50)
  await db.close()
})

test('A row that was erased is not brought out of an older copy, and without the keys nothing is.', async () => {
  await fill(browserStorage('older'), 'keys-beside')
  const before = (await opfsFiles('older')).get('journal.agidb')!
  const db = await open(browserStorage('older'))
  await db.unlearn({ session: 's1' }, 'asked for')
  await db.close()
  await writeOpfsFile('older', 'journal.agidb', before)
  await writeOpfsFile('older', 'journal-2.agidb', new Uint8Array(0))
  const { report } = await salvage({ name: 'older' })
  expect(report).toMatchObject({ episodes: 40, erased: 10 })
  await writeOpfsFile('older', 'keys.agidb', new Uint8Array(0))
  await expect(salvage({ name: 'older' })).rejects.toMatchObject({
    code: 'AGIDB_CORRUPT',
    message: expect.stringContaining('keys.agidb') as string,
  })
})
