import { describe, expect, test } from 'vitest'
import type { Encoder } from '../../../src/api/encoder.js'
import type { MemoryChange } from '../../../src/api/change.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { connected } from '../rpc/worker/thread.js'
import { sendEncoders } from '../../../src/rpc/codec/encoders-port.js'
import { bandEnergies, chord, colourLayout, discs } from '../toys/senses.js'
import { expectForgotten } from './expect-forgotten.js'
import { NOW, openMemory, withFolder } from './open.js'

const encoders = { image: colourLayout, audio: bandEnergies }
const bytesOf = (latent: Float32Array) => kernel.project(latent)
const imageLatent = async (seed: number) => (await colourLayout.encode([discs(seed)]))[0]

async function filled(db: Engine, count: number): Promise<string[]> {
  const ids = []
  for (let i = 0; i < count; i++)
    ids.push(
      await db.observeMultimodal(
        { text: `visit number ${i}`, image: discs(i), audio: chord(i) },
        { id: `visit-${i}`, session: `s${i % 5}` },
      ),
    )
  return ids
}

describe('what is perceived is one episode', () => {
  test('that is found by a picture or a sound like its own, and by its words', async () => {
    const db = await openMemory({ encoders })
    const ids = await filled(db, 60)
    for (const i of [3, 17, 59]) {
      const byImage = await db.recall(undefined, { image: discs(i, { noise: 60 }) })
      expect(byImage.matches[0]).toMatchObject({ id: ids[i], senses: ['image', 'audio'], tier: 'similarity' })
      expect(byImage.matches[0].signals.image).toBeGreaterThan(0)
      const bySound = await db.recall('', { audio: chord(i, { noise: 0.2 }) })
      expect(bySound.matches[0]).toMatchObject({ id: ids[i] })
      expect(bySound.matches[0].signals.audio).toBeGreaterThan(0)
    }
    expect((await db.recall('visit number 17')).matches[0].id).toBe(ids[17])
    expect(await db.getEpisode(ids[3])).toMatchObject({ text: 'visit number 3', senses: ['image', 'audio'] })
    await db.close()
  })

  test('that is the first for its own picture, whatever newer one is nearly the same', async () => {
    const db = await openMemory({ encoders })
    const latent = await imageLatent(1)
    const near = latent.map((value, d) => value + (d % 2 === 0 ? 0.1 : -0.1) * Math.abs(value))
    await db.observeMultimodal({ latents: { image: latent } }, { id: 'same', at: NOW - 86_400_000 })
    await db.observeMultimodal({ latents: { image: near } }, { id: 'near', at: NOW })
    const ids = (await db.recall(undefined, { image: discs(1) })).matches.map(({ id }) => id)
    expect(ids).toEqual(['same', 'near'])
    await db.close()
  })

  test('that words and a picture find together', async () => {
    const db = await openMemory({ encoders })
    await db.observeMultimodal({ text: 'Sarah said that the lift is broken', image: discs(1) }, { id: 'lobby' })
    await db.observeMultimodal({ text: 'Sarah said that the rent is due', image: discs(2) }, { id: 'kitchen' })
    await db.observeMultimodal({ text: 'Tom watered the plants', image: discs(2, { noise: 30 }) }, { id: 'plants' })
    const said = 'what did Sarah say?'
    const { matches } = await db.recall(said, { image: discs(2, { noise: 50 }) })
    expect(matches[0].id).toBe('kitchen')
    expect((await db.recall(said, { image: discs(1, { noise: 50 }) })).matches[0].id).toBe('lobby')
    await db.close()
  })

  test('that says in words what it has where it was given none', async () => {
    const db = await openMemory({ encoders })
    const id = await db.observeMultimodal({ image: discs(1), audio: chord(1) })
    expect((await db.getEpisode(id))?.text).toBe('(image, audio)')
    await db.close()
  })

  test('that is no duplicate of another with the same words', async () => {
    const db = await openMemory({ encoders })
    for (let i = 0; i < 5; i++) await db.observeMultimodal({ image: discs(i) })
    expect((await db.recall(undefined, { image: discs(1) })).matches).toHaveLength(5)
    await db.close()
  })

  test('of text alone, which has no senses', async () => {
    const db = await openMemory()
    const id = await db.observeMultimodal({ text: 'It rains.' })
    expect(await db.getEpisode(id)).not.toHaveProperty('senses')
    await db.close()
  })

  test('of which subscribers are told after it was stored', async () => {
    const db = await openMemory({ encoders })
    const told: MemoryChange[] = []
    db.subscribe((change) => void told.push(change))
    const id = await db.observeMultimodal({ image: discs(1) })
    expect(told.map(({ kind, ids }) => [kind, ids])).toEqual([
      ['episodeStored', [id]],
      ['multimodalEpisodeStored', [id]],
    ])
    await db.close()
  })

  test('that may come with latents made before', async () => {
    const db = await openMemory({ encoders })
    await filled(db, 20)
    const id = await db.observeMultimodal({ latents: { image: await imageLatent(99) } })
    expect((await db.recall(undefined, { image: discs(99) })).matches[0].id).toBe(id)
    await db.close()
  })
})

