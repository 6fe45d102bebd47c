// An HTTP server with four workers of node:cluster and one memory: `node server.mjs`, then
//   curl -d 'The office is in Oslo.' localhost:3000        and        curl 'localhost:3000?where+is+the+office'
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Agidb } from 'agidb'

const port = Number(process.env.PORT ?? 3000)

if (cluster.isPrimary) {
  for (let i = 0; i < 4; i++) cluster.fork()
  // A worker that dies is replaced; if it had the files, another one has them by then.
  cluster.on('exit', (worker) => worker.exitedAfterDisconnect || cluster.fork())
  const stop = () => cluster.disconnect()
  process.on('SIGTERM', stop).on('SIGINT', stop)
} else {
  process.on('SIGINT', () => {}) // the primary says when to stop
  const db = await Agidb.open({ path: process.env.MEMORY ?? './memory.agidb', share: true })
  const server = createServer(async (request, response) => {
    response.setHeader('worker', process.pid)
    if (request.method === 'POST') return response.end(await db.observe(await text(request)))
    const cue = decodeURIComponent(request.url.split('?')[1] ?? '').replaceAll('+', ' ')
    const { matches } = await db.recall(cue, { k: 3 })
    response.end(JSON.stringify(matches.map(({ text, confidence }) => ({ text, confidence }))))
  })
  server.listen(port, () => console.log(`worker ${process.pid} listens on ${port}`))
  process.on('disconnect', async () => {
    await db.close()
    process.exit()
  })
}
