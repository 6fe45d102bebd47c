import { expect, test } from 'vitest'
import type { Encoder, ImageInput } from '../../../../src/api/encoder.js'
import type { NewSensoryFrame } from '../../../../src/api/sensory.js'
import { openMemory } from '../../engine/open.js'
import { byteCounts } from '../../toys/senses.js'

const read = async (stream: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(stream).arrayBuffer())

/** An encoder of files that counts the thumbnails it makes: the first six bytes. */
function counting() {
  const made: ImageInput[] = []
  const thumbnail = async (file: ImageInput) => {
    made.push(file)
    return byteCounts.thumbnail!(file)
  }
  return { image: { ...byteCounts, thumbnail }, made }
}

const fileOf = (seed: number, length = 12) => Uint8Array.from({ length }, (_, i) => (i * seed * 7) % 251)
const see = (image: Uint8Array): NewSensoryFrame => ({ modality: 'image', image, keep: 'thumbnail' })

test('a frame that becomes no episode costs no thumbnail, and one that does has it', async () => {
  const { image, made } = counting()
  const db = await openMemory({ encoders: { image } })
  const { promotedTo } = await db.observeSensory(see(fileOf(1)))
  expect(await read(await db.media(promotedTo!))).toEqual(fileOf(1).slice(0, 6))
  expect(made).toHaveLength(1)
  for (let i = 0; i < 20; i++) expect((await db.observeSensory(see(fileOf(1)))).promotedTo).toBeUndefined()
  await db.surpriseScore(see(fileOf(5)))
  expect(made).toHaveLength(1)
  expect(await db.workingState()).toMatchObject({ observed: 21, promoted: 1 })
  await db.close()
})

test('it is made when the frame is observed later, of the picture as it was', async () => {
  const { image, made } = counting()
  const db = await openMemory({ encoders: { image }, surpriseThreshold: 1 })
  const file = fileOf(3)
  const { id: frame } = await db.observeSensory(see(file))
  file.fill(0) // the caller's own again
  expect(made).toEqual([])
  const id = await db.observe('The blue door.', { frame })
  expect(await read(await db.media(id))).toEqual(fileOf(3).slice(0, 6))
  expect(made).toHaveLength(1)
  await db.close()
})

test('of a picture that is large it is made at once, so that the buffer does not hold it', async () => {
  const { image, made } = counting()
  const db = await openMemory({ encoders: { image }, surpriseThreshold: 1 })
  const file = fileOf(3, 2 ** 22 + 1)
  const { id: frame } = await db.observeSensory(see(file))
  expect(made).toHaveLength(1)
  expect(await read(await db.media(await db.observe('The blue door.', { frame })))).toEqual(file.slice(0, 6))
  await db.close()
})

test('of a video its first picture is held', async () => {
  const { image, made } = counting()
  const video: Encoder<'video'> = {
    modality: 'video',
    id: '71de'.repeat(16),
    dimension: 256,
    encode: async (videos) => {
      const firsts = videos.map((pictures) => (pictures as readonly { readonly image: Uint8Array }[])[0].image)
      return image.encode(firsts)
    },
    thumbnail: (pictures) => image.thumbnail((pictures as readonly { readonly image: Uint8Array }[])[0].image),
    close: async () => {},
  }
  const db = await openMemory({ encoders: { video }, surpriseThreshold: 1 })
  const pictures = [1, 2, 3].map((seed) => ({ image: fileOf(seed), at: seed * 1_000 }))
  const { id: frame } = await db.observeSensory({ modality: 'video', video: pictures, keep: 'thumbnail' })
  expect(made).toEqual([])
  expect(await read(await db.media(await db.observe('A walk.', { frame })))).toEqual(fileOf(1).slice(0, 6))
  await db.close()
})

test('where it fails, the frame is refused and nothing is stored', async () => {
  const image = { ...byteCounts, thumbnail: () => Promise.reject(new Error('out of memory')) }
  const db = await openMemory({ encoders: { image } })
  await expect(db.observeSensory(see(fileOf(1)))).rejects.toMatchObject({
    code: 'AGIDB_ENCODER',
    message: expect.stringMatching(/out of memory/) as string,
  })
  expect(await db.workingState()).toMatchObject({ observed: 0 })
  expect(await db.count()).toBe(0)
  // An encoder that makes none is refused before anything is encoded.
  const { thumbnail: _, ...without } = byteCounts
  const bare = await openMemory({ encoders: { image: without }, surpriseThreshold: 1 })
  await expect(bare.observeSensory(see(fileOf(1)))).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  await Promise.all([db.close(), bare.close()])
})

test('frames that come at the same time are each judged by those before, and have their own', async () => {
  const { image, made } = counting()
  const db = await openMemory({ encoders: { image } })
  const files = [fileOf(1), fileOf(1), fileOf(4), fileOf(1)]
  const observed = await Promise.all(files.map((file) => db.observeSensory(see(file))))
  const episodes = observed.flatMap(({ promotedTo }) => promotedTo ?? [])
  expect(episodes).toHaveLength(2)
  for (const id of episodes) expect(await read(await db.media(id))).toHaveLength(6)
  expect(made.length).toBeLessThanOrEqual(4)
  await db.close()
})