describe('the signatures of what was perceived', () => {
  test('are unbound from the bundle of three parts, the right one first among 1,000', async () => {
    const db = await openMemory({ encoders })
    const latents = Array.from({ length: 1_000 }, (_, i) => ({
      image: Float32Array.from({ length: colourLayout.dimension }, (_, d) => Math.sin(i * 7.1 + d * (1 + i / 500))),
      audio: Float32Array.from({ length: bandEnergies.dimension }, (_, d) => Math.cos(i * 3.3 + d * (1 + i / 300))),
    }))
    for (const [i, latent] of latents.entries())
      await db.observeMultimodal({ text: `scene ${i}`, latents: latent }, { id: `scene-${i}` })
    let right = 0
    for (const [i, { image, audio }] of latents.entries()) {
      const [seen, heard] = await Promise.all([
        db.extractModalitySignature(`scene-${i}`, 'image'),
        db.extractModalitySignature(`scene-${i}`, 'audio'),
      ])
      if (same(seen, bytesOf(image)) && same(heard, bytesOf(audio))) right++
    }
    expect(right / latents.length).toBeGreaterThanOrEqual(0.95)
    expect(await db.extractModalitySignature('scene-1', 'video')).toBeUndefined()
    await db.close()
  }, 60_000)

  test('stay when the text is changed, and when the memory is opened again, with and without an encoder', () =>
    withFolder(async (path) => {
      const open = (given: object = { encoders }) =>
        openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, seed: 1, ...given })
      const first = await open()
      await filled(first, 30)
      await first.update('visit-7', { text: 'something else was said' })
      await first.close()
      const without = await open({})
      expect(await without.extractModalitySignature('visit-7', 'image')).toBeUndefined()
      expect(await without.getEpisode('visit-7')).toMatchObject({ senses: ['image', 'audio'] })
      await without.close()
      const again = await open()
      expect((await again.recall(undefined, { image: discs(7, { noise: 40 }) })).matches[0].id).toBe('visit-7')
      expect(await again.extractModalitySignature('visit-7', 'image')).toEqual(bytesOf(await imageLatent(7)))
      await again.compact()
      await again.close()
      const compacted = await open()
      expect((await compacted.recall('', { audio: chord(7) })).matches[0].id).toBe('visit-7')
      await compacted.close()
    }))

  test('come back from an export', async () => {
    const db = await openMemory({ encoders })
    await filled(db, 10)
    const other = await openMemory({ encoders })
    await other.import(await db.export())
    expect((await other.recall(undefined, { image: discs(4, { noise: 40 }) })).matches[0].id).toBe('visit-4')
    await Promise.all([db.close(), other.close()])
  })

  test('cross from a page to the engine', async () => {
    const db = await connected({ encoders: sendEncoders(encoders) })
    await db.observeMultimodal({ text: 'red', image: discs(1) }, { id: 'one' })
    await db.observeMultimodal({ text: 'blue', image: discs(2) }, { id: 'two' })
    expect((await db.recall(undefined, { image: discs(2, { noise: 30 }) })).matches[0].id).toBe('two')
    await db.close()
  })
})

describe('what was unlearned was never perceived', () => {
  const story = async (db: Engine, withSecret: boolean) => {
    await filled(db, 12)
    if (withSecret)
      await db.observeMultimodal({ text: 'the secret room', image: discs(500), audio: chord(500) }, { id: 'secret' })
    await db.observeMultimodal({ text: 'and then home', image: discs(501) }, { id: 'home' })
  }
  const answers = async (db: Engine) => {
    const cues = [500, 501, 3].map((seed) => ({ image: discs(seed), audio: chord(seed), k: 20 }))
    const all = []
    for (const cue of cues) all.push((await db.recall(undefined, cue)).matches, (await db.recall('room', cue)).matches)
    return { all, seen: await db.extractModalitySignature('home', 'image'), self: await db.selfVector() }
  }

  test('as a twin that never saw it answers', () => expectForgotten(encoders, story, answers))
})

