import { generateText, wrapLanguageModel } from 'ai-6'
import { MockLanguageModelV3 } from 'ai-6/test'
import { Agidb } from 'agidb'
import { memoryMiddleware, memoryTools } from 'agidb/ai-sdk'

const db = await Agidb.open({ storage: 'memory', codebook: 'none' })
const mock = new MockLanguageModelV3({
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'Noted.' }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  }),
})
const middleware = memoryMiddleware(db)
const model = wrapLanguageModel({ model: mock, middleware })
const tools = memoryTools(db)
await generateText({ model, tools, prompt: 'Sarah recommended Bawri, a thai place in Bandra.' })
await generateText({ model, tools, prompt: 'Which thai place was it?' })
const { episodes } = await db.stats()
await db.close()
console.log(JSON.stringify({ episodes, prompt: mock.doGenerateCalls[1]!.prompt }))
