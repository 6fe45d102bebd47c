import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MultimodalFrame, NewSensoryFrame } from '../../../../src/api/sensory.js'
import type { EngineOptions } from '../../../../src/engine/options.js'
import { sendEncoders } from '../../../../src/rpc/codec/encoders-port.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { runs } from '../../../runs.js'
import { NOW, openMemory, withFolder } from '../../engine/open.js'
import { connected } from '../../rpc/worker/thread.js'
import { bandEnergies, byteCounts, chord, colourLayout, discs } from '../../toys/senses.js'
import { exported } from '../../transfer/exported.js'

const encoders = { image: colourLayout, audio: bandEnergies }
const imageLatent = async (seed: number) => (await colourLayout.encode([discs(seed)]))[0]
const audioLatent = async (seed: number) => (await bandEnergies.encode([chord(seed)]))[0]
/** Latents that the encoders made before. */
const MADE = { image: await imageLatent(1), audio: await audioLatent(1) }
const at = async (options: Partial<EngineOptions> = {}) => {
  const time = { now: NOW }
  return { db: await openMemory({ clock: () => time.now, encoders, ...options }), time }
}
const several = (parts: Omit<MultimodalFrame, 'modality'>): MultimodalFrame => ({ modality: 'multimodal', ...parts })
const read = async (stream: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(stream).arrayBuffer())
const FILE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4, 5, 6, 7, 8)

describe('the surprise of a frame of several senses', () => {
  test('is that of the part that is newest to its own sense, and the frame shows all of them', async () => {
    const { db } = await at()
    await db.observeMultimodal({ text: 'The hall is empty this morning.', image: discs(1), audio: chord(1) })
    const known = { text: 'The hall is empty this morning.', image: discs(1) }
    const { surprise } = await db.observeSensory(several({ ...known, audio: chord(2) }))
    const frame = (await db.workingState()).frames[0]
    expect(frame).toMatchObject({ modality: 'multimodal', text: known.text, surprise, promotedFor: 'surprise' })
    expect(frame.parts!.map(({ modality }) => modality)).toEqual(['text', 'image', 'audio'])
    const [text, image, audio] = frame.parts!
    expect(text.surprise).toBeLessThan(0.1)
    expect(image.surprise).toBeLessThan(0.01)
    expect(audio.surprise).toBe(surprise)
    expect(surprise).toBeGreaterThan(0.6)
    expect(text).toEqual({ modality: 'text', surprise: text.surprise })
    expect(image).toMatchObject({ encoder: colourLayout.id, latent: await imageLatent(1) })
    expect(audio).toMatchObject({ encoder: bandEnergies.id, latent: await audioLatent(2) })
    image.latent!.fill(9)
    expect((await db.workingState()).frames[0].parts![1].latent).toEqual(await imageLatent(1))
  })

  test('is the greatest of those of its parts alone, whatever the memory and the buffer hold', async () => {
    const seeds = fc.option(fc.nat(3), { nil: undefined })
    const moment = fc.record({ text: seeds, image: seeds, audio: seeds })
    const texts = ['The bell rings.', 'Maya opened a shop in Oslo.', 'Maya opened a shop in Rome.', 'Roger.']
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { maxLength: 4 }), moment, async (before, now) => {
        const { db } = await at({ encoders: { image: colourLayout, audio: bandEnergies } })
        const partsOf = ({ text, image, audio }: typeof now) => ({
          ...(text !== undefined && { text: texts[text] }),
          ...(image !== undefined && { image: discs(image, { size: 16 }) }),
          ...(audio !== undefined && { audio: chord(audio) }),
        })
        const isSome = (one: typeof now) => Object.values(one).some((seed) => seed !== undefined)
        fc.pre(isSome(now))
        for (const one of before.filter(isSome)) await db.observeSensory(several(partsOf(one)))
        const parts = partsOf(now)
        const alone: NewSensoryFrame[] = [
          ...(parts.text === undefined ? [] : [{ modality: 'text' as const, text: parts.text }]),
          ...(parts.image === undefined ? [] : [{ modality: 'image' as const, image: parts.image }]),
          ...(parts.audio === undefined ? [] : [{ modality: 'audio' as const, audio: parts.audio }]),
        ]
        const surprises: number[] = []
        for (const frame of alone) surprises.push(await db.surpriseScore(frame))
        expect(await db.surpriseScore(several(parts))).toBe(Math.max(...surprises))
        await db.observeSensory(several(parts))
        const { frames } = await db.workingState()
        expect(frames.at(-1)!.parts!.map(({ surprise }) => surprise)).toEqual(surprises)
        await db.close()
      }),
      { numRuns: runs(30) },
    )
  })

  test('falls with pictures and sounds in the buffer, of frames of one sense and of several', async () => {
    const { db } = await at({ surpriseThreshold: 1 })
    await db.observeSensory({ modality: 'image', image: discs(1) })
    await db.observeSensory(several({ image: discs(2), audio: chord(2) }))
    const seen = async (frame: NewSensoryFrame) => db.surpriseScore(frame)
    expect(await seen(several({ image: discs(1, { noise: 20 }) }))).toBeLessThan(0.3)
    expect(await seen({ modality: 'image', image: discs(2, { noise: 20 }) })).toBeLessThan(0.3)
    expect(await seen({ modality: 'audio', audio: chord(2) })).toBeLessThan(0.01)
    expect(await seen(several({ image: discs(2), audio: chord(3) }))).toBeGreaterThan(0.5)
  })

  test('is of text alone as that of a text, with what it differs from', async () => {
    const { db } = await at()
    const id = await db.observe('The dentist moved to Hill Road.')
    const { surprise } = await db.observeSensory(
      several({ text: 'The dentist moved to Lake Road.', latents: { image: await imageLatent(1) } }),
    )
    expect((await db.workingState()).frames[0]).toMatchObject({
      surprise,
      differsFrom: { episode: id, parts: [{ here: 'Lake', there: 'Hill' }] },
    })
    const known = several({ text: 'The dentist moved to Hill Road.' })
    expect(await db.surpriseScore(known)).toBe(await db.surpriseScore({ modality: 'text', text: known.text! }))
  })

  test('is calibrated by the profile of the memory', async () => {
    const surpriseProfile = { surprise: [0, 1], expected: [0.2, 0.8], threshold: 0.5 }
    const { db } = await at({ surpriseProfile })
    const frame = several({ image: discs(1), audio: chord(1) })
    expect(await db.surpriseScore(frame)).toBe(1)
    expect(await db.surpriseScoreBrainCalibrated(frame)).toBe(0.8)
  })
})

