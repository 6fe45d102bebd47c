import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryMiddleware, memoryTools as aiTools } from '../../../src/adapters/ai-sdk/index.js'
import { MemoryRetriever } from '../../../src/adapters/langchain/retriever.js'
import { MemoryStore } from '../../../src/adapters/langchain/store.js'
import { memoryProcessor, memoryStorage } from '../../../src/adapters/mastra/index.js'
import { importFromMem0, Memory } from '../../../src/adapters/mem0/index.js'
import { memoryTools as agentTools } from '../../../src/adapters/openai-agents/index.js'
import { sync } from '../../../src/adapters/sync/index.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { postgresStorage } from '../../../src/storage/adapters/postgres/postgres.js'
import { readTranscript, rememberTranscript } from '../../../src/transfer/transcript/index.js'

let db: Agidb
beforeAll(async () => {
  db = await Agidb.open({ storage: 'memory', codebook: 'none' })
})
afterAll(() => db.close())

class Base {}
const driver = { query: async () => [] } as any

/** Calls that take options. The function is given a memory only when a test runs. */
const takers: Record<string, (options: any) => unknown> = {
  postgresStorage: (options) => postgresStorage(driver, options),
  'memoryTools for the AI SDK': (options) => aiTools(db, options),
  'memoryTools for OpenAI agents': (options) => agentTools(db, options),
  memoryMiddleware: (options) => memoryMiddleware(db, options),
  memoryProcessor: (options) => memoryProcessor(db, options),
  memoryStorage: (options) => memoryStorage(Base, db, options),
  MemoryStore: (options) => new MemoryStore(db, options),
  MemoryRetriever: (options) => new MemoryRetriever(db, options),
  Memory: (options) => new Memory(db, options),
  importFromMem0: (options) => importFromMem0(db, '[]', options),
  sync: (options) => sync(db, { readable: new ReadableStream(), writable: new WritableStream() }, options),
  readTranscript: (options) => readTranscript('', options),
  rememberTranscript: (options) => rememberTranscript(db, readTranscript(''), options),
}
const given = (name: string, options: unknown) => (async () => takers[name]!(options))()

test.each([
  ['postgresStorage', { namspace: 'ann' }],
  ['postgresStorage', { readonly: true }],
  ['memoryTools for the AI SDK', { readonly: true }],
  ['memoryTools for OpenAI agents', { readonly: true }],
  ['memoryTools for OpenAI agents', { needApproval: ['forget'] }],
  ['memoryMiddleware', { sesion: 'monday' }],
  ['memoryProcessor', { sesion: 'monday' }],
  ['memoryStorage', { sourse: 'chat' }],
  ['MemoryStore', { sourse: 'chat' }],
  ['MemoryRetriever', { recal: {} }],
  ['Memory', { clock: Date.now }],
  ['importFromMem0', { skipbad: true }],
  ['importFromMem0', { format: 'zep' }],
  ['sync', { maxbytes: 1 }],
  ['readTranscript', { skipbad: true }],
  ['rememberTranscript', { onprogress: () => {} }],
])('%s refuses the unknown option of %o', async (name, options) => {
  await expect(given(name, options)).rejects.toMatchObject({
    code: 'AGIDB_UNKNOWN_OPTION',
    details: { option: Object.keys(options)[0] },
  })
})

test.each([
  ['memoryTools for the AI SDK', { tools: ['recal'] }],
  ['memoryTools for the AI SDK', { tools: 'recall' }],
  ['memoryTools for the AI SDK', { readOnly: 'yes' }],
  ['memoryTools for OpenAI agents', { tools: ['recall', 'forgett'] }],
  ['memoryTools for OpenAI agents', { needsApproval: ['forgett'] }],
  ['memoryTools for OpenAI agents', { needsApproval: 'forget' }],
  ['memoryMiddleware', { remember: 'users' }],
  ['memoryProcessor', { remember: 'users' }],
  ['MemoryRetriever', { marked: 'no' }],
  ...Object.keys(takers).map((name): [string, null] => [name, null]),
])('%s refuses the value of %o', async (name, options) => {
  await expect(given(name, options)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
})

test.each([
  ['memoryTools for the AI SDK', { tools: ['recall', 'restore'], readOnly: true }],
  ['memoryTools for OpenAI agents', { tools: ['recall', 'forget'], needsApproval: ['forget', 'restore'] }],
  ['memoryMiddleware', { session: 'monday', remember: 'user', specificationVersion: 'v4', recall: { k: 3 } }],
  ['memoryProcessor', { session: undefined, remember: false, budgetTokens: 100 }],
  ['memoryStorage', { user: 'Ann', assistant: 'Helper', source: 'chat' }],
  ['MemoryStore', { source: 'chat' }],
  ['MemoryRetriever', { recall: { k: 3 }, marked: false, verbose: false, tags: ['a'], metadata: {}, callbacks: [] }],
  ['postgresStorage', { namespace: 'ann', notify: false, search: 'server', indexedFrom: 9, readOnly: false }],
])('%s takes %o', async (name, options) => {
  await expect(given(name, options)).resolves.toBeDefined()
})
