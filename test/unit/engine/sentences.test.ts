import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Progress } from '../../../src/base/progress.js'
import type { SentenceEncoder } from '../../../src/api/encoder.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import type { Model, Ranker } from '../../../src/api/ranker.js'
import { loadCodebook } from '../../../src/encoding/codebook/load.js'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { sentenceEncoder } from '../../../src/models/node.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { FILES, SHA256 } from '../models/minilm.js'
import { NOW, openMemory, withFolder } from './open.js'

let minilm: SentenceEncoder

beforeAll(async () => {
  minilm = await sentenceEncoder({ ...FILES, worker: false })
})
afterAll(() => minilm.close())

/** The same encoder with members of its own, which counts its texts. */
function encoderWith(own: Partial<SentenceEncoder> = {}): SentenceEncoder & { readonly texts: string[] } {
  const { id, dimension } = minilm
  const texts: string[] = []
  return {
    id,
    dimension,
    texts,
    cueMs: 60_000,
    close: async () => {},
    ...own,
    encode(asked) {
      texts.push(...asked)
      return (own.encode ?? ((some) => minilm.encode(some)))(asked)
    },
  }
}

/** The same encoder behind a gate. */
function gated(): { encoder: SentenceEncoder; asked: Promise<void>; open: () => void } {
  let open!: () => void
  let ask!: () => void
  const opened = new Promise<void>((resolve) => (open = resolve))
  const asked = new Promise<void>((resolve) => (ask = resolve))
  const encode = async (texts: readonly string[]) => {
    ask()
    await opened
    return minilm.encode(texts)
  }
  return { encoder: encoderWith({ encode }), asked, open }
}

