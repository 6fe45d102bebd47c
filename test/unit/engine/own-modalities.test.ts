import { describe, expect, test } from 'vitest'
import type { Encoder, Encoders } from '../../../src/api/encoder.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import { episodeKind } from '../../../src/records/kinds/episode.js'
import { sensoryFrameKind } from '../../../src/records/kinds/sensory-frame.js'
import { RecordKinds } from '../../../src/records/record-kind.js'
import { RECORD_KINDS } from '../../../src/records/registry.js'
import { sendEncoders } from '../../../src/rpc/codec/encoders-port.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { kernel } from '../encoding/kernel.js'
import { connected } from '../rpc/worker/thread.js'
import { colourLayout, discs, glove, grasp, nose } from '../toys/senses.js'
import { expectForgotten } from './expect-forgotten.js'
import { NOW, openMemory, withFolder } from './open.js'

const encoders = { image: colourLayout, touch: glove, smell: nose }
const touchOf = async (seed: number) => (await glove.encode([grasp(seed)]))[0]
const firstOf = async (db: Engine, options: object) => (await db.recall(undefined, options)).matches[0]?.id

/** Episodes with a picture, a touch and a smell each. */
async function filled(db: Engine, count: number): Promise<void> {
  for (let i = 0; i < count; i++)
    await db.observeMultimodal(
      { text: `thing ${i}`, image: discs(i), own: { touch: grasp(i), smell: grasp(i + 1_000) } },
      { id: `thing-${i}` },
    )
}

describe('a modality of the application', () => {
  test('is part of an episode, and finds it by an input, a latent, words, and together with others', async () => {
    const db = await openMemory({ encoders })
    await filled(db, 40)
    expect(await db.getEpisode('thing-7')).toMatchObject({ senses: ['image', 'smell', 'touch'] })
    const { matches } = await db.recall(undefined, { own: { touch: grasp(7, { noise: 0.1 }) } })
    expect(matches[0]).toMatchObject({ id: 'thing-7', senses: ['image', 'smell', 'touch'], tier: 'similarity' })
    expect(Object.keys(matches[0].signals)).toContain('own.touch')
    expect(Object.keys(matches[0].signals)).not.toContain('own.smell')
    expect(await firstOf(db, { latents: { touch: await touchOf(9) } })).toBe('thing-9')
    // The two have one model, and are not confused.
    expect(await firstOf(db, { own: { smell: grasp(1_012) } })).toBe('thing-12')
    expect(await firstOf(db, { own: { touch: grasp(5), smell: grasp(1_005) }, image: discs(5) })).toBe('thing-5')
    expect((await db.recall('the one of 31', { modality: 'touch' })).matches[0].id).toBe('thing-31')
    await db.close()
  })

  test('says in words what it was where there are none, and may stand alone', async () => {
    const db = await openMemory({ encoders })
    const id = await db.observeMultimodal({ own: { touch: grasp(1) } })
    expect(await db.getEpisode(id)).toMatchObject({ text: '(touch)', senses: ['touch'] })
    await db.observeMultimodal({ text: 'a stone', latents: { touch: await touchOf(2) } }, { id: 'stone' })
    expect(await firstOf(db, { own: { touch: grasp(2) } })).toBe('stone')
    await db.close()
  })

  test('is taken out of an episode again, and left out of a question', async () => {
    const db = await openMemory({ encoders })
    await filled(db, 50)
    for (const i of [0, 17, 49])
      expect(await db.extractModalitySignature(`thing-${i}`, 'touch')).toEqual(kernel.project(await touchOf(i)))
    expect(await db.extractModalitySignature('thing-1', 'video')).toBeUndefined()
    await expect(db.extractModalitySignature('thing-1', 'constructor')).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: expect.stringMatching(/modality is "constructor"; expected one of "text", .*"touch"/) as string,
    })
    const { id, matches } = await db.recall('thing', { own: { touch: grasp(3) }, image: discs(8), k: 50 })
    const whole = await db.explain(id)
    expect(whole.matches.map((match) => match.id)).toEqual(matches.map((match) => match.id))
    const { matches: without } = await db.explain(id, { without: 'touch' })
    expect(without.find((match) => match.id === 'thing-3')!.without!.signals).not.toHaveProperty('own.touch')
    expect(without.find((match) => match.without?.rank === 1)!.id).toBe('thing-8')
    await expect(db.explain(id, { without: 'heat' })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await db.close()
  })

  test('crosses from a page to the engine', async () => {
    const db = await connected({ encoders: sendEncoders({ touch: glove }) })
    await db.observeMultimodal({ text: 'cold', own: { touch: grasp(1) } }, { id: 'one' })
    await db.observeMultimodal({ text: 'warm', own: { touch: grasp(2) } }, { id: 'two' })
    expect((await db.recall(undefined, { own: { touch: grasp(2) } })).matches[0].id).toBe('two')
    expect((await db.recall('number 1', { modality: 'touch' })).matches[0].id).toBe('one')
    await db.close()
  })

  test('is kept with its file, where it is one', async () => {
    const bytes = Uint8Array.of(7, 7, 7, 9)
    const touch: Encoder<'touch'> = { ...glove, encode: async (files) => files.map(() => new Float32Array(12).fill(1)) }
    const db = await openMemory({ encoders: { touch } })
    const id = await db.observeMultimodal({ own: { touch: bytes } }, { keep: 'original' })
    expect(await db.listMedia(id)).toEqual([{ sense: 'touch', type: 'application/octet-stream', bytes: 4 }])
    expect(new Uint8Array(await new Response(await db.media(id, 'touch')).arrayBuffer())).toEqual(bytes)
    await expect(db.observeMultimodal({ own: { touch: bytes } }, { keep: 'thumbnail' })).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
    })
    await db.close()
  })
})

