import { describe, expect, test } from 'vitest'
import type { Encoder, Pixels, VideoInput, VideoPicture } from '../../../src/api/encoder.js'
import type { MemoryChange } from '../../../src/api/change.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import { videoEncoder } from '../../../src/models/node.js'
import { sendEncoders } from '../../../src/rpc/codec/encoders-port.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { connected } from '../rpc/worker/thread.js'
import { bandEnergies, chord, colourLayout, discs } from '../toys/senses.js'
import { NOW, openMemory, withFolder } from './open.js'

const image: Encoder<'image'> = {
  ...colourLayout,
  thumbnail: async (picture) => ({ type: 'image/jpeg', bytes: Uint8Array.from((picture as Pixels).data.slice(0, 9)) }),
}
const encoders = { image, audio: bandEnergies, video: await videoEncoder({ image }) }

/** Three scenes of a second, other ones for each seed. */
const clip = (seed: number, noise = 0): VideoPicture[] =>
  [0, 1, 2, 3, 4, 5].map((i) => ({ image: discs(10 * seed + (i >> 1), { noise: noise + i }), at: 500 * i }))
const latentOf = async (video: VideoInput) => (await encoders.video.encode([video]))[0]
const WEBM = Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3, 1, 2, 3, 4, 5, 6, 7, 8)

/** Takes files as they are; as a browser's encoder, which decodes them, would. */
const ofFiles: Encoder<'video'> = {
  ...encoders.video,
  modality: 'video',
  id: 'f17e'.repeat(16),
  dimension: 256,
  encode: async (files) =>
    files.map((file) => {
      const counts = new Float32Array(256)
      for (const byte of file as Uint8Array) counts[byte]++
      return counts
    }),
}

