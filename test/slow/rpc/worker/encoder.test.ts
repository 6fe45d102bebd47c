import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Progress } from '../../../../src/base/progress.js'
import type { SentenceEncoder } from '../../../../src/api/encoder.js'
import { sentenceEncoder } from '../../../../src/models/node.js'
import { encodeOpenOptions } from '../../../../src/rpc/codec/open-options.js'
import { connect } from '../../../../src/rpc/worker/connect.js'
import { FILES, SHA256 } from '../../../unit/models/minilm.js'
import { thread } from '../../../unit/rpc/worker/thread.js'

let encoder: SentenceEncoder

beforeAll(async () => {
  encoder = await sentenceEncoder({ ...FILES, worker: false, cueMs: 60_000 })
})
afterAll(() => encoder.close())

const opened = (options: Parameters<typeof encodeOpenOptions>[0]) =>
  connect(thread().thread, encodeOpenOptions(options))

test('an encoder serves an engine in another thread, and databases in turn', async () => {
  for (let turn = 0; turn < 2; turn++) {
    const seen: Progress[] = []
    const db = await opened({ encoder, onEncoded: (progress) => void seen.push(progress) })
    await db.observeMany([{ text: 'The rent is due on Monday.' }, { text: 'A fuel cell blew up.' }])
    await expect.poll(() => seen.at(-1)).toEqual({ done: 2, total: 2 })
    expect((await db.stats()).encoder).toEqual({ id: SHA256.model, dimension: 384, encoded: 2, pending: 0 })
    expect((await db.recall('an explosion', { traceAttention: true })).attentionTrace!.sentence).toBe('used')
    await db.close()
  }
})

test('how it fails crosses too', async () => {
  const broken = await sentenceEncoder({ ...FILES, worker: false })
  const db = await opened({ encoder: broken })
  await broken.close()
  await db.observe('The rent is due on Monday.')
  await expect.poll(async () => (await db.stats()).encoder!.error).toContain('the sentence encoder is closed')
  expect((await db.recall('rent')).matches).toHaveLength(1)
  await db.close()
})

test('so does what onEncoded throws', async () => {
  const db = await opened({
    encoder,
    onEncoded: () => {
      throw new Error('my mistake')
    },
  })
  await db.observe('The rent is due on Monday.')
  await expect.poll(async () => (await db.stats()).encoder!.error).toContain('my mistake')
  await db.close()
})

test.each<[string, unknown]>([
  ['a promise', Promise.resolve()],
  ['null', null],
  ['a text', 'minilm'],
])('%s is refused', async (_, none) => {
  await expect(opened({ encoder: none as SentenceEncoder })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
})
