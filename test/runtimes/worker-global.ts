// Runs in workerd, which allows no random numbers, timers or requests while a worker starts: the memory is opened there
// all the same.
import { Agidb } from 'agidb'
import codebook from 'agidb/codebook.bin'
import kernel from 'agidb/kernel.wasm'

const db = await Agidb.open({ storage: 'memory', kernel, codebook })

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const id = await db.observe(`Somebody asked for ${pathname}`)
    const { episodes } = await db.stats()
    const { matches } = await db.recall(pathname, { k: 1 })
    return Response.json({ id, episodes, text: matches[0].text })
  },
}
