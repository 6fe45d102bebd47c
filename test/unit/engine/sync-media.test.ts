import { expect, test } from 'vitest'
import type { Agidb } from '../../../src/api/agidb.js'
import { bandEnergies, colourLayout } from '../toys/senses.js'
import { listed, NOW, openMemory } from './open.js'

const encoders = {
  image: { ...colourLayout, encode: async (files: readonly unknown[]) => files.map(() => Float32Array.of(1, 2, 3, 4)) },
  audio: bandEnergies,
}
const IMAGE = { ...encoders.image, dimension: 4 }
const PICTURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3)

const bytesOf = async (db: Agidb, id: string) => new Uint8Array(await new Response(await db.media(id)).arrayBuffer())

async function give(from: Agidb, to: Agidb): Promise<void> {
  await to.apply(await from.changes(await to.versionVector()))
}

test('a picture that is kept stays with its episode when older ones come before it, and goes with it', async () => {
  let now = NOW
  const open = (seed: number) => openMemory({ clock: () => (now += 1000), seed, encoders: { image: IMAGE } })
  const [a, b] = [await open(1), await open(2)]
  await b.observe('The office is in Oslo.')
  await a.observe('The dentist moved to Hill Road.')
  const id = await a.observeMultimodal({ text: 'the harbour', image: PICTURE }, { keep: 'original' })
  await a.observe('Sarah recommended Bawri.')
  await give(b, a)
  expect((await listed(a)).map(({ text }) => text)[0]).toBe('The office is in Oslo.')
  expect(await bytesOf(a, id)).toEqual(PICTURE)
  // The other device has the episode, and not its picture.
  await give(a, b)
  await expect(b.media(id)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })

  await b.unlearn({ episode: id }, 'test')
  await b.observe('The rent is due.')
  await give(b, a)
  await expect(a.media(id)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
  for (const episode of await listed(a)) expect(await a.listMedia(episode.id)).toEqual([])
  await a.close()
  await b.close()
})

test('so does that of an episode that a frame became', async () => {
  let now = NOW
  const open = (seed: number) => openMemory({ clock: () => (now += 1000), seed, encoders: { image: IMAGE } })
  const [a, b] = [await open(1), await open(2)]
  await b.observe('The office is in Oslo.')
  await a.observe('The dentist moved to Hill Road.')
  const frame = { modality: 'image', image: PICTURE, keep: 'original', text: 'the harbour' } as const
  const { promotedTo: id } = await a.observeSensory(frame)
  await a.observe('Sarah recommended Bawri.')
  await give(b, a)
  expect(await bytesOf(a, id!)).toEqual(PICTURE)
  await give(a, b)
  expect((await b.recall(undefined, { image: PICTURE })).matches[0]).toMatchObject({ id, senses: ['image'] })
  await a.close()
  await b.close()
})

test('so do the pictures and sounds of a frame of several senses, by their signatures', async () => {
  let now = NOW
  const heard = { ...bandEnergies, dimension: 2, encode: async () => [Float32Array.of(1, 2)] }
  const open = (seed: number) =>
    openMemory({ clock: () => (now += 1000), seed, encoders: { image: IMAGE, audio: heard } })
  const [a, b] = [await open(1), await open(2)]
  await b.observe('The office is in Oslo.')
  const frame = { modality: 'multimodal', image: PICTURE, audio: PICTURE, keep: 'original' } as const
  const { promotedTo: id } = await a.observeSensory(frame)
  await give(b, a)
  await give(a, b)
  expect(await a.listMedia(id!)).toHaveLength(2)
  for (const cue of [{ image: PICTURE }, { audio: PICTURE }])
    expect((await b.recall(undefined, cue)).matches[0]).toMatchObject({ id, senses: ['image', 'audio'] })
  expect((await b.workingState()).frames).toEqual([])
  await b.unlearn({ episode: id! }, 'test')
  await give(b, a)
  expect((await a.workingState()).frames).toEqual([])
  await expect(a.media(id!, 'audio')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
  await a.close()
  await b.close()
})
