import { HumanMessage } from '@langchain/core/messages'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MemoryChatHistory } from '../../../src/adapters/langchain/chat-history.js'
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
