import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SentenceEncoder } from '../../../src/api/encoder.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import { openaiEncoder } from '../../../src/models/http/index.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { answer, serve, type TestServer } from '../http/server.js'
import { NOW, withFolder } from './open.js'

const MEMORIES = Array.from({ length: 40 }, (_, i) => ({ text: `Memory number ${i} is about topic ${i % 7}.` }))
let server: TestServer

beforeAll(async () => {
  server = await serve(({ body }, response) => {
    if (body.model === 'gone') return answer(response, { error: 'no such model' }, 404)
    const latent = (text: string) =>
      Array.from({ length: body.dimensions }, (_, i) => ((text.charCodeAt(i % text.length) * (i + 3)) % 19) - 9)
    answer(response, { data: (body.input as string[]).map((text) => ({ embedding: latent(text) })) })
  })
})
afterAll(() => server.close())

const encoderOf = (model: string, dimensions: number) =>
  openaiEncoder({ url: server.url, model, dimensions, retries: 0, cueMs: 60_000 })
const textsOf = (model: string) =>
  server.received.filter(({ body }) => body.model === model).flatMap(({ body }) => body.input as string[])

async function within<T>(path: string, encoder: SentenceEncoder, use: (db: Engine) => Promise<T>): Promise<T> {
  const options = { extract: 'none', autoConsolidate: false, learnFromRecall: false } as const
  const db = await openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, encoder, ...options })
  try {
    return await use(db)
  } finally {
    await db.close()
    await encoder.close()
  }
}

async function encoded(db: Engine): Promise<void> {
  for (;;) {
    const { pending, error } = (await db.stats()).encoder!
    if (pending === 0 || error !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('a memory is encoded again in the background where model or dimensions change, and only then', () =>
  withFolder(async (path) => {
    await within(path, await encoderOf('first', 16), async (db) => {
      await db.observeMany(MEMORIES)
      await encoded(db)
      expect((await db.stats()).encoder).toMatchObject({ dimension: 16, encoded: 40, pending: 0 })
    })
    expect(textsOf('first')).toHaveLength(40)

    await within(path, await encoderOf('first', 16), encoded)
    expect(textsOf('first')).toHaveLength(40)

    const other = await encoderOf('second', 24)
    await within(path, other, async (db) => {
      await encoded(db)
      expect((await db.stats()).encoder).toEqual({ id: other.id, dimension: 24, encoded: 40, pending: 0 })
      const { attentionTrace, matches } = await db.recall(MEMORIES[5].text, { traceAttention: true })
      expect(attentionTrace!.sentence).toBe('used')
      expect(matches[0].text).toBe(MEMORIES[5].text)
    })
    expect(textsOf('second')).toHaveLength(41)
  }))

test('a server that refuses leaves the memory as it is: it observes and recalls on', () =>
  withFolder(async (path) => {
    await within(path, await encoderOf('gone', 16), async (db) => {
      await db.observeMany(MEMORIES)
      await encoded(db)
      expect((await db.stats()).encoder).toMatchObject({ encoded: 0, pending: 40, error: expect.stringMatching(/404/) })
      expect((await db.recall('topic 3')).matches.length).toBeGreaterThan(0)
    })
    await within(path, await encoderOf('first', 16), async (db) => {
      await encoded(db)
      expect((await db.stats()).encoder).toMatchObject({ encoded: 40, pending: 0 })
    })
  }))
