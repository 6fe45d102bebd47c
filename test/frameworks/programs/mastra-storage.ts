import { Agent } from '@mastra/core/agent'
import { InMemoryStore, MastraCompositeStore, MemoryStorage } from '@mastra/core/storage'
import { Memory } from '@mastra/memory'
import { Agidb } from 'agidb'
import { type MemoryStorageMethods, memoryStorage } from 'agidb/mastra'

type Message = Parameters<MemoryStorage['saveMessages']>[0]['messages'][number]
/** What the adapter has is what Mastra calls: the compiler says so. */
const fits = (methods: MemoryStorageMethods<Message>): Pick<MemoryStorage, keyof typeof methods> => methods
void fits

const path = './memory.agidb'
let db = await Agidb.open({ path, codebook: 'none' })
let storage = memoryStorage(MemoryStorage, db)
const seen: Record<string, unknown> = {}
const coded = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    ({ code, message }: { code?: string; message: string }) => code ?? message,
  )
const found = async (cue: string) => (await db.recall(cue, { k: 3 })).matches.map(({ text }) => text)

interface Prompted {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[]
}

/** Answers that a model gives, one after the other, and what it was given. */
function scripted(answers: readonly string[], prompts: Prompted['prompt'][]) {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  const left = [...answers]
  return {
    ...{ specificationVersion: 'v2' as const, provider: 'script', modelId: 'script', supportedUrls: {} },
    async doGenerate({ prompt }: Prompted) {
      prompts.push(prompt)
      const text = left.shift()!
      return { content: [{ type: 'text' as const, text }], finishReason: 'stop' as const, usage, warnings: [] }
    },
    async doStream({ prompt }: Prompted) {
      prompts.push(prompt)
      const parts = [
        { type: 'stream-start' as const, warnings: [] },
        { type: 'text-start' as const, id: '1' },
        { type: 'text-delta' as const, id: '1', delta: left.shift()! },
        { type: 'text-end' as const, id: '1' },
        { type: 'finish' as const, finishReason: 'stop' as const, usage },
      ]
      return { stream: new ReadableStream({ start: (to) => (parts.forEach((part) => to.enqueue(part)), to.close()) }) }
    },
  }
}

/** An agent of Mastra whose memory is this one. */
function agentOf(answers: readonly string[], prompts: Prompted['prompt'][]): Agent {
  const store = new MastraCompositeStore({
    id: 'agidb',
    default: new InMemoryStore({ id: 'rest' }),
    domains: { memory: storage },
  })
  const options = { lastMessages: 10, workingMemory: { enabled: true, template: '# User\n- Name:\n' } }
  const memory = new Memory({ storage: store, options })
  return new Agent({
    id: 'helper',
    name: 'Helper',
    instructions: 'Be brief.',
    model: scripted(answers, prompts),
    memory,
  })
}

// In the framework: two requests of one thread, and one after the memory was opened again.
const prompts: Prompted['prompt'][] = []
const memory = { thread: 'monday', resource: 'ann' }
const agent = agentOf(['Noted.', 'It was Bawri.'], prompts)
await agent.generate('Sarah recommended Bawri, a thai place in Bandra.', { memory })
seen['answer'] = (await agent.generate('Which thai place was it?', { memory })).text
seen['second request'] = prompts[1]!
  .filter(({ role }) => role !== 'system')
  .map(({ role, content }) => {
    const [part] = content as { text: string }[]
    return `${role}: ${part!.text}`
  })
seen['thread'] = (await storage.getThreadById({ threadId: 'monday' }))?.resourceId
await storage.updateResource({ resourceId: 'ann', workingMemory: '# User\n- Name: Ann\n' })
seen['recalled'] = await found('thai place')
await db.close()
db = await Agidb.open({ path, codebook: 'none' })
storage = memoryStorage(MemoryStorage, db)
const later: Prompted['prompt'][] = []
await agentOf(['You are Ann.'], later).generate('Who am I?', { memory })
seen['after reopening'] = [
  later[0]!.filter(({ role }) => role !== 'system').length,
  JSON.stringify(later[0]!).includes('Name: Ann'),
]

// The storage alone.
const at = (second: number) => new Date(Date.UTC(2026, 4, 1, 12, 0, second))
const message = (id: string, second: number, more: Partial<Message> = {}): Message => ({
  ...{ id, role: 'user', threadId: 'trip', resourceId: 'ben', createdAt: at(second) },
  content: { format: 2, parts: [{ type: 'text', text: `Message ${id} about the ferry.` }], metadata: { n: second } },
  ...more,
})
const thread = (id: string, second: number, resourceId = 'ben') => ({
  ...{ id, resourceId, title: `The ${id}`, createdAt: at(second), updatedAt: at(second) },
  metadata: { topic: id, nested: { deep: [1, null] } },
})
await storage.saveThread({ thread: thread('trip', 0) })
await storage.saveThread({ thread: thread('work', 1) })
seen['same thread'] =
  JSON.stringify(await storage.getThreadById({ threadId: 'trip' })) === JSON.stringify(thread('trip', 0))