describe('the episode that a frame of several senses becomes', () => {
  test.each([
    ['a picture and a sound', { image: discs(1), audio: chord(1) }, '(image, audio)'],
    ['words and a sound', { text: 'A bell.', audio: chord(1) }, 'A bell.'],
    ['latents', { latents: MADE }, '(image, audio)'],
    ['one picture', { image: discs(1) }, '(image)'],
    ['words alone', { text: 'Maya opened a shop.' }, 'Maya opened a shop.'],
  ])('is that of observeMultimodal: %s', async (_, parts, text) => {
    const about = { speaker: 'Maya', session: 's', source: 'camera', at: NOW - 5_000 }
    const triples = [{ subject: 'Maya', predicate: 'opened', object: 'a shop' }]
    const [{ db: perceiving }, { db: observing }] = [await at(), await at()]
    const { promotedTo } = await perceiving.observeSensory(several({ ...parts, ...about, triples }))
    const id = await observing.observeMultimodal(parts, { ...about, triples })
    const [{ provenance, ...own }, { provenance: its, ...other }] = [
      (await perceiving.getEpisode(promotedTo!))!,
      (await observing.getEpisode(id))!,
    ]
    expect({ ...own, id }).toEqual(other)
    expect({ ...provenance, episodes: [id] }).toEqual(its)
    expect(own.text).toBe(text)
    for (const sense of ['image', 'audio'] as const)
      expect(await perceiving.extractModalitySignature(promotedTo!, sense)).toEqual(
        await observing.extractModalitySignature(id, sense),
      )
  })

  test('is found by a picture and by a sound like it', async () => {
    const { db } = await at()
    const { promotedTo } = await db.observeSensory(several({ image: discs(1), audio: chord(1) }))
    await db.observeSensory(several({ image: discs(2), audio: chord(2) }))
    for (const cue of [{ image: discs(1, { noise: 40 }) }, { audio: chord(1, { noise: 0.1 }) }]) {
      const { matches } = await db.recall(undefined, cue)
      expect(matches[0]).toMatchObject({ id: promotedTo, senses: ['image', 'audio'] })
    }
  })

  test('has what is kept of its parts, when it is observed later, too', async () => {
    const { db } = await at({ encoders: { image: byteCounts, audio: bandEnergies } })
    const wav = Uint8Array.of(...new TextEncoder().encode('RIFF....WAVE'), 1, 2, 3)
    const heard = { ...bandEnergies, encode: async (some: readonly unknown[]) => some.map(() => Float32Array.of(1, 2)) }
    const files = await openMemory({ encoders: { image: byteCounts, audio: { ...heard, dimension: 2 } } })
    const both = several({ image: FILE, audio: wav, keep: 'original' })
    const { promotedTo } = await files.observeSensory(both)
    expect(await files.listMedia(promotedTo!)).toEqual([
      { sense: 'image', type: 'image/png', bytes: FILE.length },
      { sense: 'audio', type: 'audio/wav', bytes: wav.length },
    ])
    expect(await read(await files.media(promotedTo!, 'audio'))).toEqual(wav)

    const { id: frame } = await files.observeSensory(both)
    const id = await files.observe('Again.', { frame })
    expect(await read(await files.media(id, 'image'))).toEqual(FILE)

    const { promotedTo: small } = await db.observeSensory(
      several({ image: FILE, latents: { audio: await audioLatent(1) }, keep: 'thumbnail' }),
    )
    expect(await db.listMedia(small!)).toEqual([{ sense: 'image', type: 'image/jpeg', bytes: 6 }])
  })

  test('is made when an observation is made of the frame later, with its words', async () => {
    const { db } = await at({ surpriseThreshold: 1 })
    const { id: frame, promotedTo } = await db.observeSensory(several({ image: discs(3), audio: chord(3) }))
    expect(promotedTo).toBeUndefined()
    const id = await db.observe('The blue door creaks.', { frame })
    expect(await db.getEpisode(id)).toMatchObject({ text: 'The blue door creaks.', senses: ['image', 'audio'] })
    expect((await db.recall(undefined, { audio: chord(3) })).matches[0].id).toBe(id)
    expect((await db.workingState()).frames[0]).toMatchObject({ promotedTo: id, promotedFor: 'observed' })
  })

  test('comes of a goal that its words bear on, or the memories that look or sound like it', async () => {
    const { db } = await at({ surpriseThreshold: 1 })
    await db.observeMultimodal({ text: 'The Thai place on the corner has room for a team dinner', audio: chord(7) })
    await db.setGoal({ description: 'Find a Thai place for the team dinner' })
    const seen = async (frame: NewSensoryFrame) => {
      const { id } = await db.observeSensory(frame)
      return (await db.workingState()).frames.find((one) => one.id === id)!.promotedFor
    }
    expect(await seen(several({ image: discs(8), audio: chord(7, { noise: 0.05 }) }))).toBe('goal')
    expect(await seen(several({ text: 'A Thai place for the team', image: discs(9) }))).toBe('goal')
    expect(await seen(several({ image: discs(10), audio: chord(10) }))).toBeUndefined()
  })
})

