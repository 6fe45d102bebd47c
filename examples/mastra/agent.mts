// An agent that remembers, with Mastra: npm install agidb @mastra/core
import { Agent } from '@mastra/core/agent'
import { Agidb } from 'agidb'
import { memoryProcessor } from 'agidb/mastra'

const db = await Agidb.open({ path: './memory.agidb' })
const memory = memoryProcessor(db, { session: 'monday', remember: 'user' })

// A model that says what it is given. Put the name of one here: 'openai/gpt-…'.
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
const doGenerate = async ({ prompt }: { prompt: readonly { content: unknown }[] }) => ({
  content: [{ type: 'text' as const, text: `I was given: ${prompt.map(({ content }) => String(content)).join('\n')}` }],
  ...{ finishReason: 'stop' as const, usage, warnings: [] },
})
const model = {
  ...{ specificationVersion: 'v2' as const, provider: 'echo', modelId: 'echo', supportedUrls: {}, doGenerate },
  doStream: () => Promise.reject(new Error('not here')),
}

const processors = { inputProcessors: [memory], outputProcessors: [memory] }
const agent = new Agent({ id: 'helper', name: 'Helper', instructions: 'Answer briefly.', model, ...processors })
await agent.generate('Sarah recommended Bawri, a thai place in Bandra.')
const { text } = await agent.generate('Which thai place was it?')
console.log(text)
await db.close()
