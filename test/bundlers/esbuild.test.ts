import { cp, readdir } from 'node:fs/promises'
import { afterAll, expect, inject, test } from 'vitest'
import { Project } from '../package/project.js'
import { serveFolder } from '../package/site.js'
import { leave, visit } from '../package/visit.js'
import { FIRST, page, program, SECOND } from './programs.js'

afterAll(leave)

const project = Project.at(inject('project'), 'esbuild')
const esbuild = (...args: string[]) =>
  project.run(
    process.execPath,
    `${inject('tools')}/node_modules/esbuild/bin/esbuild`,
    '--bundle',
    '--format=esm',
    ...args,
  )

/** Copies the kernel, the codebook and the parts of the worker into a folder, as docs/bundlers.md says. */
async function copyFiles(to: string): Promise<void> {
  for (const from of ['kernel', 'encoding/codebook', 'runtimes/browser']) {
    const folder = project.path('../node_modules/agidb/dist/src', from, 'built')
    for (const name of await readdir(folder))
      if (/\.(wasm|bin)$/.test(name) || from === 'runtimes/browser')
        await cp(`${folder}/${name}`, project.path(to, name))
  }
}

test('esbuild bundles a page, with the worker as an entry point of its own', async () => {
  const worker = "() => new Worker(new URL('./engine.js', import.meta.url), { type: 'module' })"
  await project.write('page.js', page(`{ name: 'page', worker: ${worker} }`))
  await esbuild('page.js', 'engine=agidb/worker', '--outdir=site')
  await copyFiles('site/built')
  await project.write(
    'site/index.html',
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="page.js"></script>',
  )
  const site = await serveFolder(project.path('site'))
  try {
    expect(await visit(`${site.origin}/`, 2)).toEqual([FIRST, SECOND])
  } finally {
    await site.close()
  }
})

test('a page whose worker esbuild left out is told what to do', async () => {
  await project.write('lost.js', page("{ name: 'page' }"))
  await esbuild('lost.js', '--outdir=lost')
  await project.write(
    'lost/index.html',
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="lost.js"></script>',
  )
  const site = await serveFolder(project.path('lost'))
  try {
    expect(await visit(`${site.origin}/`)).toEqual([
      { code: 'AGIDB_WORKER', message: expect.stringContaining('open({ worker })') },
    ])
  } finally {
    await site.close()
  }
})

test('esbuild bundles a program for Node that leaves the library out', async () => {
  await project.write('external.js', program("{ path: './external.agidb' }"))
  await esbuild('external.js', '--platform=node', '--external:agidb', '--outdir=node')
  for (const said of [FIRST, SECOND]) {
    expect(JSON.parse((await project.run(process.execPath, 'node/external.js')).stdout)).toEqual(said)
  }
})

test('a program for Node with the library in its bundle takes kernel and codebook from where they are', async () => {
  const files =
    "kernel: new URL('./agidb_kernel_bg.wasm', import.meta.url), codebook: new URL('./minilm-256.bin', import.meta.url)"
  await project.write('whole.js', program(`{ path: './whole.agidb', ${files} }`))
  await esbuild('whole.js', '--platform=node', '--outdir=whole')
  await copyFiles('whole')
  for (const said of [FIRST, SECOND]) {
    expect(JSON.parse((await project.run(process.execPath, 'whole/whole.js')).stdout)).toEqual(said)
  }
})

test('a bundle for Node that left the kernel behind is told what to do', async () => {
  await project.write('behind.js', program("{ path: './behind.agidb' }"))
  await esbuild('behind.js', '--platform=node', '--outdir=behind')
  const said: unknown = JSON.parse((await project.run(process.execPath, 'behind/behind.js')).stdout)
  expect(said).toEqual({ code: 'AGIDB_KERNEL', message: expect.stringMatching(/external.*agidb\/kernel\.wasm/) })
})