/** Opens a database, and waits for its encoding. */
async function opened(
  options: Partial<EngineOptions> & { path?: string } = {},
): Promise<{ db: Engine; encoded: () => Promise<void>; seen: Progress[] }> {
  const { path, ...rest } = options
  const seen: Progress[] = []
  const onEncoded = (progress: Progress) => void seen.push(progress)
  const db = await (path === undefined
    ? openMemory({ onEncoded, ...rest })
    : openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, onEncoded, ...rest }))
  const encoded = async () => {
    while ((await db.stats()).encoder!.pending > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { db, encoded, seen }
}

const use = async (db: Engine, cue = 'When do I pay for my flat?') =>
  (await db.recall(cue, { traceAttention: true })).attentionTrace!.sentence
const RENT = { text: 'The rent is due on Monday.', speaker: 'Tom', id: 'rent' }
const FUEL = { text: 'A fuel cell blew up.', id: 'fuel' }

describe('memories are encoded in the background', () => {
  test('with who said them, once each, in order', async () => {
    const encoder = encoderWith()
    const { db, encoded, seen } = await opened({ encoder })
    expect((await db.stats()).encoder).toEqual({ id: SHA256.model, dimension: 384, encoded: 0, pending: 0 })
    await db.observeMany([RENT, FUEL])
    await db.observe('The oxygen tank is empty.')
    await encoded()
    expect((await db.stats()).encoder).toEqual({ id: SHA256.model, dimension: 384, encoded: 3, pending: 0 })
    expect(encoder.texts).toEqual([
      'Tom: The rent is due on Monday.',
      'A fuel cell blew up.',
      'The oxygen tank is empty.',
    ])
    expect(seen.at(-1)).toEqual({ done: 3, total: 3 })
    expect(await use(db)).toBe('used')
    await db.close()
  })

  test('while observe, recall and flush go on', async () => {
    const { encoder, open, asked } = gated()
    const { db, encoded } = await opened({ encoder })
    await db.observeMany([RENT, FUEL])
    await asked
    await db.flush()
    expect((await db.recall('rent')).matches[0].id).toBe('rent')
    expect(await use(db)).toBe('none')
    expect((await db.stats()).encoder).toMatchObject({ encoded: 0, pending: 2 })
    open()
    await encoded()
    expect(await use(db)).toBe('used')
    await db.close()
  })

  test('in batches, with a report after each', async () => {
    const { db, encoded, seen } = await opened({ encoder: encoderWith() })
    await db.observeMany(Array.from({ length: 70 }, (_, i) => ({ text: `Note ${i}` })))
    await encoded()
    await Promise.resolve()
    expect(seen).toEqual([32, 64, 70].map((done) => ({ done, total: 70 })))
    await db.close()
  })

  test('and are there when the database is opened again, with and without the encoder', async () => {
    await withFolder(async (path) => {
      const first = await opened({ path, encoder: encoderWith() })
      await first.db.observeMany([RENT, FUEL])
      await first.encoded()
      await first.db.remove('fuel')
      await first.db.close()

      const without = await openEngine({ kernel, storage: nodeStorage(path) })
      await without.observe('Bawri is a thai place.')
      expect((await without.stats()).encoder).toBeUndefined()
      expect((await without.recall('rent', { traceAttention: true })).attentionTrace).not.toHaveProperty('sentence')
      await without.close()

      const encoder = encoderWith()
      const again = await opened({ path, encoder })
      await again.encoded()
      expect(encoder.texts).toEqual(['Bawri is a thai place.'])
      expect((await again.db.stats()).encoder).toMatchObject({ encoded: 2, pending: 0 })
      await again.db.close()

      const other = encoderWith({ id: 'f'.repeat(64) })
      const changed = await opened({ path, encoder: other })
      await changed.encoded()
      expect(other.texts).toEqual(['Tom: The rent is due on Monday.', 'Bawri is a thai place.'])
      await changed.db.close()
    })
  })
})

describe('a memory that is removed', () => {
  test('takes its signature along, also while it is being encoded', async () => {
    await withFolder(async (path) => {
      const { encoder, open, asked } = gated()
      const { db, encoded } = await opened({ path, encoder })
      await db.observeMany([RENT, FUEL])
      await asked
      await db.remove('fuel')
      open()
      await encoded()
      expect((await db.stats()).encoder).toMatchObject({ encoded: 1, pending: 0 })
      await db.remove('rent')
      expect((await db.stats()).encoder).toMatchObject({ encoded: 0, pending: 0 })
      await db.close()

      const again = await opened({ path, encoder: encoderWith() })
      expect((await again.db.stats()).encoder).toMatchObject({ encoded: 0, pending: 0 })
      await again.db.close()
    })
  })

  test('leaves a database that answers as one that never saw it', async () => {
    const cues = ['when do I pay for my flat?', 'an explosion', 'food']
    const seen = async (db: Engine) => [
      (await db.stats()).encoder,
      ...(await Promise.all(
        cues.map(async (cue) => ({ ...(await db.recall(cue, { traceAttention: true })), elapsedMs: 0 })),
      )),
    ]
    const note = fc.record({
      text: fc.constantFrom('The rent is due.', 'A fuel cell blew up.', 'Bawri is a thai place.', 'rent', '…'),
      kept: fc.boolean(),
      wait: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(note, { minLength: 1, maxLength: 6 }), async (notes) => {
        const learned = await opened({ encoder: encoderWith() })
        const twin = await opened({ encoder: encoderWith() })
        for (const [i, { text, kept, wait }] of notes.entries()) {
          await learned.db.observe(text, { id: `n${i}` })
          if (kept) await twin.db.observe(text, { id: `n${i}` })
          if (wait) await learned.encoded()
          if (!kept) await learned.db.remove(`n${i}`)
        }
        await learned.encoded()
        await twin.encoded()
        expect(await seen(learned.db)).toEqual(await seen(twin.db))
        await learned.db.close()
        await twin.db.close()
      }),
      { numRuns: 10 },
    )
  })
})

describe('a recall does without the encoder', () => {
  test('when the latent of its cue is late', async () => {
    let late = false
    const encode = (texts: readonly string[]) => (late ? new Promise<never>(() => {}) : minilm.encode(texts))
    const { db, encoded } = await opened({ encoder: encoderWith({ cueMs: 1, encode }) })
    await db.observe(RENT.text, { id: 'rent' })
    await encoded()
    late = true
    expect(await use(db)).toBe('late')
    expect((await db.recall('rent')).matches[0].id).toBe('rent')
    expect((await db.stats()).encoder).not.toHaveProperty('error')
    await db.close()
  })

  test.each<[string, SentenceEncoder['encode'], string]>([
    ['fails', () => Promise.reject(new Error('out of memory')), 'out of memory'],
    [
      'throws',
      () => {
        throw new Error('no')
      },
      'no',
    ],
    ['gives too few', async () => [], 'something else than as many Float32Arrays of length 384'],
    ['gives another dimension', async (texts) => texts.map(() => new Float32Array(3).fill(1)), 'of length 384'],
    ['gives no direction', async (texts) => texts.map(() => new Float32Array(384)), 'latent must have a direction'],
  ])('when it %s, and leaves it alone from then on', async (_, encode, error) => {
    const encoder = encoderWith({ encode })
    const { db } = await opened({ encoder })
    await db.observe(RENT.text, { id: 'rent' })
    while ((await db.stats()).encoder!.error === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await db.stats()).encoder).toMatchObject({
      encoded: 0,
      pending: 1,
      error: expect.stringContaining(error) as string,
    })
    const asked = encoder.texts.length
    await db.observe(FUEL.text)
    expect(await use(db)).toBe('failed')
    expect((await db.recall('rent')).matches[0].id).toBe('rent')
    expect(encoder.texts).toHaveLength(asked)
    await db.close()
  })

  test('when it fails on a cue only', async () => {
    let broken = false
    const { db, encoded } = await opened({
      encoder: encoderWith({ encode: (texts) => (broken ? Promise.reject(new Error('gone')) : minilm.encode(texts)) }),
    })
    await db.observe(RENT.text)
    await encoded()
    broken = true
    expect(await use(db)).toBe('failed')
    expect((await db.stats()).encoder).toMatchObject({ encoded: 1, error: 'gone' })
    await db.close()
  })
})

