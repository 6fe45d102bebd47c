// An agent whose threads are kept in this memory, with Mastra 1 and Node 22:
// npm install agidb @mastra/core @mastra/memory
import { Agent } from '@mastra/core/agent'
import { InMemoryStore, MastraCompositeStore, MemoryStorage } from '@mastra/core/storage'
import { Memory } from '@mastra/memory'
import { Agidb } from 'agidb'
import { memoryStorage } from 'agidb/mastra'

const db = await Agidb.open({ path: './memory.agidb' })
const domains = { memory: memoryStorage(MemoryStorage, db) }
const storage = new MastraCompositeStore({ id: 'agidb', default: new InMemoryStore(), domains })
const memory = new Memory({ storage, options: { lastMessages: 20 } })

// A model that says what it is given. Put the name of one here: 'openai/gpt-…'.
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
const doGenerate = async ({ prompt }: { prompt: readonly { role: string; content: unknown }[] }) => ({
  content: [{ type: 'text' as const, text: `I was given: ${JSON.stringify(prompt.map(({ content }) => content))}` }],
  ...{ finishReason: 'stop' as const, usage, warnings: [] },
})
const model = {
  ...{ specificationVersion: 'v2' as const, provider: 'echo', modelId: 'echo', supportedUrls: {}, doGenerate },
  doStream: () => Promise.reject(new Error('not here')),
}

const agent = new Agent({ id: 'helper', name: 'Helper', instructions: 'Answer briefly.', model, memory })
const place = { memory: { thread: 'monday', resource: 'ann' } }
await agent.generate('Sarah recommended Bawri, a thai place in Bandra.', place)
console.log((await agent.generate('Which thai place was it?', place)).text)
console.log((await db.recall('thai place')).matches[0]?.text)
await db.close()