describe('frames of it', () => {
  test('surprise, become episodes, and find them', async () => {
    const db = await openMemory({ encoders })
    const feel = (seed: number) => db.observeSensory({ modality: 'touch', own: { touch: grasp(seed) } })
    const first = await feel(1)
    expect(first).toMatchObject({ surprise: 1, promotedTo: expect.any(String) as string })
    expect((await feel(1)).surprise).toBeLessThan(0.01)
    expect(await firstOf(db, { own: { touch: grasp(1) } })).toBe(first.promotedTo)
    const made = { modality: 'touch', latent: await touchOf(1), encoder: glove.id } as const
    expect((await db.observeSensory(made)).surprise).toBeLessThan(0.01)
    await db.observeSensory({ modality: 'multimodal', text: 'a thing', image: discs(1), own: { touch: grasp(2) } })
    const { frames } = await db.workingState()
    expect(frames.map(({ modality }) => modality)).toEqual(['touch', 'touch', 'touch', 'multimodal'])
    expect(frames[3].parts!.map(({ modality }) => modality)).toEqual(['text', 'image', 'touch'])
    expect((await db.recall(undefined, { own: { touch: grasp(2) } })).matches[0].id).toBe(frames[3].promotedTo)
    await db.close()
  })

  test.each<[string, object, RegExp]>([
    ['of no modality', { modality: 'a glove', own: { touch: 1 } }, /frame\.modality .*a letter/],
    ['with an input of another modality', { modality: 'touch', own: { smell: 1 } }, /frame\.own\.smell .* touch/],
    ['of a modality without an encoder', { modality: 'heat', own: { heat: 1 } }, /no encoder for heat/],
    ['with a picture as its own', { modality: 'image', own: { image: discs(1) } }, /image/],
  ])('are refused: %s', async (_, frame, message) => {
    const db = await openMemory({ encoders })
    await expect(db.observeSensory(frame as never)).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: expect.stringMatching(message) as string,
    })
    await db.close()
  })
})