test('what onEncoded throws ends the encoding and is reported', async () => {
  const { db } = await opened({
    encoder: encoderWith(),
    onEncoded: () => {
      throw new Error('my mistake')
    },
  })
  await db.observe(RENT.text)
  while ((await db.stats()).encoder!.error === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
  expect((await db.stats()).encoder).toMatchObject({ encoded: 1, error: 'my mistake' })
  await db.close()
})

test('close does not wait for the encoder, nor for a cue', async () => {
  const { encoder, asked } = gated()
  const { db } = await opened({ encoder })
  await db.observe(RENT.text)
  await asked
  await db.close()

  let late = false
  const other = await opened({
    encoder: encoderWith({ encode: (texts) => (late ? new Promise<never>(() => {}) : minilm.encode(texts)) }),
  })
  await other.db.observe(RENT.text)
  await other.encoded()
  late = true
  const recall = other.db.recall('rent')
  await other.db.close()
  await expect(recall).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
})

test.each<[string, unknown]>([
  ['a promise', Promise.resolve()],
  ['an encoder without an id', { dimension: 3, encode: async () => [] }],
  ['an encoder of no dimension', { id: '0'.repeat(64), dimension: 0, encode: async () => [] }],
  ['a text', 'minilm'],
])('open refuses %s', async (_, encoder) => {
  await expect(openMemory({ encoder: encoder as SentenceEncoder })).rejects.toMatchObject({
    code: 'AGIDB_INVALID_ARGUMENT',
  })
})

test('a cue that was encoded is ranked by the model for encoders, another by that for codebooks', async () => {
  const codebook = (await loadCodebook(await readCodebook()))!
  /** A model that gives all candidates the same value, which is the signal `prior`. */
  const modelOf = (value: number): Model => ({
    features: ['words.z'],
    trees: [{ feature: [0], threshold: [0], left: [0], value: [value] }],
    scale: 1,
    calibration: { inputs: ['rank'], weights: [-1], intercept: 1, answered: 0 },
  })
  const ranker: Ranker = {
    format: 'agidb-ranker',
    version: 1,
    name: 'own',
    trainedOn: 'nothing',
    licence: 'CC0-1.0',
    models: { codebook: modelOf(-1), encoder: modelOf(1) },
  }
  let isLate = true
  const encode = (texts: readonly string[]) =>
    isLate && texts[0] === 'rent' ? new Promise<never>(() => {}) : minilm.encode(texts)
  const { db, encoded } = await opened({ codebook, ranker, encoder: encoderWith({ cueMs: 300, encode }) })
  await db.observeMany([RENT, FUEL])
  await encoded()
  const prior = async () =>
    Math.sign((await db.recall('rent', { traceAttention: true })).matches[0].signals['prior'] ?? 0)
  expect(await prior()).toBe(-1)
  isLate = false
  await expect.poll(prior).toBe(1)
  await db.close()
})
