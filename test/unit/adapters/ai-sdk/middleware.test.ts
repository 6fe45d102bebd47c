import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { memoryMiddleware } from '../../../../src/adapters/ai-sdk/index.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'

let db: Awaited<ReturnType<typeof Agidb.open>>
beforeEach(async () => {
  db = await Agidb.open({ storage: 'memory', codebook: 'none' })
})
afterEach(() => db.close())

const long = Array.from({ length: 10_000 }, (_, i) => `word${i}`).join(' ')
const paramsOf = (text: string) => ({ prompt: [{ role: 'user', content: [{ type: 'text', text }] }] }) as never

function streamOf<T>(parts: readonly T[]): ReadableStream<T> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

async function stored(): Promise<string[]> {
  const texts: string[] = []
  for await (const page of db.episodes()) texts.push(...page.map(({ speaker, text }) => `${speaker}: ${text}`))
  return texts
}

describe('a message that is longer than an episode', () => {
  test('does not keep the answer from being given, and is stored in several episodes', async () => {
    const answer = { content: [{ type: 'text', text: 'the answer' }] }
    const middleware = memoryMiddleware(db)
    const given = await middleware.wrapGenerate({ doGenerate: async () => answer, params: paramsOf(long) })
    expect(given).toBe(answer)
    const texts = await stored()
    expect(texts.pop()).toBe('assistant: the answer')
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.map((text) => text.replace('user: ', '')).join(' ')).toBe(long)
  })

  test('does not end the stream of the answer with an error', async () => {
    const parts = [{ type: 'text-delta', delta: 'the answer' }, { type: 'text-end' }, { type: 'finish' }]
    const doStream = async () => ({ stream: streamOf(parts) })
    const { stream } = await memoryMiddleware(db).wrapStream({ doStream, params: paramsOf(long) })
    const given: string[] = []
    for await (const { type } of stream as unknown as AsyncIterable<{ type: string }>) given.push(type)
    expect(given).toEqual(parts.map(({ type }) => type))
    expect((await stored()).at(-1)).toBe('assistant: the answer')
  })
})

test('half of a surrogate pair is stored as U+FFFD, in a message and at the end of an answer', async () => {
  const middleware = memoryMiddleware(db)
  const params = await middleware.transformParams({ params: paramsOf('hi \ud83d') })
  const answer = { content: [{ type: 'text', text: 'the \ud83d' }] }
  await middleware.wrapGenerate({ doGenerate: async () => answer, params })
  expect(await stored()).toEqual(['user: hi \ufffd', 'assistant: the \ufffd'])
})
