import { HumanMessage } from '@langchain/core/messages'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MemoryChatHistory } from '../../../src/adapters/langchain/chat-history.js'
import { memoryStorage, type MemoryStorageMethods } from '../../../src/adapters/mastra/index.js'
import { MemorySession } from '../../../src/adapters/openai-agents/session.js'
import { Agidb } from '../../../src/runtimes/node/index.js'

let db: Agidb
beforeEach(async () => {
  db = await Agidb.open({ storage: 'memory', codebook: 'none' })
})
afterEach(() => db.close())

const said = (content: string) => ({ role: 'user' as const, content })

describe.each([
  ['MemorySession', (options: any) => new MemorySession(db, options)],
  ['MemoryChatHistory', (options: any) => new MemoryChatHistory(db, options)],
])('%s', (_, make) => {
  test.each([
    ['an unknown option in the place of the session', { sessionId: 'carl' }, 'AGIDB_UNKNOWN_OPTION'],
    ['an unknown option beside it', { session: 'carl', usr: 'Carl' }, 'AGIDB_UNKNOWN_OPTION'],
    ['no session', {}, 'AGIDB_INVALID_ARGUMENT'],
    ['no options', undefined, 'AGIDB_INVALID_ARGUMENT'],
    ['a session that is undefined', { session: undefined }, 'AGIDB_INVALID_ARGUMENT'],
    ['a session that is blank', { session: ' ' }, 'AGIDB_INVALID_ARGUMENT'],
    ['a list of sessions', { session: ['ann', 'bob'] }, 'AGIDB_INVALID_ARGUMENT'],
  ])('%s is refused, since it would read and forget the conversations of everybody', (_, options, code) => {
    expect(() => make(options)).toThrow(expect.objectContaining({ code }))
  })
})

test('a conversation of either kind is read and cleared alone', async () => {
  for (const session of ['ann', 'bob']) {
    await new MemorySession(db, { session }).addItems([said(`Secret of ${session}.`)])
    await new MemoryChatHistory(db, { session }).addMessages([new HumanMessage(`Secret of ${session}.`)])
  }
  await new MemorySession(db, { session: 'ann' }).clearSession()
  await new MemoryChatHistory(db, { session: 'bob' }).clear()
  expect(await new MemorySession(db, { session: 'ann' }).getItems()).toEqual([])
  expect(await new MemorySession(db, { session: 'bob' }).getItems()).toEqual([said('Secret of bob.')])
  expect(await new MemoryChatHistory(db, { session: 'ann' }).getMessages()).toHaveLength(1)
  expect(await new MemoryChatHistory(db, { session: 'bob' }).getMessages()).toEqual([])
})

const INVALID = { code: 'AGIDB_INVALID_ARGUMENT' }
const mastra = () => memoryStorage(class {}, db) as unknown as MemoryStorageMethods<any>
const message = (more: object = {}) => ({
  ...{ id: 'm1', role: 'user', threadId: 't1', resourceId: 'ann', createdAt: new Date('2026-01-02T03:04:05Z') },
  ...{ content: { format: 2, parts: [{ type: 'text', text: 'I like tea.' }] }, ...more },
})

test.each([
  ['null', [null]],
  ['a text', ['hello']],
  ['no list', null],
])('%s in the place of items or messages is refused with a code, and nothing is stored', async (_, wrong: any) => {
  const session = new MemorySession(db, { session: 'ann' })
  await expect(session.addItems(wrong && [said('Hello.'), ...wrong])).rejects.toMatchObject(INVALID)
  const transaction = { type: 'append_items' as const, items: wrong }
  await expect(session.applyHistoryTransaction({ operationId: 'o', transaction })).rejects.toMatchObject(INVALID)
  const history = new MemoryChatHistory(db, { session: 'ann' })
  await expect(history.addMessages(wrong && [new HumanMessage('Hello.'), ...wrong])).rejects.toMatchObject(INVALID)
  await expect(mastra().saveMessages({ messages: wrong && [message(), ...wrong] })).rejects.toMatchObject(INVALID)
  await expect(mastra().updateMessages({ messages: wrong })).rejects.toMatchObject(INVALID)
  expect(await db.count()).toBe(0)
})

test('an item whose content has null among its parts is given back as it was', async () => {
  const item = { role: 'user', content: [null, { type: 'input_text', text: 'Hello.' }] } as any
  const session = new MemorySession(db, { session: 'ann' })
  await session.addItems([item])
  expect(await session.getItems()).toEqual([item])
})

test('messages of Mastra take their time as text, too, and give it back as a date', async () => {
  const createdAt = '2026-01-02T03:04:05.000Z'
  await mastra().saveMessages({ messages: [message({ createdAt })] })
  expect((await mastra().listMessagesById({ messageIds: ['m1'] })).messages).toEqual([message()])
  const later = '2026-01-03T00:00:00.000Z'
  const [changed] = await mastra().updateMessages({ messages: [{ id: 'm1', createdAt: later } as any] })
  expect(changed.createdAt).toEqual(new Date(later))
})

test.each([
  ['a time that is none', { createdAt: 'yesterday' }],
  ['a time that is a date of nothing', { createdAt: new Date(Number.NaN) }],
  ['no time', { createdAt: undefined }],
  ['no content', { content: undefined }],
  ['a text for its content', { content: 'I like tea.' }],
  ['null for a part', { content: { format: 2, parts: [null] } }],
])('a message of Mastra with %s is refused with a code', async (_, more) => {
  await expect(mastra().saveMessages({ messages: [message(), message(more)] })).rejects.toMatchObject(INVALID)
  expect(await db.count()).toBe(0)
})
