import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../src/encoding/codebook/codebook.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { altered } from '../../unit/storage/altered-adapter.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../../unit/encoding/kernel.js'
import { listed, NOW, withFolder } from '../../unit/engine/open.js'

const codebook = parseCodebook(await readCodebook())
const open = (path: string): Promise<Engine> =>
  openEngine({ kernel, codebook, storage: nodeStorage(path), seed: 1, clock: () => NOW, keepAfter: 1 })

const texts = Array.from(
  { length: 40 },
  (_, i) => `The ${['harbour', 'station', 'market', 'library'][i % 4]} opens at ${i} o'clock.`,
)
const DAY_MS = 86_400_000
const SECRET = 'Xylomarimba Quetzalwort 7731'

/** The files of a memory that have bytes; the socket of its lock has none. */
function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}

/** The files of a memory in which some text stands, in any letter case. */
function filesWith(path: string, text: string): string[] {
  return filesIn(path).filter((name) =>
    readFileSync(join(path, name), 'latin1').toLowerCase().includes(text.toLowerCase()),
  )
}

describe('a compaction', () => {
  test('leaves nothing of what was removed in any file, and answers as before', () =>
    withFolder(async (path) => {
      let db = await open(path)
      await db.observeMany(texts.map((text, i) => ({ text, id: `m${i}`, session: `s${i % 3}` })))
      const secret = await db.observe(`${SECRET} keeps the key.`, {
        id: 'secret-xylomarimba',
        speaker: 'Xylomarimba',
        session: 'about Quetzalwort',
        triples: [{ subject: 'Quetzalwort', predicate: 'hides', object: 'Xylomarimba' }],
      })
      // An image has it as well.
      await db.close()
      expect(filesWith(path, 'Quetzalwort')).toEqual(['index.agidb', 'journal.agidb'])
      db = await open(path)
      await db.remove(secret)
      const matches = async (): Promise<unknown> => (await db.recall('When does the library open?', { k: 5 })).matches
      const [before, episodes] = [await matches(), await listed(db)]
      const { bytes } = await db.stats()
      await db.expire(NOW + 31 * DAY_MS)
      expect((await db.stats()).bytes).toBeLessThan(bytes)
      for (const word of ['Quetzalwort', 'Xylomarimba', '7731', 'secret-']) expect(filesWith(path, word)).toEqual([])
      expect(await matches()).toEqual(before)
      await db.close()
      for (const word of ['Quetzalwort', 'Xylomarimba', '7731', 'secret-']) expect(filesWith(path, word)).toEqual([])
      db = await open(path)
      expect(await matches()).toEqual(before)
      expect(await listed(db)).toEqual(episodes)
      expect((await db.stats()).opening).toEqual([])
      await db.close()
    }))

  test('leaves no signature of what was removed', () =>
    withFolder(async (path) => {
      const signatures: Uint8Array[] = []
      const storage = altered(nodeStorage(path), ({ rows }) => ({
        rows: {
          ...rows,
          commit(changes) {
            for (const change of changes)
              if (change.op === 'put')
                signatures.push(...Object.values(change.signatures).map((bytes) => bytes!.slice()))
            return rows.commit(changes)
          },
        },
      }))
      const db = await openEngine({ kernel, codebook, storage, clock: () => NOW, keepAfter: 1 })
      const id = await db.observe('Quetzalwort keeps the key.', {
        triples: [{ subject: 'Ann', predicate: 'hides', object: 'key' }],
      })
      const gone = signatures.splice(0)
      expect(gone.length).toBe(3)
      await db.observeMany(texts.map((text) => ({ text })))
      await db.compact() // the image has it
      const has = (bytes: Uint8Array): string[] => {
        const part = Buffer.from(bytes.subarray(8, 72))
        return filesIn(path).filter((name) => readFileSync(join(path, name)).includes(part))
      }
      expect(gone.map((bytes) => has(bytes).length > 0)).toEqual([true, true, true])
      await db.remove(id)
      await db.expire(NOW + 31 * DAY_MS)
      await db.close()
      expect(gone.flatMap(has)).toEqual([])
    }))

  test('keeps an image, so that opening reads no episode', () =>
    withFolder(async (path) => {
      const db = await open(path)
      await db.observeMany(texts.map((text) => ({ text })))
      await db.compact()
      await db.close()
      const storage = nodeStorage(path)
      const visited: number[] = []
      const again = await openEngine({
        kernel,
        codebook,
        clock: () => NOW,
        storage: {
          open: (visit, ...rest) => storage.open((stored) => (visited.push(stored.slot), visit(stored)), ...rest),
        },
      })
      expect(visited).toEqual([])
      expect((await again.stats()).episodes).toBe(texts.length)
      await again.close()
    }))

  test('in memory frees nothing, and is refused when the database is closed', async () => {
    const db = await Agidb.open({ extract: 'none', storage: 'memory', codebook: 'none' })
    await db.observe('One.')
    const { before, after } = await db.compact()
    expect(after).toBe(before)
    await db.close()
    await expect(db.compact()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  })

  test(
    'starts by itself in a pause when more than half is garbage, and 4 MiB',
    () =>
      withFolder(async (path) => {
        let now = NOW
        const clock = () => (now += 1000)
        const db = await openEngine({ kernel, storage: nodeStorage(path), clock, surpriseThreshold: 1 })
        // Frames leave the buffer after a minute.
        for (let i = 0; i < 1000; i++)
          await db.observeSensory({ modality: 'image', latent: new Float32Array(2000).fill(i + 1), encoder: 'e' })
        await expect.poll(async () => (await db.stats()).bytes).toBeLessThan(2 * 2 ** 20)
        expect((await db.workingState()).frames.length).toBeLessThan(100)
        await db.close()
      }),
    120_000,
  )
})