describe('a frame of several senses', () => {
  test('is as it was when the memory is opened again, and can become an episode then', () =>
    withFolder(async (path) => {
      const open = () => openMemory({ encoders, storage: nodeStorage(path), surpriseThreshold: 1 })
      const first = await open()
      const { id: frame } = await first.observeSensory(
        several({ text: 'A bell.', image: discs(1), audio: chord(1), session: 's' }),
      )
      await first.observeSensory(several({ image: discs(2) }))
      const before = await first.workingState()
      await first.close()
      const again = await open()
      expect(await again.workingState()).toEqual(before)
      expect(await again.surpriseScore({ modality: 'image', image: discs(1) })).toBeLessThan(0.01)
      const id = await again.observe('The bell of the tower.', { frame })
      expect((await again.recall(undefined, { audio: chord(1) })).matches[0].id).toBe(id)
      expect(await again.verify()).toMatchObject({ ok: true })
      await again.close()
    }))

  test.each(['plain', 'right'])('goes into an export and out of it (%s)', async (passphrase) => {
    const options = passphrase === 'plain' ? {} : { passphrase }
    const { db } = await at()
    await db.observeSensory(several({ text: 'A bell.', image: discs(1), audio: chord(1) }))
    await db.observeSensory(several({ image: discs(1) }))
    const { db: other } = await at()
    await other.import(await exported(db, options), options)
    expect(await other.workingState()).toEqual(await db.workingState())
    expect(await other.verify()).toMatchObject({ ok: true })
  })

  test('crosses to the worker of the engine and back, a sound of a page with it', async () => {
    const db = await connected({ encoders: sendEncoders(encoders) })
    const { samples, sampleRate } = chord(1)
    const audio = { sampleRate, numberOfChannels: 1, length: samples.length, getChannelData: () => samples }
    const { promotedTo } = await db.observeSensory(several({ text: 'A bell.', image: discs(1), audio }))
    expect((await db.workingState()).frames[0].parts).toMatchObject([
      { modality: 'text' },
      { modality: 'image', latent: MADE.image },
      { modality: 'audio', latent: MADE.audio },
    ])
    expect(await db.getEpisode(promotedTo!)).toMatchObject({ senses: ['image', 'audio'] })
    await db.close()
  })

  test('is forgotten with its session, and is back when that is restored', async () => {
    const { db, time } = await at()
    await db.observe('It rains.')
    await db.observeSensory(several({ image: discs(1), audio: chord(1), session: 's' }))
    await db.observeSensory(several({ image: discs(1), audio: chord(1, { noise: 0.01 }), session: 's' }))
    const before = await db.workingState()
    const { auditId, framesRemoved } = await db.unlearn({ session: 's' }, 'asked for')
    expect(framesRemoved).toBe(2)
    expect((await db.workingState()).frames).toEqual([])
    expect(await db.surpriseScore(several({ image: discs(1), audio: chord(1) }))).toBe(1)
    await db.restoreWithinWindow(auditId!)
    expect(await db.workingState()).toEqual(before)
    expect(await db.surpriseScore(several({ image: discs(1), audio: chord(1) }))).toBeLessThan(0.01)
    time.now += 61_000
    expect((await db.workingState()).frames).toEqual([])
  })
})

