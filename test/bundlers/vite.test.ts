import { afterAll, describe, expect, inject, test } from 'vitest'
import type * as Vite from 'vite'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Project } from '../package/project.js'
import { leave, visit } from '../package/visit.js'
import { FIRST, page, SECOND } from './programs.js'

afterAll(leave)

const HTML =
  '<!doctype html><title>page</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>'

/** A Vite by the name that it has in `package.json`. Vite 8 is the one of this repository. */
async function load(name: string): Promise<typeof Vite> {
  const from = name === 'vite' ? import.meta.url : `${inject('tools')}/package.json`
  const folder = createRequire(from).resolve(`${name}/package.json`).replace('package.json', '')
  return (await import(/* @vite-ignore */ pathToFileURL(`${folder}dist/node/index.js`).href)) as typeof Vite
}

describe.each([
  // Up to Vite 7 the development server moves a dependency away from its worker unless it is told not to.
  { name: 'vite6', optimizeDeps: { exclude: ['agidb'] } },
  { name: 'vite7', optimizeDeps: { exclude: ['agidb'] } },
  { name: 'vite', optimizeDeps: {} },
])('$name', ({ name, optimizeDeps }) => {
  const project = Project.at(inject('project'), name)
  const settings = { root: project.folder, configFile: false, logLevel: 'error' } as const
  const write = async () => {
    await project.write('index.html', HTML)
    await project.write('page.js', page("{ name: 'page' }"))
  }

  test('builds a page that remembers across a reload', async () => {
    const vite = await load(name)
    await write()
    await vite.build(settings)
    const server = await vite.preview({ ...settings, preview: { port: 0, host: '127.0.0.1' } })
    try {
      expect(await visit(server.resolvedUrls!.local[0], 2)).toEqual([FIRST, SECOND])
    } finally {
      await server.close()
    }
  })

  test('serves the page while it is being developed', async () => {
    const vite = await load(name)
    await write()
    const server = await vite.createServer({
      ...settings,
      optimizeDeps,
      cacheDir: project.path('cache'),
      server: { port: 0, host: '127.0.0.1' },
    })
    try {
      await server.listen()
      expect(await visit(server.resolvedUrls!.local[0], 2)).toEqual([FIRST, SECOND])
    } finally {
      await server.close()
    }
  })
})
