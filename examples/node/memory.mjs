// A memory in a folder: npm install agidb, then node memory.mjs. It runs in Deno and Bun as well.
import { Agidb } from 'agidb'

const db = await Agidb.open({ path: './memory.agidb' })
await db.observe('Sarah recommended Bawri, a thai place in Bandra.', { speaker: 'Sarah' })
const { matches } = await db.recall('which thai place was it?')
console.log(matches[0].text)
await db.close()