describe('an episode with a video', () => {
  test('is found by a video like it, among pictures and sounds, and says that it has one', async () => {
    const db = await openMemory({ encoders })
    await db.observeMultimodal({ image: discs(1), audio: chord(1) }, { id: 'other' })
    for (let i = 1; i < 20; i++)
      await db.observeMultimodal({ video: clip(i), ...(i % 2 && { image: discs(i) }) }, { id: `clip-${i}` })
    for (const i of [1, 8, 19]) {
      const { matches } = await db.recall(undefined, { video: clip(i, 40) })
      expect(matches[0]).toMatchObject({ id: `clip-${i}`, senses: i % 2 ? ['image', 'video'] : ['video'] })
      expect(matches[0].signals.video).toBeGreaterThan(0)
    }
    expect((await db.getEpisode('clip-8'))?.text).toBe('(video)')
    const signature = await db.extractModalitySignature('clip-8', 'video')
    expect(signature).toEqual(kernel.project(await latentOf(clip(8))))
    await db.close()
  })

  test('counts with words, and its part in an answer can be left out', async () => {
    const db = await openMemory({ encoders })
    await db.observeMultimodal({ text: 'Sarah said that the lift is broken', video: clip(1) }, { id: 'lobby' })
    await db.observeMultimodal({ text: 'Sarah said that the rent is due', video: clip(2) }, { id: 'kitchen' })
    const { id, matches } = await db.recall('what did Sarah say?', { video: clip(2, 30) })
    expect(matches[0].id).toBe('kitchen')
    const { matches: explained } = await db.explain(id, { without: 'video' })
    expect(explained.map(({ id }) => id)).toContain('kitchen')
    await db.close()
  })

  test('stays when the memory is opened again and exported, and answers as a twin once it is unlearned', () =>
    withFolder(async (path) => {
      const open = () => openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, seed: 1, encoders })
      const first = await open()
      for (let i = 0; i < 9; i++) await first.observeMultimodal({ video: clip(i) }, { id: `clip-${i}` })
      await first.close()
      const again = await open()
      expect((await again.recall(undefined, { video: clip(4, 30) })).matches[0].id).toBe('clip-4')
      const other = await openMemory({ encoders })
      await other.import(await again.export())
      expect((await other.recall(undefined, { video: clip(4, 30) })).matches[0].id).toBe('clip-4')
      const asked = async (db: Engine) => (await db.recall(undefined, { video: clip(4), k: 20 })).matches
      const twin = await openMemory({ encoders })
      for (let i = 0; i < 9; i++) if (i !== 4) await twin.observeMultimodal({ video: clip(i) }, { id: `clip-${i}` })
      await again.unlearn({ episode: 'clip-4' }, 'asked for')
      expect(await asked(again)).toEqual(await asked(twin))
      await Promise.all([again, other, twin].map((db) => db.close()))
    }))

  test('keeps a picture of it, or its file, as it is asked to', async () => {
    const db = await openMemory({ encoders })
    const small = await db.observeMultimodal({ video: clip(1) }, { keep: 'thumbnail' })
    expect(await db.listMedia(small)).toEqual([{ sense: 'video', type: 'image/jpeg', bytes: 9 }])
    const whole = db.observeMultimodal({ video: clip(1) }, { keep: 'original' })
    await expect(whole).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await db.close()
    const files = await openMemory({ encoders: { video: ofFiles } })
    const id = await files.observeMultimodal({ video: WEBM }, { keep: 'original' })
    expect(await files.listMedia(id)).toEqual([{ sense: 'video', type: 'video/webm', bytes: WEBM.length }])
    expect(new Uint8Array(await new Response(await files.media(id, 'video')).arrayBuffer())).toEqual(WEBM)
    const mp4 = Uint8Array.of(0, 0, 0, 8, ...new TextEncoder().encode('ftyp'), 0, 0, 0, 0)
    const other = await files.observeMultimodal({ video: mp4 }, { keep: 'original' })
    expect(await files.listMedia(other)).toMatchObject([{ type: 'video/mp4' }])
    await files.close()
  })

  test('may come with a latent made before, of something that cannot be sent to the engine', async () => {
    const db = await connected({ encoders: sendEncoders(encoders) })
    const told: MemoryChange[] = []
    db.subscribe((change) => void told.push(change))
    await db.observeMultimodal({ video: clip(1) }, { id: 'one' })
    await db.observeMultimodal({ latents: { video: await latentOf(clip(2)) } }, { id: 'two' })
    expect((await db.recall(undefined, { video: clip(2, 30) })).matches[0].id).toBe('two')
    expect((await db.recall(undefined, { video: clip(1, 30) })).matches[0].id).toBe('one')
    const generated = db.observeMultimodal({ video: clip(1).values() })
    await expect(generated).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    expect(told.filter(({ kind }) => kind === 'multimodalEpisodeStored').map(({ ids }) => ids)).toEqual([
      ['one'],
      ['two'],
    ])
    await db.close()
  })
})

describe('a frame of a video', () => {
  test('becomes an episode with its sense where it is new, and is known the next time', async () => {
    const db = await openMemory({ encoders })
    const { promotedTo } = await db.observeSensory({ modality: 'video', video: clip(1), keep: 'thumbnail' })
    expect(await db.getEpisode(promotedTo!)).toMatchObject({ senses: ['video'] })
    expect(await db.listMedia(promotedTo!)).toEqual([{ sense: 'video', type: 'image/jpeg', bytes: 9 }])
    expect((await db.observeSensory({ modality: 'video', video: clip(1, 20) })).promotedTo).toBeUndefined()
    const latent = await latentOf(clip(2))
    const made = await db.observeSensory({ modality: 'video', latent, encoder: encoders.video.id })
    expect((await db.recall(undefined, { video: clip(2) })).matches[0].id).toBe(made.promotedTo)
    await db.close()
  })
})

test('a memory without an encoder of videos says how to open it with one', async () => {
  const db = await openMemory({ encoders: { image } })
  await expect(db.observeMultimodal({ video: clip(1) })).rejects.toMatchObject({
    code: 'AGIDB_INVALID_ARGUMENT',
    message: expect.stringContaining('encoders: { video: … }') as string,
  })
  await db.close()
})