describe('what is stored of it', () => {
  const open = (path: string, given: Encoders = {}) =>
    openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, seed: 1, encoders: given })

  test('stays through changes of the text, compaction and openings, whatever other encoders there are', () =>
    withFolder(async (path) => {
      const first = await open(path, { touch: glove })
      for (let i = 0; i < 10; i++) await first.observeMultimodal({ own: { touch: grasp(i) } }, { id: `touch-${i}` })
      await first.close()
      // Now the space of touch is another one, since smell comes first.
      const second = await open(path, { touch: glove, smell: nose })
      expect(await firstOf(second, { own: { touch: grasp(4) } })).toBe('touch-4')
      await second.observeMultimodal({ own: { touch: grasp(50), smell: grasp(4) } }, { id: 'both' })
      await second.update('both', { text: 'a rose' })
      await second.update('touch-4', { text: 'a stone' })
      expect(await firstOf(second, { own: { touch: grasp(50) } })).toBe('both')
      await second.close()
      const without = await open(path)
      expect(await without.getEpisode('both')).toMatchObject({ text: 'a rose', senses: ['smell', 'touch'] })
      expect(await without.extractModalitySignature('both', 'touch')).toBeUndefined()
      await without.compact()
      await without.close()
      const third = await open(path, { smell: nose, touch: glove })
      expect(await firstOf(third, { own: { touch: grasp(4) } })).toBe('touch-4')
      expect(await firstOf(third, { own: { smell: grasp(4) } })).toBe('both')
      expect(await third.extractModalitySignature('both', 'smell')).toEqual(kernel.project(await touchOf(4)))
      expect((await third.verify()).problems).toEqual([])
      await third.close()
    }))

  test('comes with an export, and with changes of another device', async () => {
    const [db, other, third] = await Promise.all([1, 2, 3].map((seed) => openMemory({ encoders, seed })))
    await filled(db, 12)
    await other.import(await db.export())
    expect(await firstOf(other, { own: { smell: grasp(1_003) } })).toBe('thing-3')
    await third.apply(await db.changes(await third.versionVector()))
    expect(await firstOf(third, { own: { touch: grasp(5, { noise: 0.1 }) } })).toBe('thing-5')
    expect(await third.getEpisode('thing-5')).toMatchObject({ senses: ['image', 'smell', 'touch'] })
    await Promise.all([db, other, third].map((one) => one.close()))
  })

  test('is gone once it is unlearned: the memory answers as a twin that never felt it', async () => {
    const story = async (db: Engine, isWhole: boolean) => {
      await filled(db, 8)
      if (isWhole) {
        await db.observeMultimodal({ text: 'the secret', own: { touch: grasp(500) } }, { id: 'secret' })
        await db.update('secret', { text: 'the other secret' })
      }
      await db.observeMultimodal({ text: 'home', own: { touch: grasp(501), smell: grasp(502) } }, { id: 'home' })
    }
    const answers = async (db: Engine) => [
      (await db.recall(undefined, { own: { touch: grasp(500) }, k: 20 })).matches,
      (await db.recall('secret', { own: { touch: grasp(501), smell: grasp(500) }, k: 20 })).matches,
      await db.extractModalitySignature('home', 'touch'),
      await db.selfVector(),
    ]
    await expectForgotten(encoders, story, answers)
  })

  test('has rows that versions without such modalities refuse as those of a newer one', async () => {
    const storage = memoryStorage()
    const db = await openEngine({ kernel, storage, clock: () => NOW, seed: 1, encoders })
    await db.observeMultimodal({ own: { touch: grasp(1) } }, { id: 'one' })
    const rows: Uint8Array[] = [episodeKind.encode((await db.getEpisode('one'))!)]
    await db.observeSensory({ modality: 'touch', own: { touch: grasp(2) } })
    const [frame] = (await db.workingState()).frames
    rows.push(sensoryFrameKind.encode({ frame, number: 1 }))
    expect(rows.map(([tag]) => tag)).toEqual([11, 12])
    const earlier = new RecordKinds(RECORD_KINDS.all.map((kind) => ({ ...kind, laterTags: [] })))
    for (const row of rows)
      expect(() => earlier.of(row)).toThrow(expect.objectContaining({ code: 'AGIDB_NEWER_FORMAT' }) as Error)
    // Without them rows are as they were, so that earlier versions read them.
    await db.observeMultimodal({ image: discs(1) }, { id: 'two' })
    expect(episodeKind.encode((await db.getEpisode('two'))!)[0]).toBe('{'.charCodeAt(0))
    await db.close()
  })
})

describe('is refused', () => {
  const named = (modality: string) => ({ [modality]: { ...glove, modality } })
  test.each<[string, Encoders, RegExp]>([
    ['text', named('text'), /encoders has text/],
    ['multimodal', named('multimodal'), /encoders has multimodal/],
    ['a name that is none', named('a glove'), /encoders has a glove/],
    ['an encoder of another modality', { heat: glove }, /encoders\.heat must have modality 'heat'/],
    ['more than four', Object.assign({}, ...['a', 'b', 'c', 'd', 'e'].map(named)) as Encoders, /at most 4/],
  ])('as an encoder: %s', async (_, given, message) => {
    await expect(openMemory({ encoders: given })).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: expect.stringMatching(message) as string,
    })
  })

  test.each<[string, (db: Engine) => Promise<unknown>, RegExp]>([
    ['an input without an encoder', (db) => db.observeMultimodal({ own: { heat: 1 } }), /encoders: \{ heat: … \}/],
    ['a latent without one', (db) => db.observeMultimodal({ latents: { heat: new Float32Array(2) } }), /latents\.heat/],
    ['what every object has', (db) => db.observeMultimodal({ own: { constructor: 1 } }), /no encoder for constructor/],
    ['a sense of the library', (db) => db.observeMultimodal({ own: { image: discs(1) } }), /own has "image"/],
    ['inputs that are none', (db) => db.observeMultimodal({ own: [1] as never }), /own must be an object/],
    ['a question without an encoder', (db) => db.recall(undefined, { own: { heat: 1 } }), /no encoder for heat/],
    ['words without an encoder', (db) => db.recall('warm', { modality: 'heat' }), /no encoder for heat/],
    [
      'words and an input',
      (db) => db.recall('1', { modality: 'touch', own: { touch: grasp(1) } }),
      /leave .*touch out/,
    ],
    ['a name that is none', (db) => db.signatureToModality(new Uint8Array(1_024), 'heat'), /"heat"; .* "touch"/],
  ])('in a call: %s', async (_, call, message) => {
    const db = await openMemory({ encoders })
    await expect(call(db)).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: expect.stringMatching(message) as string,
    })
    expect(await db.count()).toBe(0)
    await db.close()
  })
})
