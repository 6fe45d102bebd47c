import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryStorage } from '../../../../src/adapters/mastra/index.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'

/** What is called here of a store of Mastra. */
interface Storage {
  saveMessages(given: { messages: object[] }): Promise<unknown>
  listMessagesById(given: { messageIds: string[] }): Promise<{
    messages: { id: string; content: { parts: { text: string }[] } }[]
  }>
}

let db: Awaited<ReturnType<typeof Agidb.open>>
let storage: Storage
beforeEach(async () => {
  db = await Agidb.open({ storage: 'memory', codebook: 'none' })
  storage = memoryStorage(class {} as never, db) as unknown as Storage
})
afterEach(() => db.close())

const message = (id: string, text: string, threadId = 't') => ({
  ...{ id, role: 'user', threadId, resourceId: 'r', createdAt: new Date(0) },
  content: { format: 2, parts: [{ type: 'text', text }] },
})
const said = async (...messageIds: string[]) =>
  (await storage.listMessagesById({ messageIds })).messages.map(({ content }) => content.parts[0]!.text)

test.each([
  ['of which a new one is refused', 'm2'],
  ['of which one that is there is refused', 'm1'],
])('messages %s are saved altogether or not at all', async (_, refused) => {
  await storage.saveMessages({ messages: [message('m0', 'old'), message('m1', 'old')] })
  const messages = [message('m0', 'new'), message('m3', 'new'), message(refused, 'new', 's'.repeat(2_000))]
  await expect(storage.saveMessages({ messages })).rejects.toMatchObject({ code: 'AGIDB_TOO_LARGE' })
  expect(await said('m0', 'm1')).toEqual(['old', 'old'])
  expect(await said('m2', 'm3')).toEqual([])
})
