// From mem0 to a memory in this process: npm install agidb
import { readFile } from 'node:fs/promises'
import { Agidb } from 'agidb'
import { importFromMem0, Memory } from 'agidb/mem0'

const db = await Agidb.open({ path: './memory.agidb' })
const memory = new Memory(db)

// What mem0 held: JSON.stringify(await mem0.getAll({ filters: { user_id: 'ann' }, topK: 100_000 })).
const held = process.argv[2] === undefined ? '{ "results": [] }' : await readFile(process.argv[2], 'utf8')
const { remembered } = await importFromMem0(db, held)
console.log(`${remembered} memories came along`)

// The calls of the application stay as they are.
await memory.add('I loved Bawri, a thai place in Bandra.', { userId: 'ann' })
const { results } = await memory.search('Which thai place was it?', { filters: { user_id: 'ann' } })
console.log(results[0]?.memory, results[0]?.score)
await db.close()
