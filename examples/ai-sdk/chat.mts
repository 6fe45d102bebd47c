// A chat that remembers, with the AI SDK. Node 20: npm install agidb ai@6 zod; Node 22: npm install agidb ai zod
import { generateText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { Agidb } from 'agidb'
import { memoryMiddleware } from 'agidb/ai-sdk'

const db = await Agidb.open({ path: './memory.agidb' })

// A model that says what it is given. Put yours here: openai('…'), anthropic('…'). Where its answers are worth
// remembering, leave out `remember: 'user'` below.
const echo = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const content = prompt.findLast(({ role }) => role === 'user')?.content ?? []
    const texts = [...content].map((part) => (typeof part === 'object' && part.type === 'text' ? part.text : ''))
    return {
      content: [{ type: 'text', text: `I was given: ${texts.join('\n')}` }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    }
  },
})

const middleware = memoryMiddleware(db, { session: 'monday', remember: 'user' })
const model = wrapLanguageModel({ model: echo, middleware })
await generateText({ model, prompt: 'Sarah recommended Bawri, a thai place in Bandra.' })
const { text } = await generateText({ model, prompt: 'Which thai place was it?' })
console.log(text)
await db.close()
