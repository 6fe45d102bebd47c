import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyToChunks,
  CHUNK_EPISODES,
  type Chunk,
  chunksOf,
  type ChunkStore,
  episodesOf,
} from '../../../../src/storage/mirror/chunks.js'
import type { StorageChange, StoredEpisode } from '../../../../src/api/storage.js'
import { noise, put, puts, sign } from '../../../../src/storage/contract/episodes.js'
import { runs } from '../../../runs.js'

/** Chunks in main memory, and how often they were read and written. */
class Store implements ChunkStore {
  readonly chunks = new Map<number, Chunk>()
  reads = 0
  writes = 0

  async upTo(slot = Infinity): Promise<Chunk | undefined> {
    this.reads++
    return this.chunks.get(Math.max(...[...this.chunks.keys()].filter((first) => first <= slot)))
  }

  put(chunk: Chunk): void {
    this.writes++
    this.chunks.set(chunk.first, chunk)
  }

  delete(first: number): void {
    this.writes++
    this.chunks.delete(first)
  }

  get all(): StoredEpisode[] {
    return [...this.chunks.values()].sort((a, b) => a.first - b.first).flatMap(episodesOf)
  }
}

const row = (slot: number, version = 0) => noise(1000 * version + slot, 20)

describe('chunks of episodes', () => {
  test('after any commits they have what a map of slots has, in order, and no chunk overlaps the next', async () => {
    const slot = fc.integer({ min: 0, max: 70 })
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ op: fc.constant('append' as const), count: fc.integer({ min: 1, max: 40 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          op: fc.constantFrom('remove' as const, 'update' as const, 'setSignatures' as const, 'put' as const),
          slots: fc.uniqueArray(slot, { minLength: 1, maxLength: 30 }),
        }),
      },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 12 }), async (commits) => {
        const store = new Store()
        const model = new Map<number, StoredEpisode>()
        let next = 5
        let version = 0
        for (const commit of commits) {
          const changes: StorageChange[] = []
          for (const step of commit) {
            version++
            const slots = step.op === 'append' ? Array.from({ length: step.count }, () => next++) : step.slots
            for (const slot of slots) {
              const before = model.get(slot)
              const id = `id-${slot}`
              if (step.op === 'append' || (step.op === 'put' && !before)) {
                const episode = { slot, id, row: row(slot, version), signatures: { text: noise(slot, 8) }, encoder: 3 }
                model.set(slot, episode)
                changes.push({ op: 'put', ...episode })
                next = Math.max(next, slot + 1)
              } else if (step.op === 'remove') {
                model.delete(slot)
                changes.push({ op: 'remove', slot, id })
              } else if (before && step.op === 'update') {
                model.set(slot, { ...before, row: row(slot, version) })
                changes.push({ op: 'update', slot, id, row: row(slot, version) })
              } else if (before && step.op === 'setSignatures') {
                const latent = noise(version, 12)
                model.set(slot, { ...before, signatures: { ...before.signatures, latent } })
                changes.push({ op: 'setSignatures', slot, id, signatures: { latent } })
              }
            }
          }
          await applyToChunks(store, changes)
          expect(store.all).toEqual([...model.values()].sort((a, b) => a.slot - b.slot))
          expect(
            [...store.chunks].every(([first, chunk]) => first === chunk.first && episodesOf(chunk).length > 0),
          ).toBe(true)
        }
      }),
      { numRuns: runs(100) },
    )
  })

  test('what comes together shares records; what comes one by one soon does', async () => {
    const store = new Store()
    await applyToChunks(store, puts(0, 1000))
    expect(store.chunks.size).toBe(Math.ceil(1000 / CHUNK_EPISODES))
    const single = new Store()
    for (let slot = 0; slot < 80; slot++) await applyToChunks(single, [put(slot)])
    expect(single.chunks.size).toBe(10)
    expect(single.writes).toBe(80)
  })

  test('a change reads and writes the chunks it concerns, and no others', async () => {
    const store = new Store()
    await applyToChunks(store, puts(0, 1600))
    Object.assign(store, { reads: 0, writes: 0 })
    await applyToChunks(store, [sign(500, { latent: noise(1, 16) }), { op: 'remove', slot: 501, id: 'ep_501' }])
    expect([store.reads, store.writes]).toEqual([3, 1])
  })

  test('what comes in any order lies in its own, before, between and after what is there', async () => {
    const store = new Store()
    const slots: number[] = []
    for (const commit of [
      [150, 140, 9, 100],
      [30, 4, 110],
      [2, 1, 0],
      [160, 155, 99],
      Array.from({ length: 40 }, (_, i) => 239 - i),
    ]) {
      await applyToChunks(
        store,
        commit.map((slot) => put(slot)),
      )
      slots.push(...commit)
      expect(store.all.map(({ slot }) => slot)).toEqual([...slots].sort((a, b) => a - b))
    }
    const { writes } = store
    await applyToChunks(store, [{ op: 'remove', slot: 20, id: 'no' }])
    expect(store.all.length).toBe(slots.length)
    const before = new Store()
    await applyToChunks(before, [put(50)])
    // Before all that is there, and after: what was not there is nothing afterwards either.
    for (const slot of [3, 70]) await applyToChunks(before, [{ op: 'remove', slot, id: 'no' }])
    expect([...before.chunks.keys()]).toEqual([50])
    await applyToChunks(before, [{ op: 'remove', slot: 50, id: 'ep_50' }])
    expect([before.chunks.size, writes > 0]).toEqual([0, true])
    await applyToChunks(before, [{ op: 'remove', slot: 50, id: 'ep_50' }])
    expect(before.chunks.size).toBe(0)
  })

  test('a change to what is not there is refused, and nothing is written', async () => {
    const store = new Store()
    await applyToChunks(store, puts(0, 3))
    store.writes = 0
    await expect(applyToChunks(store, [put(3), sign(7, {})])).rejects.toMatchObject({ code: 'AGIDB_INTERNAL' })
    expect(store.writes).toBe(0)
  })

  test('a bit that flips in a row or an id is noticed', () => {
    const [chunk] = chunksOf([{ slot: 4, id: 'four', row: row(4), signatures: {} }])
    for (let at = 0; at < chunk.entries.length; at++) {
      const entries = chunk.entries.slice()
      entries[at] ^= 4
      expect(() => episodesOf({ ...chunk, entries }), `byte ${at}`).toThrow(
        expect.objectContaining({ code: 'AGIDB_CORRUPT' }),
      )
    }
  })
})

test('a chunk with any flipped bit is AGIDB_CORRUPT; a chunk of an earlier version without a checksum is read', () => {
  const [chunk] = chunksOf(puts(0, 2, 20).map(({ op: _, ...episode }) => episode as StoredEpisode))
  for (let at = 0; at < chunk.entries.length; at += 3) {
    const rotten = { ...chunk, entries: chunk.entries.with(at, chunk.entries[at] ^ (1 << (at % 8))) }
    expect(() => episodesOf(rotten), `byte ${at}`).toThrow(
      expect.objectContaining({ code: 'AGIDB_CORRUPT', details: { slot: 0 } }),
    )
  }
  const { checksum, ...old } = chunk
  expect([typeof checksum, episodesOf(old)]).toEqual(['number', episodesOf(chunk)])
})
