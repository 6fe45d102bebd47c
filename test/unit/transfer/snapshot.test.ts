import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../src/encoding/codebook/codebook.js'
import type { Episode } from '../../../src/api/episode.js'
import { openEngine } from '../../../src/engine/whole.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { listed, NOW, openMemory, withFolder } from '../engine/open.js'
import { runs } from '../../runs.js'

const codebook = parseCodebook(await readCodebook())

type Step = { readonly kind: 'observe' | 'remove' | 'supersede' | 'goal' | 'read'; readonly at: number }

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('observe', 'remove', 'supersede', 'goal', 'read', 'read'),
  at: fc.nat(),
})

/** The episodes of an export, and what else there is in it. */
async function contentOf(pieces: Uint8Array[]): Promise<{ episodes: readonly unknown[]; learned: readonly unknown[] }> {
  const db = await openMemory({ codebook })
  await db.import(pieces)
  const content = { episodes: await listed(db), learned: await db.whatDidILearn(0) }
  await db.close()
  return content
}

test('an export holds the state of its start; later writes are kept but not exported', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 10, maxLength: 60 }),
    fc.integer({ min: 300, max: 900 }),
    async (steps, count) => {
      await withFolder(async (path) => {
        let now = NOW
        const open = () => openEngine({ kernel, codebook, storage: nodeStorage(path), clock: () => now++, seed: 1 })
        const db = await open()
        await db.observeMany(
          Array.from({ length: count }, (_, i) => ({ id: `e${i}`, text: `thing ${i} that was said` })),
        )
        await db.setGoal({ description: 'remember all of it' })
        const before = { episodes: await listed(db), learned: await db.whatDidILearn(0) }

        const reader = (await db.export()).getReader()
        const pieces: Uint8Array[] = []
        const read = async (): Promise<boolean> => {
          const { done, value } = await reader.read()
          if (value) pieces.push(value)
          return !done
        }
        // Writes and reads at the same time: none waits for another's end.
        const live = new Map(before.episodes.map((episode) => [episode.id, episode as Episode]))
        const pending: Promise<unknown>[] = []
        let made = 0
        for (const { kind, at } of steps) {
          const ids = [...live.keys()]
          if (kind === 'observe') pending.push(db.observe(`new ${made}`, { id: `n${made++}` }))
          else if (kind === 'goal') pending.push(db.setGoal({ description: `goal ${at}` }))
          else if (kind === 'remove') {
            const id = ids[at % ids.length]
            live.delete(id)
            pending.push(db.remove(id))
          } else if (kind === 'supersede') {
            const [id, by] = [ids[at % ids.length], ids[(at + 1) % ids.length]]
            pending.push(db.supersede(id, by).catch(() => {})) // superseded already
          } else await read()
        }
        while (await read());
        await Promise.all(pending)
        expect(await contentOf(pieces)).toEqual(before)

        const after = await listed(db)
        expect(after.map(({ id }) => id).sort()).toEqual(
          [...live.keys(), ...Array.from({ length: made }, (_, i) => `n${i}`)].sort(),
        )
        await db.close()
        const again = await open()
        expect(await listed(again)).toEqual(after)
        await again.close()
      })
    },
  )
  await fc.assert(property, { numRuns: runs(8) })
})

test('calls that come during an import wait for it, and then see what was imported', async () => {
  const source = await openMemory()
  await source.observeMany(Array.from({ length: 2000 }, (_, i) => ({ id: `s${i}`, text: `source ${i}` })))
  const db = await openMemory()
  await db.observe('It was here before.', { id: 'before' })
  const writes = [db.observe('Written before the import.', { id: 'w' })]
  const importing = db.import(await source.export(), { replace: true })
  const stats = db.stats()
  const written = db.observe('Written during the import.', { id: 'during' })
  const second = db.import([], { replace: true }).catch((error: { code: string }) => error.code)
  await Promise.all(writes)
  expect(await importing).toMatchObject({ episodes: 2000 })
  expect((await stats).episodes).toBeGreaterThanOrEqual(2000)
  expect(await written).toBe('during')
  expect(await second).toBe('AGIDB_FOREIGN_FILE')
  expect((await db.stats()).episodes).toBe(2001)
  expect(await db.getEpisode('before')).toBeUndefined()
  for (const each of [source, db]) await each.close()
})

test('a listing that an import overtakes says so', async () => {
  const db = await openMemory()
  await db.observeMany(Array.from({ length: 10 }, (_, i) => ({ text: `thing ${i}` })))
  const pages = db.episodes({ limit: 2 })[Symbol.asyncIterator]()
  await pages.next()
  // it would wait for itself
  await expect(db.import(await db.export(), { replace: true })).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  await db.import(new Uint8Array(await new Response(await db.export()).arrayBuffer()), { replace: true })
  await expect(pages.next()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  await db.close()
})

test('a decision that asks the memory does not wait for an import that waits for the decision', async () => {
  let importing: Promise<unknown> | undefined
  const db: Awaited<ReturnType<typeof openMemory>> = await openMemory({
    decideRevision: async () => {
      importing = db.import(bytes, { replace: true })
      await db.stats()
      return { verdict: 'supports', reason: 'it says so' }
    },
  })
  const bytes = await new Response(await db.export()).bytes()
  const [belief, episode] = [
    await db.assertBelief({ claim: 'the tank is full', confidence: 0.5 }),
    await db.observe('Somebody looked at the tank.'),
  ]
  await db.reviseBelief(belief, episode)
  await importing
  expect((await db.stats()).episodes).toBe(0)
  await db.close()
})

test('exports that fail before their first byte leave room for others', async () => {
  let isBroken = false
  const clock = (): number => {
    if (isBroken) throw new Error('the clock stands still')
    return NOW
  }
  const db = await openMemory({ clock })
  await db.observe('The tank is full.')
  isBroken = true
  for (let i = 0; i < 17; i++) await expect(db.export()).rejects.toThrow('the clock stands still')
  isBroken = false
  expect((await contentOf([await new Response(await db.export()).bytes()])).episodes).toHaveLength(1)
  await db.close()
})