describe('refused, with nothing stored, is a frame of several senses', () => {
  const latent = Float32Array.of(1, 2)
  test.each<[string, object, RegExp]>([
    ['without a part', {}, /at least one of text, image, audio, video/],
    ['with an empty list of latents alone', { latents: {} }, /at least one of text, image/],
    ['with an empty text', { text: ' ', image: discs(1) }, /frame\.text/],
    ['with a latent of no sense', { latent, encoder: 'eye' }, /frame\.latent .*latents: \{ image/],
    ['with the name of an encoder', { image: discs(1), encoder: 'eye' }, /frame\.encoder/],
    ['with null for latents', { latents: null as never }, /frame\.latents must be an object/],
    ['with latents of another sense', { latents: { smell: latent } }, /frame\.latents/],
    ['with a latent of another length', { latents: { image: latent } }, /frame\.latents\.image has 2 numbers/],
    ['with a latent that is none', { latents: { image: [1, 2] } }, /frame\.latents\.image must be a Float32Array/],
    [
      'with a latent of zeros',
      { latents: { image: new Float32Array(colourLayout.dimension) } },
      /frame\.latents\.image is all zero/,
    ],
    ['with a picture twice', { image: discs(1), latents: { image: MADE.image } }, /frame\.image is given twice/],
    ['with a sound that no encoder takes', { audio: chord(1) }, /no encoder for audio/],
    ['of which nothing can be kept', { text: 'A bell.', keep: 'original' }, /frame\.keep/],
    ['of which pixels are to be kept', { image: discs(1), keep: 'original' }, /image is no file/],
    ['with a field that it does not have', { image: discs(1), smell: 1 }, /smell/],
  ])('%s', async (_, parts, message) => {
    const { db } = await at({ encoders: { image: colourLayout } })
    await expect(db.observeSensory({ modality: 'multimodal', ...parts } as never)).rejects.toMatchObject({
      code: expect.stringMatching(/^AGIDB_(INVALID_ARGUMENT|INVALID_TEXT|UNKNOWN_OPTION)$/) as string,
      message: expect.stringMatching(message) as string,
    })
    expect(await db.workingState()).toMatchObject({ observed: 0 })
    expect(await db.count()).toBe(0)
  })

  test('of which one encoder fails', async () => {
    const audio = { ...bandEnergies, encode: () => Promise.reject(new Error('out of memory')) }
    const { db } = await at({ encoders: { image: colourLayout, audio } })
    await expect(db.observeSensory(several({ image: discs(1), audio: chord(1) }))).rejects.toMatchObject({
      code: 'AGIDB_ENCODER',
    })
    expect(await db.workingState()).toMatchObject({ observed: 0 })
  })

  test('and one of a single sense with latents of several', async () => {
    const { db } = await at()
    const frame = { modality: 'image', latents: { image: await imageLatent(1) } }
    await expect(db.observeSensory(frame as never)).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: expect.stringContaining("modality 'multimodal'") as string,
    })
  })
})
