import type { Memory as Mem0 } from 'mem0ai/oss'
import { Agidb } from 'agidb'
import { Memory } from 'agidb/mem0'

type Methods = 'add' | 'get' | 'getAll' | 'search' | 'update' | 'delete' | 'deleteAll' | 'history' | 'reset'

const db = await Agidb.open({ storage: 'memory', codebook: 'none' })
/** What an application that was written for mem0 calls. */
const memory: Pick<Mem0, Methods> = new Memory(db)
const seen: Record<string, unknown> = {}

const messages = [
  { role: 'user', content: 'I love thai food.' },
  { role: 'assistant', content: 'Noted.' },
]
const { results } = await memory.add(messages, { userId: 'ann', metadata: { topic: 'food' }, infer: false })
await memory.add('I fly kites.', { userId: 'ben', expirationDate: '2100-01-31' })
seen['added'] = results.map(({ memory: text }) => text)
const filters = { user_id: 'ann' }
const found = await memory.search('Which food?', { filters, topK: 1, threshold: 0.1, rerank: true })
seen['found'] = found.results.map(({ memory: text, metadata }) => [text, metadata])
await memory.update(results[0]!.id, { text: 'I love ramen.' })
seen['got'] = (await memory.get(results[0]!.id))?.memory
seen['history'] = (await memory.history(results[0]!.id)).map(({ action }) => action)
seen['all'] = (await memory.getAll({ filters })).results.length
await memory.delete(results[1]!.id)
await memory.deleteAll({ userId: 'ann' })
seen['left'] = await db.count()
await memory.reset()
seen['after reset'] = await db.count()
await db.close()
console.log(JSON.stringify(seen))
