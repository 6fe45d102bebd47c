import { describe, expect, test } from 'vitest'
import type { AddEpisodes, StoredEpisode } from '../../../src/api/storage.js'
import type { Encoder } from '../../../src/api/encoder.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { noise } from '../../../src/storage/contract/episodes.js'
import { altered } from '../storage/altered-adapter.js'
import { colourLayout } from '../toys/senses.js'
import { openMemory } from './open.js'

const image: Encoder<'image'> = {
  ...colourLayout,
  dimension: 256,
  encode: async (files) => files.map((file) => Float32Array.from((file as Uint8Array).subarray(0, 256))),
}
const MB = 2 ** 20
const PICTURES = 30

/** The memory of a storage that notes how many bytes of rows are read and written at a time. */
async function measured() {
  const read: number[] = []
  const written: number[] = []
  const sizeOf = (rows: readonly StoredEpisode[]) => rows.reduce((sum, { row }) => sum + row.length, 0)
  const storage = altered(memoryStorage(), ({ rows }) => ({
    rows: {
      ...rows,
      async read(slots) {
        const found = await rows.read(slots)
        read.push(sizeOf(found))
        return found
      },
      replace: (fill) =>
        rows.replace((add) => {
          const measuring: AddEpisodes = (some) => {
            written.push(sizeOf(some))
            return add(some)
          }
          return fill(measuring)
        }),
    },
  }))
  return { db: await openMemory({ storage, encoders: { image } }), read, written }
}

describe('an export of many pictures', () => {
  test('reads few of them at a time, and so does its import write them', async () => {
    const from = await measured()
    for (let i = 0; i < PICTURES; i++) {
      await from.db.observe(`Note ${i}.`)
      await from.db.observeMultimodal({ image: noise(i, MB) }, { id: `picture-${i}`, keep: 'original' })
    }
    const to = await measured()
    await to.db.import(await from.db.export())
    for (const sizes of [from.read, to.written]) {
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(PICTURES * MB)
      expect(Math.max(...sizes)).toBeLessThan(10 * MB)
    }
    for (let i = 0; i < PICTURES; i++) {
      const kept = await new Response(await to.db.media(`picture-${i}`)).arrayBuffer()
      expect(Buffer.from(kept).equals(noise(i, MB))).toBe(true)
    }
    expect((await to.db.stats()).episodes).toBe(2 * PICTURES)
    await from.db.close()
    await to.db.close()
  })
})