test('an encoder of the page that fails is told of as an encoder', async () => {
  const image = { ...colourLayout, encode: () => Promise.reject(new Error('out of memory')) }
  const db = await connected({ encoders: sendEncoders({ image }) })
  await expect(db.observeMultimodal({ image: discs(1) })).rejects.toMatchObject({
    code: 'AGIDB_ENCODER',
    message: expect.stringMatching(/the image encoder failed: .*out of memory/),
  })
  await db.close()
})

test('where an encoder fails, text and the other senses go on, and subscribers are told', async () => {
  let isLost = false
  const encode: Encoder<'image'>['encode'] = async (pictures) => {
    if (isLost) throw new Error('the device was lost')
    return colourLayout.encode(pictures)
  }
  const db = await openMemory({ encoders: { image: { ...colourLayout, encode }, audio: bandEnergies } })
  await db.observeMultimodal({ text: 'the hall', image: discs(1), audio: chord(1) }, { id: 'hall' })
  const told: MemoryChange[] = []
  db.subscribe((change) => void told.push(change))
  isLost = true
  const lost = { code: 'AGIDB_ENCODER', message: expect.stringContaining('the device was lost') as string }
  await expect(db.observeMultimodal({ text: 'lost', image: discs(2) })).rejects.toMatchObject(lost)
  await expect(db.recall(undefined, { image: discs(1) })).rejects.toMatchObject(lost)
  await expect(db.observeSensory({ modality: 'image', image: discs(1) })).rejects.toMatchObject(lost)
  expect(told.map(({ kind, ids }) => [kind, ids])).toEqual(
    Array.from({ length: 3 }, () => ['encoderFailed', ['image']]),
  )
  await db.observe('The hall is open.', { id: 'text' })
  await db.observeMultimodal({ audio: chord(2) }, { id: 'sound' })
  expect((await db.recall('the hall')).matches.map(({ id }) => id)).toContain('hall')
  expect((await db.recall(undefined, { audio: chord(1) })).matches[0].id).toBe('hall')
  // And so does the sense itself, once its encoder works again.
  isLost = false
  expect((await db.recall(undefined, { image: discs(1) })).matches[0].id).toBe('hall')
  await db.close()
})

describe('refused, with nothing stored, is', () => {
  const failing: Encoder<'image'> = { ...colourLayout, encode: () => Promise.reject(new Error('out of memory')) }
  const answering = (latents: unknown): Encoder<'image'> => ({
    ...colourLayout,
    encode: async () => latents as Float32Array[],
  })
  const zero = new Float32Array(colourLayout.dimension)
  test.each([
    ['nothing at all', { encoders }, {}, 'AGIDB_INVALID_ARGUMENT', 'nothing to remember'],
    ['a picture without an encoder', {}, { image: discs(1) }, 'AGIDB_INVALID_ARGUMENT', 'encoders: { image: … }'],
    ['a sense that there is not', { encoders }, { smell: 1 }, 'AGIDB_UNKNOWN_OPTION', 'smell'],
    [
      'a latent of another length',
      { encoders },
      { latents: { image: new Float32Array(3) } },
      'AGIDB_INVALID_ARGUMENT',
      '3 numbers',
    ],
    ['a latent of zeros', { encoders }, { latents: { image: zero } }, 'AGIDB_INVALID_ARGUMENT', 'no direction'],
    [
      'a latent that is not finite',
      { encoders },
      { latents: { image: zero.map(() => NaN) } },
      'AGIDB_INVALID_ARGUMENT',
      'finite',
    ],
    [
      'what an encoder fails on',
      { encoders: { image: failing } },
      { text: 'a', image: discs(1) },
      'AGIDB_ENCODER',
      'out of memory',
    ],
    [
      'what an encoder answers wrongly',
      { encoders: { image: answering([zero]) } },
      { image: discs(1) },
      'AGIDB_ENCODER',
      'no direction',
    ],
    ['no answer', { encoders: { image: answering([]) } }, { image: discs(1) }, 'AGIDB_ENCODER', 'one input'],
  ])('%s', async (_, options, input, code, message) => {
    const db = await openMemory(options)
    await expect(db.observeMultimodal(input as object)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    })
    expect((await db.stats()).episodes).toBe(0)
    await db.close()
  })

  test('an encoder of another sense', async () => {
    await expect(
      openMemory({ encoders: { image: bandEnergies as unknown as Encoder<'image'> } }),
    ).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: expect.stringContaining("encoders.image must have modality 'image'") as string,
    })
  })
})

function same(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && a.every((byte, i) => byte === b[i])
}
