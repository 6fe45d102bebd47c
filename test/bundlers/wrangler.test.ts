import { readFile } from 'node:fs/promises'
import { expect, inject, test } from 'vitest'
import { Project } from '../package/project.js'
import { FIRST, ON_THE_EDGE } from './programs.js'
import { ask, startServer } from './server.js'

const project = Project.at(inject('project'), 'wrangler')
const WRANGLER = `${inject('tools')}/node_modules/wrangler/bin/wrangler.js`
/** Nothing is sent anywhere. */
const OFFLINE = { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', CI: 'true' }

/** A worker that opens its memory at the top level, as docs/getting-started-edge.md shows. */
const WORKER = `
const { episodes } = await db.stats()
export default {
  async fetch() {
    await db.observe('Bawri is a thai place in Bandra.')
    const { matches } = await db.recall('thai place')
    const { kernel, codebook } = await db.stats()
    return Response.json({ before: episodes, text: matches[0].text, kernel, codebook })
  },
}
`

/** Serves a worker with Wrangler's development server, and answers what it says. */
async function serve(name: string, code: string): Promise<unknown> {
  await project.write(`${name}/worker.js`, code)
  await project.write(
    `${name}/wrangler.json`,
    JSON.stringify({ name, main: 'worker.js', compatibility_date: '2026-04-01' }),
  )
  const server = await startServer(
    process.execPath,
    [WRANGLER, 'dev', '--local', '--port', '0', '--ip', '127.0.0.1'],
    project.path(name),
    OFFLINE,
  )
  try {
    return await ask(server.origin)
  } finally {
    await server.stop()
  }
}

test('the worker of docs/getting-started-edge.md opens its memory at the top level', async () => {
  const page = await readFile(new URL('../../docs/getting-started-edge.md', import.meta.url), 'utf8')
  const [, snippet] = /```ts\n(import \{ Agidb \} from 'agidb\/edge'[\s\S]*?)```/.exec(page)!
  expect(await serve('readme', snippet + WORKER)).toEqual(ON_THE_EDGE)
})

test('a worker takes the codebook, too', async () => {
  const head = `
    import { Agidb } from 'agidb'
    import codebook from 'agidb/codebook.bin'
    import kernel from 'agidb/kernel.wasm'
    const db = await Agidb.open({ storage: 'memory', kernel, codebook })
  `
  expect(await serve('codebook', head + WORKER)).toEqual(FIRST)
})

test('a worker is packed for deployment', async () => {
  await project.write(
    'deploy/worker.js',
    `import { Agidb } from 'agidb'\nimport kernel from 'agidb/kernel.wasm'\nconst db = await Agidb.open({ ` +
      `storage: 'memory', kernel })\n${WORKER}`,
  )
  await project.write(
    'deploy/wrangler.json',
    JSON.stringify({ name: 'deploy', main: 'worker.js', compatibility_date: '2026-04-01' }),
  )
  const at = Project.at(project.folder, 'deploy')
  at.environment = OFFLINE
  const { stdout } = await at.run(process.execPath, WRANGLER, 'deploy', '--dry-run', '--outdir', 'out')
  expect(stdout).toContain('Total Upload')
})
