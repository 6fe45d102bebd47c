import { generateText, isStepCount, streamText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { Agidb } from 'agidb'
import { memoryMiddleware, memoryTools } from 'agidb/ai-sdk'

type Result = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>
type Chunk = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer C> ? C : never

const usage: Result['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const says = (text: string): Result => ({
  ...{ content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] },
})
const calls = (toolName: string, input: object): Result => ({
  content: [{ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }],
  ...{ finishReason: { unified: 'tool-calls', raw: 'tool-calls' }, usage, warnings: [] },
})
const streamed = (text: string, ...last: Chunk[]): Chunk[] => [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '1' },
  ...[...text].map((delta) => ({ type: 'text-delta', id: '1', delta }) as const),
  { type: 'text-end', id: '1' },
  ...last,
]
const finish: Chunk = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }

const db = await Agidb.open({ storage: 'memory', codebook: 'none' })
const middleware = memoryMiddleware(db, { session: 'monday' })
const remembering = (model: MockLanguageModelV4) => wrapLanguageModel({ model, middleware })
const stored = async () => {
  const said: string[] = []
  for await (const page of db.episodes()) for (const { speaker, text } of page) said.push(`${speaker}: ${text}`)
  return said
}
const seen: Record<string, unknown> = {}

const first = new MockLanguageModelV4({ doGenerate: [says('Noted.')] })
await generateText({ model: remembering(first), prompt: 'Sarah recommended Bawri, a thai place in Bandra.' })
seen['first prompt'] = first.doGenerateCalls[0]!.prompt

const again = new MockLanguageModelV4({
  doGenerate: [calls('recall', { query: 'thai place' }), says('It was Bawri.')],
})
const tools = memoryTools(db)
const prompt = 'Which thai place was it?'
const answer = await generateText({ model: remembering(again), tools, stopWhen: isStepCount(3), prompt })
seen['tools'] = again.doGenerateCalls[0]!.tools?.map(({ name }) => name)
seen['schema'] = again.doGenerateCalls[0]!.tools?.map((tool) => 'inputSchema' in tool && tool.inputSchema.type)
seen['recalled'] = again.doGenerateCalls[0]!.prompt.at(-1)
seen['tool result'] = answer.steps[0]!.toolResults[0]!.output
seen['after two turns'] = await stored()

const wrong = new MockLanguageModelV4({ doGenerate: [calls('recall', { query: 1 }), says('Hm.')] })
const refused = await generateText({ model: wrong, tools, stopWhen: isStepCount(3), prompt })
seen['refused'] = refused.steps[0]!.content.find(({ type }) => type === 'tool-error')

async function stream(chunks: Chunk[], text: string): Promise<void> {
  const model = new MockLanguageModelV4({ doStream: { stream: simulateReadableStream({ chunks }) } })
  const { textStream } = streamText({ model: remembering(model), prompt: text, onError: () => {} })
  for await (const _ of textStream);
}
await stream(streamed('A table for four.', finish), 'Book it.')
await stream(streamed('Half an', { type: 'error', error: new Error('cut off') }), 'This one fails.')
seen['after streams'] = (await stored()).slice(4)

const before = (await stored()).length
async function repeat(remember: 'user' | false): Promise<void> {
  const repeating = memoryMiddleware(db, { remember })
  const answers = [says('You said that Sarah recommended Bawri.')]
  const model = wrapLanguageModel({ model: new MockLanguageModelV4({ doGenerate: answers }), middleware: repeating })
  await generateText({ model, prompt: `What did Sarah say? (${remember})` })
}
await repeat('user')
await repeat(false)
seen['without answers'] = (await stored()).slice(before)

seen['read-only'] = Object.keys(memoryTools(db, { readOnly: true, tools: ['remember', 'recall'] }))
await db.close()
console.log(JSON.stringify(seen))
