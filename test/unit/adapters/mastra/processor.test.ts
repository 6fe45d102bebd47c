import { expect, test } from 'vitest'
import { memoryProcessor } from '../../../../src/adapters/mastra/index.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'

test('a turn whose message is longer than an episode is stored in several', async () => {
  const db = await Agidb.open({ storage: 'memory', codebook: 'none' })
  const processor = memoryProcessor(db, { session: 's' })
  const long = Array.from({ length: 10_000 }, (_, i) => `word${i}`).join(' ')
  const message = (role: string, text: string) => ({
    ...{ id: role, role },
    content: { format: 2 as const, parts: [{ type: 'text', text }] },
  })
  const state = {}
  await processor.processInput({ messages: [message('user', long)], state })
  const answer = [message('assistant', 'the answer \ud83d')]
  expect(await processor.processOutputResult({ messages: answer, state })).toBe(answer)
  const texts: string[] = []
  for await (const page of db.episodes()) texts.push(...page.map(({ text }) => text))
  expect(texts.pop()).toBe('the answer \ufffd')
  expect(texts.join(' ')).toBe(long)
  await db.close()
})
