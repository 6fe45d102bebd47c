import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { build, preview, type PreviewServer } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import playwright from '../../playwright.config.js'
import { BUILT_CODEBOOK } from '../../src/encoding/codebook/built.js'
import { Project } from './project.js'

let project: Project

beforeAll(async () => {
  project = await Project.create()
})
afterAll(() => project.remove())

test('what is exported and promised is there, and no sources or tests', async () => {
  const { exports, bin } = (await project.manifest()) as { exports: object; bin: object }
  const promised = [exports, bin].flatMap(leaves)
  expect(promised.length).toBeGreaterThan(10)
  for (const path of promised) expect(existsSync(project.path('node_modules/agidb', path)), path).toBe(true)
  const files = await project.packed()
  expect(files).toContain('LICENSE')
  expect(files.filter((name) => /^(src|test|crate|demo|bench|e2e)\b|^(?!examples).*(?<!\.d)\.ts$/.test(name))).toEqual(
    [],
  )
})

test('every link of the packed pages leads to a file that is packed, or to the web', async () => {
  const pages = (await project.packed()).filter((name) => name.endsWith('.md'))
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/architecture.md', 'docs/format.md']))
  for (const page of pages) {
    const text = await readFile(project.path('node_modules/agidb', page), 'utf8')
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link)
      .filter((link) => !/^(https:|#)/.test(link))
    for (const link of links) {
      const file = join(dirname(page), link.replace(/#.*/, ''))
      expect(existsSync(project.path('node_modules/agidb', file)), `${page} links to ${link}`).toBe(true)
    }
  }
})

test('the manifest says where the project, its sources and its issues are', async () => {
  expect(await project.manifest()).toMatchObject({
    homepage: expect.stringMatching(/^https:/),
    repository: { type: 'git', url: expect.stringMatching(/^git\+https:.*\.git$/) },
    bugs: { url: expect.stringMatching(/^https:.*\/issues$/) },
  })
})

test('Node remembers in a folder and finds it again', async () => {
  await project.write(
    'use.js',
    `
    import { Agidb, AgidbError } from 'agidb'
    const [path, what] = process.argv.slice(2)
    const db = await Agidb.open({ path })
    if (what) await db.observe(what, { speaker: 'Sarah', at: '2026-05-01T19:00:00Z' })
    const { matches } = await db.recall('which thai place was recommended?')
    const { kernel, codebook, episodes } = await db.stats()
    await db.close()
    const error = await db.stats().catch((error) => error)
    const { text, speaker } = matches[0]
    const code = error instanceof AgidbError && error.code
    console.log(JSON.stringify({ text, speaker, kernel, codebook, episodes, error: code }))
  `,
  )
  const text = 'Sarah recommended Bawri, a thai place in Bandra.'
  const expected = {
    text,
    speaker: 'Sarah',
    kernel: 'wasm-simd',
    codebook: BUILT_CODEBOOK,
    episodes: 1,
    error: 'AGIDB_CLOSED',
  }
  const first = await project.run(process.execPath, 'use.js', 'memory.agidb', text)
  expect(JSON.parse(first.stdout)).toEqual(expected)
  const again = await project.run(process.execPath, 'use.js', 'memory.agidb')
  expect(JSON.parse(again.stdout)).toEqual(expected)
})

test('agidb init writes a program that runs, in a project of CommonJS too, as npm init begins it', async () => {
  const agidb = project.path('node_modules/.bin/agidb')
  await project.write('begun/package.json', '{ "type": "commonjs" }')
  await project.run(agidb, 'init', '--runtime', 'node', '--framework', 'none', '--folder', 'begun')
  const { stdout } = await project.run(process.execPath, 'begun/memory.mjs')
  expect(stdout).toBe('Sarah recommended Bawri, a thai place in Bandra.\n')
})

test('the command line remembers and recalls', async () => {
  await project.write('chat.txt', 'Sarah: Bawri is a thai place in Bandra.\nTom: The rent is due on Monday.\n')
  const agidb = project.path('node_modules/.bin/agidb')
  expect((await project.run(agidb, '--version')).stdout.trim()).toBe((await project.manifest()).version)
  await project.run(agidb, 'remember', 'chat.txt', '--db', 'chat.agidb')
  const { stdout } = await project.run(agidb, 'recall', 'when is the rent due?', '--db', 'chat.agidb', '-k', '1')
  expect(stdout).toContain('The rent is due on Monday.')
  const stats = JSON.parse((await project.run(agidb, 'stats', '--db', 'chat.agidb', '--json')).stdout) as {
    episodes: number
  }
  expect(stats.episodes).toBe(2)
})

test('the sentence encoder says what it needs beside the package', async () => {
  await project.write(
    'encode.js',
    `
    import { sentenceEncoder } from 'agidb/onnx'
    const files = { model: new Uint8Array(1), tokenizer: new Uint8Array(1) }
    const error = await sentenceEncoder(files).catch((error) => error)
    console.log(error.code, error.message)
  `,
  )
  const { stdout } = await project.run(process.execPath, 'encode.js')
  expect(stdout).toMatch(/^AGIDB_UNSUPPORTED .*npm install both/)
})

test('encoders over transformers.js say what they need beside the package', async () => {
  const code = `
    import { sentenceEncoder } from 'agidb/transformers'
    const error = await sentenceEncoder({ model: './none' }).catch((error) => error)
    console.log(error.code, error.message)
  `
  await project.write('transformers.js', code)
  const { stdout } = await project.run(process.execPath, 'transformers.js')
  expect(stdout).toMatch(/^AGIDB_UNSUPPORTED .*npm install @huggingface\/transformers/)
})

describe('types, without skipLibCheck', () => {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const check = (...options: string[]) =>
    project.run(process.execPath, tsc, '--strict', '--noEmit', '--target', 'es2022', ...options, 'typed.ts')
  const use = (open: string) => `
    import { Agidb, AgidbError, type Episode, type Match } from 'agidb'
    import { readTranscript } from 'agidb/transcript'
    import { storageContract } from 'agidb/storage-contract'
    import type { OpenedStorage, StorageAdapter } from 'agidb'
    import { sentenceEncoder, type SentenceEncoder } from 'agidb/onnx'
    import { sentenceEncoder as folderEncoder, type RunsOn } from 'agidb/transformers'
    import { openaiEncoder } from 'agidb/http-encoders'
    import { postgresStorage } from 'agidb/postgres'
    import { sqliteStorage } from 'agidb/sqlite'
    import { denoKvStorage, type DenoKv } from 'agidb/deno-kv'
    import { bams, type BamsReport } from 'agidb/bams'
    import { functionLlm, ollamaLlm, type LlmProvider } from 'agidb/llm'
    const report = (): BamsReport => bams({ components: {}, regions: [] })
    const db: Agidb = await Agidb.open(${open})
    const triples = [{ subject: 'a', predicate: 'b', object: 'c' }]
    const id: string = await db.observe('text', { at: new Date(), triples })
    const episode: Episode | undefined = await db.getEpisode(id)
    const { matches } = await db.recall('cue', { k: 3, signal: new AbortController().signal })
    const best: Match = matches[0]
    const tokenizer = new URL('https://example.com/tokenizer.json')
    const encoder: SentenceEncoder = await sentenceEncoder({ model: new Uint8Array(), tokenizer })
    const inFolder: SentenceEncoder & RunsOn = await folderEncoder({ model: './minilm', device: 'webgpu' })
    const other: SentenceEncoder = await openaiEncoder({ model: 'm', url: new URL('http://localhost:8000') })
    const llm: LlmProvider = ollamaLlm({ model: 'llama3.2' })
    const own: LlmProvider = functionLlm(async ({ prompt, signal }) => (signal.aborted ? '' : prompt))
    const adapter: StorageAdapter = { open: () => Promise.reject<OpenedStorage>(new Error('not here')) }
    const inPostgres: StorageAdapter = postgresStorage({ query: async () => [] }, { namespace: 'ann' })
    const inSqlite: StorageAdapter = sqliteStorage({ prepare: () => ({ all: () => [], run: () => undefined }) })
    const inKv = (kv: DenoKv): StorageAdapter => denoKvStorage(kv, { prefix: ['ann'] })
    export { inSqlite, inKv }
    export { report, episode, best, readTranscript, encoder, inFolder, other, llm, own }
    export { AgidbError, adapter, inPostgres, storageContract }
  `

  test.each([
    ['nodenext', '{ path: "./memory" }'],
    ['bundler', '{ name: "memory" }'],
    ['bundler', '{ storage: "memory" }'],
  ])('%s resolution: open(%s)', async (resolution, open) => {
    await project.write('typed.ts', use(open))
    const module = resolution === 'bundler' ? 'esnext' : resolution
    await check('--module', module, '--moduleResolution', resolution)
  })

  test('a wrong option is refused', async () => {
    await project.write('typed.ts', use('{ pathh: "./memory" }'))
    await expect(check('--module', 'nodenext')).rejects.toMatchObject({ stdout: expect.stringContaining('pathh') })
  })
})

describe('a page bundled by Vite with no configuration', () => {
  let server: PreviewServer

  beforeAll(async () => {
    await project.write(
      'index.html',
      '<!doctype html><title>page</title><script type="module" src="/page.js"></script>',
    )
    await project.write(
      'page.js',
      `
      import { Agidb } from 'agidb'
      const db = await Agidb.open({ name: 'page' })
      const { episodes } = await db.stats()
      if (episodes === 0) await db.observe('Bawri is a thai place in Bandra.', { speaker: 'Sarah' })
      const { matches } = await db.recall('thai place', { whole: true })
      const { kernel, codebook, durability } = await db.stats()
      const { text, speaker } = matches[0]
      globalThis.seen = { before: episodes, text, speaker, kernel, codebook, durability }
    `,
    )
    await build({ root: project.folder, configFile: false, logLevel: 'error' })
    server = await preview({ root: project.folder, configFile: false, preview: { port: 0, host: '127.0.0.1' } })
  })
  afterAll(() => server.close())

  test('ships the page, the worker, the kernel, the codebook and its ranker as files of their own', async () => {
    const assets = await readdir(project.path('dist/assets'))
    const page = assets.find((name) => /^index-.*\.js$/.test(name))!
    const worker = assets.find((name) => /^engine-.*\.js$/.test(name))!
    expect(assets.filter((name) => name.endsWith('.wasm')).sort()).toEqual([
      expect.stringMatching(/^agidb_core_bg-/),
      expect.stringMatching(/^agidb_graphs_bg-/),
    ])
    expect(assets.filter((name) => name.endsWith('.bin')).sort()).toEqual([
      expect.stringMatching(/^minilm-256-/),
      expect.stringMatching(/^ranker-/),
    ])
    for (const part of [
      'floors',
      'time',
      'sequence',
      'particulars',
      'pools',
      'contrast',
      'extraction',
      'forgetting',
      'believing',
      'consolidation',
      'occasional',
      'portable',
      'sync',
      'graphs',
      'encryption',
      'salvage',
      'codebook',
      'reference-kernel',
    ])
      expect(assets).toContainEqual(expect.stringMatching(new RegExp(`^${part}-.*\\.js$`)))
    const gz = async (name: string) => gzipSync(await readFile(project.path('dist/assets', name))).length
    console.log((await Promise.all(assets.map(async (name) => `${name}: ${await gz(name)} bytes gzipped`))).join('\n'))
    expect(await gz(page), 'the page, which holds the client alone').toBeLessThan(16_000)
    expect(await gz(worker), 'the engine, its indexes, tabs, and one table of trees').toBeLessThan(144_400)
  })

  test('remembers across a reload in Chromium', async () => {
    const browser = await chromium.launch(playwright.use?.launchOptions)
    try {
      const page = await browser.newPage()
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      const seen = async () => {
        await page.waitForFunction(() => 'seen' in globalThis || undefined, undefined, { timeout: 30_000 })
        return page.evaluate(() => (globalThis as { seen?: unknown }).seen)
      }
      const expected = {
        text: 'Bawri is a thai place in Bandra.',
        speaker: 'Sarah',
        kernel: 'wasm-simd',
        codebook: BUILT_CODEBOOK,
        durability: 'strict',
      }
      await page.goto(server.resolvedUrls!.local[0])
      expect(await seen()).toEqual({ before: 0, ...expected })
      await page.reload()
      expect(await seen()).toEqual({ before: 1, ...expected })
      expect(errors).toEqual([])
    } finally {
      await browser.close()
    }
  })
})

/** The paths in a map of exports. */
function leaves(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(leaves)
}
