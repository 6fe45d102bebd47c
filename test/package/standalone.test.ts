import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILT_CODEBOOK } from '../../src/encoding/codebook/built.js'
import { Project } from './project.js'
import { serveFolder, type Site } from './site.js'
import { leave, visit } from './visit.js'

let project: Project
/** Where the package is, and where the page is: two origins. */
let cdn: Site
let site: Site

beforeAll(async () => {
  project = await Project.create()
  cdn = await serveFolder(project.path('node_modules/agidb'))
  site = await serveFolder(project.folder)
})
afterAll(async () => {
  await leave()
  await Promise.all([cdn?.close(), site?.close()])
  await project?.remove()
})

/**
 * A plain page that imports the library from somewhere, remembers something the first time, and says what it recalls.
 */
const page = (library: string, { head = '', options = "{ name: 'plain' }" } = {}) => `<!doctype html>
<title>No bundler</title>${head}
<script type="module">
  try {
    const { Agidb } = await import('${library}')
    const db = await Agidb.open(${options})
    const { episodes } = await db.stats()
    if (episodes === 0) await db.observe('Bawri is a thai place in Bandra.', { speaker: 'Sarah' })
    const { matches } = await db.recall('thai place', { whole: true })
    const { kernel, codebook, durability } = await db.stats()
    globalThis.seen = { before: episodes, text: matches[0].text, kernel, codebook, durability }
    await db.close()
  } catch ({ code, message }) {
    globalThis.seen = { code, message }
  }
</script>`

const answer = {
  text: 'Bawri is a thai place in Bandra.',
  kernel: 'wasm-simd',
  codebook: BUILT_CODEBOOK,
  durability: 'strict',
}

describe('a page without a bundler', () => {
  test('imports the standalone module from another origin, and remembers across a reload', async () => {
    await project.write('cdn.html', page(`${cdn.origin}/dist/standalone/agidb.js`))
    expect(await visit(`${site.origin}/cdn.html`, 2)).toEqual([
      { before: 0, ...answer },
      { before: 1, ...answer },
    ])
  })

  test('imports it from its own origin', async () => {
    await project.write('own.html', page('./node_modules/agidb/dist/standalone/agidb.js'))
    expect(await visit(`${site.origin}/own.html`)).toEqual([{ before: 0, ...answer }])
  })

  test('may be a file on a disk, which keeps nothing beyond its life', async () => {
    await project.write(
      'disk.html',
      page(`${cdn.origin}/dist/standalone/agidb.js`, { options: "{ storage: 'memory' }" }),
    )
    expect(await visit(pathToFileURL(project.path('disk.html')).href)).toEqual([
      { before: 0, ...answer, durability: 'memory' },
    ])
  })

  test('that imports the library for bundlers from another origin is pointed to the standalone module', async () => {
    const imports = { comlink: `${site.origin}/node_modules/comlink/dist/esm/comlink.mjs` }
    const head = `<script type="importmap">${JSON.stringify({ imports })}</script>`
    await project.write('refused.html', page(`${cdn.origin}/dist/src/runtimes/browser/index.js`, { head }))
    expect(await visit(`${site.origin}/refused.html`)).toEqual([
      { code: 'AGIDB_WORKER', message: expect.stringMatching(/another origin.*agidb\/standalone/) },
    ])
  })

  test('that imports the library for bundlers with an import map is pointed to the standalone module', async () => {
    const imports = { comlink: './node_modules/comlink/dist/esm/comlink.mjs' }
    const head = `<script type="importmap">${JSON.stringify({ imports })}</script>`
    await project.write('mapped.html', page('./node_modules/agidb/dist/src/runtimes/browser/index.js', { head }))
    expect(await visit(`${site.origin}/mapped.html`)).toEqual([
      { code: 'AGIDB_WORKER', message: expect.stringContaining('agidb/standalone') },
    ])
  })
})
