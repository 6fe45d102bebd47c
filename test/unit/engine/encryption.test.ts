import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Encryption } from '../../../src/api/encryption.js'
import { openNode } from '../../../src/runtimes/node/engine.js'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'agidb-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (encryption?: Encryption) => openNode({ path: folder, codebook: 'none', encryption })

/** Texts, names, ids and things that are learned, none of which may stand in a file in clear. */
const MARKERS = [
  'zebrafish',
  'Xanthippe',
  'session-quark',
  'source-krypton',
  'claim-obsidian',
  'goal-walrus',
  'ep-mark',
]

async function fill(encryption?: Encryption): Promise<string> {
  const db = await open(encryption)
  const id = await db.observe('the zebrafish is in the tank', {
    id: 'ep-mark-1',
    speaker: 'Xanthippe',
    session: 'session-quark',
  })
  await db.observe('a reading of zebrafish', { source: 'source-krypton' })
  await db.assertBelief({ claim: 'claim-obsidian holds', confidence: 0.9, evidence: [id] })
  await db.setGoal({ description: 'goal-walrus is reached' })
  await db.update(id, { text: 'the zebrafish left the tank' })
  await db.close()
  return id
}

/** The markers that stand in any file, in UTF-8 or UTF-16. */
function found(): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const contents = entries.map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
  return MARKERS.filter((marker) =>
    contents.some((bytes) => bytes.includes(marker) || bytes.includes(Buffer.from(marker, 'utf16le'))),
  )
}

describe('an encrypted memory', () => {
  test('holds nothing that was said or learned in clear; a memory without encryption does', async () => {
    await fill('keys-beside')
    expect(found()).toEqual([])
    rmSync(folder, { recursive: true })
    await fill('none')
    expect(found()).toEqual(MARKERS)
  })

  test.each<[string, Encryption]>([
    ['keys beside it', 'keys-beside'],
    ['a passphrase', { passphrase: 'correct horse' }],
    ['a key', { key: new Uint8Array(32).fill(3) }],
  ])('answers as before when it is opened again, with %s', async (_, encryption) => {
    const id = await fill(encryption)
    const db = await open(encryption)
    expect((await db.recall('zebrafish')).matches[0].text).toMatch(/zebrafish/)
    expect(await db.history(id)).toHaveLength(2)
    expect(await db.goals()).toMatchObject([{ description: 'goal-walrus is reached' }])
    const { kind, keys } = (await db.stats()).encryption
    expect(kind).toBe(typeof encryption === 'string' ? encryption : Object.keys(encryption)[0])
    // Of the session, the source, and of what belongs to neither.
    expect(keys).toBe(3)
    expect(await db.verify()).toMatchObject({ ok: true })
    await db.compact()
    await db.close()
    expect(found()).toEqual([])
  })

  test('is refused with another passphrase, and every file stays as it was', async () => {
    await fill({ passphrase: 'correct horse' })
    const before = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
    for (const encryption of [undefined, { passphrase: 'wrong horse' }] as const)
      await expect(open(encryption)).rejects.toMatchObject({ code: 'AGIDB_PASSPHRASE' })
    expect(readdirSync(folder).map((name) => readFileSync(join(folder, name)))).toEqual(before)
  })

  test('erases what is unlearned from every older copy of its files, and keeps the rest', async () => {
    const db = await openNode({ path: folder, codebook: 'none', encryption: 'keys-beside', tombstoneDays: 0 })
    const [id] = await db.observeMany([
      { text: 'the zebrafish is in the tank', session: 'session-quark' },
      { text: 'the walrus is on the beach', session: 'session-top' },
    ])
    await db.assertBelief({ claim: 'claim-obsidian holds', confidence: 0.9, evidence: [id] })
    await db.flush()
    const journals = ['journal.agidb', 'journal-2.agidb'].map((name) => join(folder, name))
    const before = journals.map((path) => readFileSync(path))
    await db.unlearn({ session: 'session-quark' }, 'asked for')
    expect((await db.recall('walrus')).matches[0].text).toMatch(/walrus/)
    await db.close()
    // The older journal with the keys that are left.
    journals.forEach((path, i) => writeFileSync(path, before[i]))
    const again = await openNode({ path: folder, codebook: 'none' })
    expect((await again.stats()).opening).toContainEqual(expect.objectContaining({ kind: 'rows-erased' }))
    const found = await again.recall('zebrafish walrus claim-obsidian')
    expect(found.matches.map(({ text }) => text)).toEqual(['the walrus is on the beach'])
    expect((await again.stats()).beliefs).toBe(0)
    await again.close()
  })

  test('is imported into another one under the keys of that', async () => {
    await fill({ passphrase: 'correct horse' })
    const db = await open({ passphrase: 'correct horse' })
    const copy = await openNode({ path: join(folder, 'copy'), codebook: 'none', encryption: 'keys-beside' })
    await copy.import(await db.export())
    expect((await copy.stats()).encryption).toMatchObject({ kind: 'keys-beside', keys: 3 })
    await Promise.all([db.close(), copy.close()])
    expect(found()).toEqual([])
  })

  test.each([
    'aes',
    { passphrase: '' },
    { key: new Uint8Array(16) },
    { key: new Uint8Array(32), passphrase: 'both' },
    {},
  ])('is not made with wrong options: %o', async (encryption) => {
    await expect(open(encryption as Encryption)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })
})
