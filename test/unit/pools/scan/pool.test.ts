import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Encoder, SenseName } from '../../../../src/api/encoder.js'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import { loadCodebook } from '../../../../src/encoding/codebook/load.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { openMemory, withFolder } from '../../engine/open.js'
import { runs } from '../../../runs.js'
import { filled, found, said, say, threads } from './threads.js'

const codebook = (await loadCodebook(await readCodebook()))!

test('answers are those of one thread, whatever is observed, removed and asked in between', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.record({ remove: fc.nat(200) }),
          fc.record({ observe: fc.nat(200) }),
          fc.record({ ask: fc.nat(200) }),
        ),
        { maxLength: 25 },
      ),
      (steps) =>
        withFolder(async (path) => {
          const shardThreads = await threads()
          const shared = await openMemory({ codebook, storage: nodeStorage(path), shardThreads })
          const alone = await openMemory({ codebook, storage: nodeStorage(`${path}-alone`) })
          const both = [shared, alone]
          for (const db of both)
            await db.observeMany(
              Array.from({ length: 60 }, (_, i) => ({ id: `e${i}`, text: say(i), session: `s${i % 3}` })),
            )
          await filled(shared)
          let next = 60
          for (const step of steps) {
            if ('observe' in step) {
              for (const db of both) await db.observe(say(step.observe), { id: `e${next}` })
              next++
            } else if ('remove' in step) {
              const id = `e${step.remove % next}`
              if ((await alone.getEpisode(id)) !== undefined) for (const db of both) await db.remove(id)
            } else {
              expect(await found(shared, say(step.ask))).toEqual(await found(alone, say(step.ask)))
              expect(await found(shared, say(step.ask), { session: 's1' })).toEqual(
                await found(alone, say(step.ask), { session: 's1' }),
              )
            }
          }
          expect(await found(shared, 'granite compass')).toEqual(await found(alone, 'granite compass'))
          expect(Math.min(...shardThreads.asked)).toBeGreaterThan(0)
          for (const db of both) await db.close()
        }),
    ),
    { numRuns: runs(6) },
  )
})

test('pictures and modalities of one’s own are scanned by the threads, too', async () => {
  await withFolder(async (path) => {
    const shardThreads = await threads()
    const image = latents('image', '5e')
    const encoders = { image, touch: latents('touch', '7c') }
    const shared = await openMemory({ encoders, storage: nodeStorage(path), shardThreads })
    const alone = await openMemory({ encoders, storage: nodeStorage(`${path}-alone`) })
    for (const db of [shared, alone])
      for (let i = 0; i < 60; i++)
        await db.observeMultimodal(
          { latents: { image: latentOf(i), ...(i % 2 === 0 && { touch: latentOf(100 + i) }) } },
          { id: `e${i}` },
        )
    await filled(shared)
    const before = Math.min(...shardThreads.asked)
    for (let i = 0; i < 60; i += 7) {
      const picture = await found(shared, undefined, { image: Uint8Array.of(i) })
      expect(picture[0].id).toBe(`e${i}`)
      expect(picture).toEqual(await found(alone, undefined, { image: Uint8Array.of(i) }))
      const touch = { own: { touch: Uint8Array.of(100 + i) } }
      expect(await found(shared, undefined, touch)).toEqual(await found(alone, undefined, touch))
    }
    expect(Math.min(...shardThreads.asked)).toBeGreaterThan(before)
    for (const db of [shared, alone]) await db.close()
  })
})

/** An encoder whose latents are made of the first byte of its inputs. */
const latents = <M extends SenseName>(modality: M, id: string): Encoder<M> => ({
  modality,
  id: id.repeat(32),
  dimension: 64,
  close: async () => {},
  encode: async (inputs) => inputs.map((input) => latentOf((input as Uint8Array)[0])),
})

/** A latent for each number, from a generator of Lehmer. */
function latentOf(seed: number): Float32Array {
  let state = seed + 1
  return Float32Array.from({ length: 64 }, () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5)
}

test('what is removed while it is on its way to a shard is not found there', async () => {
  await withFolder(async (path) => {
    const shardThreads = await threads()
    const db = await openMemory({ codebook, storage: nodeStorage(path), shardThreads })
    await db.observeMany(said(60))
    await db.recall('harbour') // starts the shards
    await Promise.all(Array.from({ length: 20 }, (_, i) => db.remove(`e${i}`)))
    await filled(db)
    const ids = (await found(db, say(3), { k: 50 })).map(({ id }) => id)
    expect(ids).toHaveLength(40)
    await db.close()
  })
})

test('a thread that ends, or never answers again, costs time and nothing else', async () => {
  await withFolder(async (path) => {
    let failed = () => {}
    let silent = false
    const shardThreads = await threads((host, onFailure) => {
      failed = onFailure
      return { ...host, scan: (...args) => (silent ? new Promise(() => setTimeout(failed, 20)) : host.scan(...args)) }
    })
    const db = await openMemory({ codebook, storage: nodeStorage(path), shardThreads })
    await db.observeMany(said(60))
    await filled(db)
    const before = await found(db, 'granite compass')
    silent = true
    expect(await found(db, 'granite compass')).toEqual(before)
    expect(await found(db, 'granite compass')).toEqual(before)
    expect(await db.stats()).toMatchObject({ shards: { threads: 0 }, memoryParts: { shards: 0 } })
    expect(shardThreads.ended).toBe(2)
    await db.close()
  })
})

test('no thread is started for a small memory, without room for copies, or where none is wanted', async () => {
  const cases = [
    { shardThreads: { ...(await threads()), from: 1000 } },
    { shardThreads: await threads(), memoryBudget: 1000 },
    { shardThreads: await threads(), shards: 0 },
  ]
  for (const options of cases) {
    await withFolder(async (path) => {
      const db = await openMemory({ codebook, storage: nodeStorage(path), ...options })
      await db.observeMany(said(60))
      await db.recall('harbour')
      await db.recall('harbour')
      expect(await db.stats()).toMatchObject({ shards: { threads: 0, episodes: 0 } })
      await db.close()
    })
  }
})

test('where no thread can be started, this one answers', async () => {
  await withFolder(async (path) => {
    const start = vi.fn(() => {
      throw new Error('Worker is not defined')
    })
    const db = await openMemory({
      codebook,
      storage: nodeStorage(path),
      shardThreads: { start, kernel: new Uint8Array(), cores: 2, from: 20 },
    })
    await db.observeMany(said(60))
    expect(await found(db, 'harbour')).toHaveLength(8)
    expect(await found(db, 'harbour')).toHaveLength(8)
    expect(start).toHaveBeenCalledOnce()
    await db.close()
  })
})

test.each([
  { shards: -1 },
  { shards: 1.5 },
  { memoryBudget: -1 },
  { memoryBudget: Number.NaN },
])('%j is refused', async (options) => {
  await expect(openMemory(options)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
})
