import { createRequire } from 'node:module'
import { afterAll, expect, inject, test } from 'vitest'
import { Project } from '../package/project.js'
import { serveFolder } from '../package/site.js'
import { leave, visit } from '../package/visit.js'
import { FIRST, page, program, SECOND } from './programs.js'

afterAll(leave)

const project = Project.at(inject('project'), 'webpack')

interface Stats {
  hasErrors(): boolean
  toString(what: object): string
}

/** Bundles with no other settings than these, which webpack needs to know what the output is for. */
async function bundle(settings: object): Promise<void> {
  const webpack = createRequire(`${inject('tools')}/package.json`)('webpack') as (
    settings: object,
    done: (error: Error | null, stats: Stats) => void,
  ) => void
  const stats = await new Promise<Stats>((resolve, reject) =>
    webpack({ mode: 'production', context: project.folder, ...settings }, (error, stats) =>
      error ? reject(error) : resolve(stats),
    ),
  )
  expect(stats.hasErrors(), stats.toString({ all: false, errors: true })).toBe(false)
}

test('webpack bundles a page that remembers across a reload', async () => {
  await project.write('page.js', page("{ name: 'page' }"))
  await bundle({ entry: './page.js', output: { path: project.path('site') }, performance: false })
  await project.write(
    'site/index.html',
    '<!doctype html><link rel="icon" href="data:,"><script src="main.js"></script>',
  )
  const site = await serveFolder(project.path('site'))
  try {
    expect(await visit(`${site.origin}/`, 2)).toEqual([FIRST, SECOND])
  } finally {
    await site.close()
  }
})

test('webpack bundles a program for Node', async () => {
  await project.write('program.js', program("{ path: './memory.agidb' }"))
  await bundle({
    entry: './program.js',
    target: 'node20',
    experiments: { outputModule: true },
    output: { path: project.path('node'), module: true, filename: 'main.mjs' },
  })
  for (const said of [FIRST, SECOND]) {
    expect(JSON.parse((await project.run(process.execPath, 'node/main.mjs')).stdout)).toEqual(said)
  }
})