seen['of another resource'] = await storage.getThreadById({ threadId: 'trip', resourceId: 'ann' })
const long = message('long', 9, {
  role: 'assistant',
  content: { format: 2, parts: [{ type: 'text', text: 'The harbour. '.repeat(4_000) }] },
})
const call: Message = message('call', 5, {
  content: {
    format: 2,
    parts: [
      {
        type: 'tool-invocation',
        toolInvocation: {
          state: 'result',
          toolCallId: '1',
          toolName: 'look',
          args: { q: 'zeppelin' },
          result: 'zeppelin',
        },
      },
    ],
  },
})
const all = [message('a', 1), message('b', 2), message('c', 3, { threadId: 'work' }), call, long]
await storage.saveMessages({ messages: all })
const listed = async (options: Omit<Parameters<MemoryStorage['listMessages']>[0], 'threadId'>, threadId = 'trip') => {
  const { messages, total, hasMore } = await storage.listMessages({ threadId, ...options })
  return [messages.map(({ id }) => id).join(' '), total, hasMore]
}
seen['unchanged'] =
  JSON.stringify((await storage.listMessagesById({ messageIds: all.map(({ id }) => id) })).messages) ===
  JSON.stringify(all)
seen['listed'] = await listed({})
seen['pages'] = [await listed({ perPage: 2 }), await listed({ perPage: 2, page: 1 }), await listed({ perPage: false })]
seen['newest first'] = await listed({ perPage: 2, orderBy: { field: 'createdAt', direction: 'DESC' } })
seen['in a range'] = await listed({ filter: { dateRange: { start: at(1), startExclusive: true, end: at(5) } } })
seen['by metadata'] = await listed({ filter: { metadata: { n: 2 } } })
seen['included'] = await listed({ perPage: 0, include: [{ id: 'b', withPreviousMessages: 1, withNextMessages: 1 }] })
seen['of a resource'] = (await storage.listMessagesByResourceId({ resourceId: 'ben' })).messages.length
seen['of no resource'] = await listed({ resourceId: 'ann' })
seen['touched'] = (await storage.getThreadById({ threadId: 'trip' }))!.updatedAt > at(0)
seen['results are not recalled'] = (await found('zeppelin')).includes('zeppelin')

await storage.updateMessages({
  messages: [
    { id: 'a', content: { metadata: { seen: true } } as unknown as Message['content'] },
    { id: 'b', threadId: 'work' },
    { id: 'nobody', role: 'user' },
  ],
})
const [a] = (await storage.listMessagesById({ messageIds: ['a'] })).messages
seen['updated'] = [a!.content.metadata, a!.content.parts.length, await listed({}), await listed({}, 'work')]
await Promise.all([
  storage.updateThread({ id: 'trip', title: 'To Goa' }),
  storage.updateThread({ id: 'trip', metadata: { done: true } }),
  storage.saveMessages({ messages: [message('d', 6)] }),
])
const { title, metadata } = (await storage.getThreadById({ threadId: 'trip' }))!
seen['changes at once'] = [title, metadata]
/** Another handle of the same memory, as another process has one. */
const handle = (): Parameters<typeof memoryStorage>[1] => ({
  observeMany: (items, options) => db.observeMany(items, options),
  getEpisode: (id) => db.getEpisode(id),
  episodes: (options) => db.episodes(options),
  update: (id, patch, options) => db.update(id, patch, options),
  remove: (which, reason) => db.remove(which, reason),
})
const others = Array.from({ length: 4 }, () => memoryStorage(MemoryStorage, handle()))
await Promise.all(others.map((other) => other.saveMessages({ messages: [message('race', 1, { threadId: 'race' })] })))
const raced = await listed({}, 'race')
seen['race'] = [raced[1], raced[0] === 'race']
const threads = async (options: Parameters<MemoryStorage['listThreads']>[0]) =>
  (await storage.listThreads(options)).threads.map(({ id }) => id)
seen['threads'] = [
  await threads({}),
  await threads({ filter: { resourceId: 'ben' }, orderBy: { field: 'createdAt', direction: 'ASC' } }),
  await threads({ filter: { metadata: { topic: 'work' } } }),
  await threads({ perPage: 1, page: 1 }),
]

const copied = await storage.cloneThread({ sourceThreadId: 'trip', newThreadId: 'copy', options: { messageLimit: 2 } })
seen['copied'] = [copied.thread.title, copied.clonedMessages.length, (await listed({}, 'copy'))[1]]
await storage.updateThreadResourceId({ threadId: 'copy', resourceId: 'cem' })
seen['given away'] = (await storage.listMessagesByResourceId({ resourceId: 'cem' })).messages.length

await storage.deleteMessages(['d', 'long'])
seen['deleted'] = [
  await listed({}),
  (await db.recall('harbour', { k: 9 })).matches.filter((one) => one.session === 'trip'),
]
await storage.deleteThread({ threadId: 'trip' })
seen['deleted thread'] = [await storage.getThreadById({ threadId: 'trip' }), await listed({})]
seen['refused'] = [
  await coded(storage.saveMessages({ messages: [message('', 1)] })),
  await coded(
    storage.saveMessages({ messages: [message('f', 1, { content: { format: 2, parts: [], metadata: { f() {} } } })] }),
  ),
  await coded(storage.updateThread({ id: 'nobody', title: 'x' })),
  await coded(storage.listMessages({ threadId: ' ' })),
  await coded(storage.listMessages({ threadId: 'work', page: -1 })),
  await coded(storage.cloneThread({ sourceThreadId: 'work', newThreadId: 'copy' })),
]
await db.observe('Not of Mastra.', { source: 'mastra' })
await storage.dangerouslyClearAll()
seen['cleared'] = (await db.stats()).episodes
await db.close()
console.log(JSON.stringify(seen))
