import { describe, expect, test } from 'vitest'
import type { MemoryChange } from '../../../../src/api/change.js'
import type { Encoder } from '../../../../src/api/encoder.js'
import type { NewSensoryFrame } from '../../../../src/api/sensory.js'
import type { EngineOptions } from '../../../../src/engine/options.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { NOW, openMemory, withFolder } from '../../engine/open.js'
import { kernel } from '../../encoding/kernel.js'
import { bandEnergies, byteCounts, chord, colourLayout, discs } from '../../toys/senses.js'

const encoders = { image: colourLayout, audio: bandEnergies }
const read = async (stream: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(stream).arrayBuffer())
const latentOf = async (seed: number) => (await colourLayout.encode([discs(seed)]))[0]
const see = (seed: number, more: object = {}): NewSensoryFrame => ({ modality: 'image', image: discs(seed), ...more })
const hear = (seed: number, more: object = {}): NewSensoryFrame => ({ modality: 'audio', audio: chord(seed), ...more })
const FILE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4, 5, 6, 7, 8)

async function at(options: Partial<EngineOptions> = {}) {
  const time = { now: NOW }
  return { db: await openMemory({ clock: () => time.now, encoders, ...options }), time }
}

describe('the episode that a frame of a picture or a sound becomes', () => {
  test('has the sense and the signature of its latent, and is found by a picture like it', async () => {
    const { db } = await at()
    await db.observe('It rains.')
    const frame = { modality: 'image', latent: await latentOf(1), encoder: colourLayout.id, text: 'the hall' } as const
    const { promotedTo } = await db.observeSensory(frame)
    expect(await db.getEpisode(promotedTo!)).toMatchObject({ text: 'the hall', senses: ['image'] })
    expect(await db.extractModalitySignature(promotedTo!, 'image')).toEqual(kernel.project(frame.latent))
    await db.observeSensory(see(2))
    const { matches } = await db.recall(undefined, { image: discs(1, { noise: 40 }) })
    expect(matches[0]).toMatchObject({ id: promotedTo, senses: ['image'] })
  })

  test('is made of what the encoders of the memory make of the picture or sound itself', async () => {
    const { db } = await at()
    const [seen, heard] = [await db.observeSensory(see(1)), await db.observeSensory(hear(2, { text: 'a bell' }))]
    expect((await db.workingState()).frames).toMatchObject([
      { modality: 'image', latent: await latentOf(1), encoder: colourLayout.id },
      { modality: 'audio', encoder: bandEnergies.id, text: 'a bell' },
    ])
    expect((await db.recall(undefined, { image: discs(1, { noise: 40 }) })).matches[0].id).toBe(seen.promotedTo)
    expect((await db.recall(undefined, { audio: chord(2, { noise: 0.1 }) })).matches[0].id).toBe(heard.promotedTo)
    expect(await db.surpriseScore(see(1, { text: 'again' }))).toBeLessThan(0.01)
  })

  test('has them when an observation is made of the frame later', async () => {
    const { db } = await at({ surpriseThreshold: 1 })
    const { id: frame, promotedTo } = await db.observeSensory(see(3))
    expect(promotedTo).toBeUndefined()
    const id = await db.observe('The blue door.', { frame })
    expect(await db.getEpisode(id)).toMatchObject({ text: 'The blue door.', senses: ['image'] })
    expect((await db.recall(undefined, { image: discs(3) })).matches[0].id).toBe(id)
  })

  test('keeps the picture as the frame says, from the buffer, too, and loses it when it is unlearned', async () => {
    const { db } = await at({ encoders: { image: byteCounts, audio: bandEnergies } })
    const given = { modality: 'image', image: FILE } as const
    const { promotedTo: whole } = await db.observeSensory({ ...given, keep: 'original' })
    expect(await db.listMedia(whole!)).toEqual([{ sense: 'image', type: 'image/png', bytes: FILE.length }])
    expect(await read(await db.media(whole!))).toEqual(FILE)
    const { id: frame, promotedTo } = await db.observeSensory({ ...given, keep: 'thumbnail' })
    expect(promotedTo).toBeUndefined()
    const small = await db.observe('The same again.', { frame })
    expect(await read(await db.media(small))).toEqual(FILE.slice(0, 6))
    expect(
      await db.listMedia((await db.observeSensory({ ...given, image: FILE.map((x) => 99 - x) })).promotedTo!),
    ).toEqual([])
    const other = await openMemory({ encoders: { image: byteCounts, audio: bandEnergies } })
    await other.import(await db.export())
    expect(await read(await other.media(whole!))).toEqual(FILE)
    await db.unlearn({ episode: whole! }, 'asked for')
    await expect(db.media(whole!)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    expect(await read(await db.media(small))).toEqual(FILE.slice(0, 6))
  })

  test('is there when the memory is opened again, with a later episode', () =>
    withFolder(async (path) => {
      const open = async () =>
        openMemory({ encoders: { image: byteCounts }, storage: nodeStorage(path), autoBelieve: 0.8 })
      const first = await open()
      const triples = [{ subject: 'the door', predicate: 'is', object: 'open' }]
      await first.observe('Someone left the door open!', { source: 'hall', triples })
      const about = { triples, source: 'camera' }
      const frame: NewSensoryFrame = { modality: 'image', image: FILE, keep: 'original', ...about }
      const { promotedTo } = await first.observeSensory(frame)
      await first.observe('Later.')
      await first.close()
      const again = await open()
      expect(await read(await again.media(promotedTo!))).toEqual(FILE)
      expect((await again.recall(undefined, { image: FILE })).matches[0].id).toBe(promotedTo)
      expect(await again.whatDoIBelieve('the door')).toHaveLength(1)
      await again.close()
    }))

  test('is told of as an episode with a picture', async () => {
    const { db } = await at()
    const told: MemoryChange[] = []
    db.subscribe((change) => void told.push(change))
    const { promotedTo } = await db.observeSensory(see(1))
    const about = told.filter(({ kind }) => kind !== 'sensoryFrameSeen' && kind !== 'sensoryFramePromoted')
    expect(about.map(({ kind, ids }) => [kind, ids])).toEqual([
      ['episodeStored', [promotedTo]],
      ['multimodalEpisodeStored', [promotedTo]],
    ])
  })

  test('has the sense where the name of its encoder is no id, too, and is found by no picture then', async () => {
    const { db } = await at()
    const latent = await latentOf(1)
    const { promotedTo } = await db.observeSensory({ modality: 'image', latent, encoder: 'an eye' })
    expect((await db.getEpisode(promotedTo!))!.senses).toEqual(['image'])
    expect(await db.extractModalitySignature(promotedTo!, 'image')).toBeUndefined()
    const known = await db.observeSensory(see(2))
    const { matches } = await db.recall(undefined, { image: discs(1) })
    expect(matches[0].id).toBe(known.promotedTo)
  })
})

describe('a picture that bears on a goal', () => {
  test('is one like a memory whose words do', async () => {
    const { db, time } = await at({ surpriseThreshold: 1 })
    await db.observeMultimodal({ text: 'The Thai place on the corner has room for a team dinner', image: discs(7) })
    await db.observeMultimodal({ text: 'The cat sleeps on the sofa', image: discs(8) })
    const goal = await db.setGoal({ description: 'Find a Thai place for the team dinner' })
    const seen = async (seed: number) => {
      time.now += 61_000
      await db.observeSensory(see(seed, { image: discs(seed, { noise: 30 }) }))
      const { goalRelevance, promotedFor } = (await db.workingState()).frames.at(-1)!
      return { goalRelevance, promotedFor }
    }
    const near = await seen(7)
    expect(near.promotedFor).toBe('goal')
    expect(near.goalRelevance).toBeGreaterThan(0.2)
    expect(await seen(8)).toEqual({ goalRelevance: 0, promotedFor: undefined })
    for (let seed = 9; seed < 40; seed++) expect(await seen(seed)).toEqual({ goalRelevance: 0, promotedFor: undefined })
    await db.pauseGoal(goal)
    expect(await seen(7)).toEqual({ goalRelevance: 0, promotedFor: undefined })
  })
})

describe('how little a picture is to be expected', () => {
  test('falls with what is remembered, when the buffer has nothing like it any more', async () => {
    const { db, time } = await at()
    const { promotedTo } = await db.observeSensory(see(1))
    time.now += 600_000
    expect((await db.workingState()).frames).toEqual([])
    expect(await db.surpriseScore(see(1, { image: discs(1, { noise: 20 }) }))).toBeLessThan(0.3)
    expect(await db.surpriseScore(see(2))).toBeGreaterThan(0.5)
    await db.unlearn({ episode: promotedTo! }, 'asked for')
    expect(await db.surpriseScore(see(1, { image: discs(1, { noise: 20 }) }))).toBe(1)
  })
})

describe('a memory that is closed while a picture is encoded', () => {
  test('does not store it', async () => {
    let encode = () => {}
    const waiting = new Promise<void>((resolve) => (encode = resolve))
    const image: Encoder<'image'> = { ...colourLayout, encode: (some) => waiting.then(() => colourLayout.encode(some)) }
    const { db } = await at({ encoders: { image } })
    const observed = db.observeSensory(see(1))
    await db.close()
    encode()
    await expect(observed).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  })
})

describe('refused, with nothing stored, is a frame with', () => {
  const latent = Float32Array.of(1, 2)
  test.each<[string, object, string]>([
    [
      'a picture and a latent',
      { modality: 'image', image: discs(1), latent, encoder: 'eye' },
      'AGIDB_INVALID_ARGUMENT',
    ],
    ['a sound for a picture', { modality: 'image', audio: chord(1) }, 'AGIDB_INVALID_ARGUMENT'],
    ['a picture for a text', { modality: 'text', text: 'x', image: discs(1) }, 'AGIDB_INVALID_ARGUMENT'],
    ['an encoder for a picture', { modality: 'image', image: discs(1), encoder: 'eye' }, 'AGIDB_INVALID_ARGUMENT'],
    ['a picture of which pixels are to be kept', see(1, { keep: 'original' }), 'AGIDB_INVALID_ARGUMENT'],
    ['another way to keep it', see(1, { keep: 'all' }), 'AGIDB_INVALID_ARGUMENT'],
    ['a latent to keep', { modality: 'image', latent, encoder: 'eye', keep: 'original' }, 'AGIDB_INVALID_ARGUMENT'],
    ['a sound that no encoder takes', { modality: 'audio', audio: chord(1) }, 'AGIDB_INVALID_ARGUMENT'],
    ['neither a picture nor a latent', { modality: 'image' }, 'AGIDB_INVALID_ARGUMENT'],
  ])('%s', async (_, frame, code) => {
    const { db } = await at({ encoders: { image: colourLayout } })
    await expect(db.observeSensory(frame as never)).rejects.toMatchObject({ code })
    await expect(db.workingState()).resolves.toMatchObject({ observed: 0 })
    expect(await db.count()).toBe(0)
  })

  test('a picture where the encoder fails', async () => {
    const image = { ...colourLayout, encode: () => Promise.reject(new Error('out of memory')) }
    const { db } = await at({ encoders: { image } })
    await expect(db.observeSensory(see(1))).rejects.toMatchObject({ code: 'AGIDB_ENCODER' })
    expect((await db.workingState()).observed).toBe(0)
    expect((await db.observeSensory({ modality: 'text', text: 'A bell rings in the tower.' })).promotedTo).toBeDefined()
  })
})
