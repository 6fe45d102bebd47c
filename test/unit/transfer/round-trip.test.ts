import { getEventListeners } from 'node:events'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../src/encoding/codebook/codebook.js'
import type { Agidb } from '../../../src/api/agidb.js'
import { openEngine } from '../../../src/engine/whole.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { listed, NOW, openMemory, withFolder } from '../engine/open.js'
import { exported } from './exported.js'
import { everyFloor } from './floors.js'

const codebook = parseCodebook(await readCodebook())

/** What a memory answers on every floor. */
async function answers(db: Agidb): Promise<unknown> {
  const { matches, semanticAtoms, beliefs, activeGoals } = await db.recall('what thai place did Sarah recommend?', {
    k: 20,
  })
  return {
    matches,
    semanticAtoms,
    beliefs,
    activeGoals,
    episodes: await listed(db),
    learned: await db.whatDidILearn(0),
    self: await db.selfVector(),
    goals: await db.activeGoals(),
    held: await db.whatDoIBelieve('Bawri'),
    procedures: await db.proceduresFor('book a table'),
    atoms: await db.semanticAtoms(),
    frames: await db.workingState(),
  }
}

describe('what is exported from a folder', () => {
  test.each([
    ['plain', undefined],
    ['encrypted', 'a long passphrase'],
  ])('answers as before wherever it is imported (%s)', async (_, passphrase) => {
    await withFolder((path) =>
      withFolder(async (other) => {
        const options = { kernel, codebook, clock: () => NOW, seed: 1 }
        const db = await openEngine({ ...options, storage: nodeStorage(path) })
        await everyFloor(db)
        const before = await answers(db)
        const bytes = await exported(db, { passphrase })

        const memory = await openMemory({ codebook })
        const report = await memory.import(bytes, { passphrase })
        expect(report).toMatchObject({
          format: 'agidb',
          episodes: (await db.stats()).episodes,
          encoded: 0,
          exportedAt: '2027-01-15T08:00:00.000Z',
        })
        expect(await answers(memory)).toEqual(before)

        const folder = await openEngine({ ...options, storage: nodeStorage(other) })
        await folder.import(bytes, { passphrase })
        expect(await answers(folder)).toEqual(before)
        await folder.close()
        const again = await openEngine({ ...options, storage: nodeStorage(other) })
        expect(await answers(again)).toEqual(before)
        expect((await again.stats()).opening).toEqual([])
        // It goes on as a memory does: nothing of the old slots is in the way.
        await again.observe('Bawri has closed.')
        await again.consolidate()
        for (const each of [db, memory, again]) await each.close()
      }),
    )
  })
})

describe('what is exported from main memory', () => {
  test('has its signatures made where it is imported, and the same self-vector', async () => {
    const db = await openMemory()
    await everyFloor(db)
    const before = await answers(db)
    await withFolder(async (path) => {
      const folder = await openEngine({ kernel, clock: () => NOW, seed: 1, storage: nodeStorage(path) })
      const { episodes, encoded } = await folder.import(await exported(db))
      expect(encoded).toBe(episodes)
      expect(await answers(folder)).toEqual(before)
      await folder.close()
      const again = await openEngine({ kernel, clock: () => NOW, seed: 1, storage: nodeStorage(path) })
      expect((await again.stats()).opening).toEqual([])
      expect(await answers(again)).toEqual(before)
      await again.close()
    })
    await db.close()
  })
})

test('an export numbers slots without gaps, so removed episodes do not make it longer', async () => {
  const make = async (forgets: boolean) => {
    const db = await openMemory()
    const ids = await db.observeMany(
      Array.from({ length: 20 }, (_, i) => ({ id: `e${i}`, text: `The ${i}th thing that was said.` })),
    )
    if (forgets) {
      const extra = await db.observeMany(
        Array.from({ length: 20 }, (_, i) => ({ id: `x${i}`, text: `Another thing, number ${i}.` })),
      )
      await db.remove(extra)
    }
    await db.observe('The last thing.', { id: 'last' })
    expect(ids.length).toBe(20)
    const bytes = await exported(db)
    await db.close()
    return bytes.length
  }
  // Only that something was forgotten is in it.
  expect((await make(true)) - (await make(false))).toBeLessThan(1_000)
})

test('JSON lines have every episode, and are observed where they are imported', async () => {
  const db = await openMemory()
  await everyFloor(db)
  const lines = new TextDecoder()
    .decode(await exported(db, { format: 'jsonl' }))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string })
  const episodes = await listed(db)
  expect(lines.map(({ id }) => id)).toEqual(episodes.map(({ id }) => id))

  const other = await openMemory({ writer: 'importer' })
  const report = await other.import(await exported(db, { format: 'jsonl' }))
  expect(report).toEqual({ format: 'jsonl', episodes: lines.length, records: 0, encoded: lines.length })
  const [first] = await listed(other)
  expect(first).toMatchObject({ id: lines[0].id, provenance: { writer: 'importer' } })
  expect((await other.recall('what thai place did Sarah recommend?')).matches[0].text).toContain('Bawri')
  for (const each of [db, other]) await each.close()
})

test.each([
  'agidb',
  'jsonl',
] as const)('tags, metadata and expiry come back from an export of format %s', async (format) => {
  const given = { tags: ['thai'], metadata: { 'due date': { day: 3 } }, expiresAt: '2030-01-01T00:00:00.000Z' }
  const db = await openMemory()
  await db.observe('Sarah recommended Bawri.', { id: 'a', ...given })
  const other = await openMemory()
  await other.import(await exported(db, { format }))
  expect(await other.getEpisode('a')).toMatchObject(given)
  for (const each of [db, other]) await each.close()
})

test('a memory is imported from whatever gives bytes', async () => {
  const db = await openMemory()
  await db.observe('Sarah recommended Bawri.')
  const bytes = await exported(db)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
  }
  for (const source of [bytes, new Blob([new Uint8Array(bytes)]), await db.export(), pieces(), [bytes]]) {
    const other = await openMemory()
    expect(await other.import(source)).toMatchObject({ episodes: 1 })
    await other.close()
  }
  await db.close()
})

test('an import leaves its signal as it was, whether all of its source was read or not', async () => {
  const { signal } = new AbortController()
  const line = new TextEncoder().encode('{"text":"It rains."}\n')
  for (const last of [line, 'no bytes']) {
    const db = await openMemory()
    const importing = db.import([line, line, last] as Uint8Array[], { signal })
    if (last === line) await importing
    else await expect(importing).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    expect(getEventListeners(signal, 'abort')).toEqual([])
    await db.close()
  }
})

test('an export of the present format, kept in the repository, opens in every later version', async () => {
  const db = await openMemory()
  expect(await db.import(await readFile(new URL('fixtures/export-1.agidb', import.meta.url)))).toMatchObject({
    episodes: 11,
  })
  expect((await db.recall('what thai place did Sarah recommend?')).matches[0].text).toContain('Bawri')
  expect(await db.stats()).toMatchObject({ goals: 2, beliefs: 1, procedures: 1 })
  const sealed = await openMemory()
  await sealed.import(await readFile(new URL('fixtures/export-1-encrypted.agidb', import.meta.url)), {
    passphrase: 'correct horse battery staple',
  })
  expect(await listed(sealed)).toEqual(await listed(db))
  for (const each of [db, sealed]) await each.close()
})
