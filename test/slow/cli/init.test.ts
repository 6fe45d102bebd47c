import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { RUNTIMES, STARTS } from '../../../src/cli/starts.js'
import { agidb, scratch } from './agidb.js'

const files = scratch()
const EXAMPLES = new URL('../../../examples/', import.meta.url)

describe('agidb init', () => {
  it('writes the files of an example, and says what to install and how to run it', async () => {
    const folder = files.path('page')
    const { code, out, err } = await agidb(
      ...['init', '--runtime', 'browser', '--framework', 'none', '--folder', folder],
    )
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(readdirSync(folder).sort()).toEqual(['index.html', 'memory.js'])
    expect(readFileSync(join(folder, 'memory.js'), 'utf8')).toContain("Agidb.open({ name: 'my-agent' })")
    expect(out).toContain(`cd ${folder}\n  npm install agidb vite\n  npx vite\n`)
  })

  it('says how Deno installs and runs what Node runs', async () => {
    const { code, out } = await agidb(
      ...['init', '--runtime', 'deno', '--framework', 'none', '--folder', files.path('deno'), '--json'],
    )
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      runtime: 'deno',
      framework: 'none',
      files: ['memory.mjs'],
      written: [{ file: 'memory.mjs', what: 'wrote' }],
      install: 'deno add npm:agidb',
      run: 'deno run --allow-read --allow-write memory.mjs',
    })
  })

  it('changes no file that is there, nor follows a link in its place', async () => {
    const folder = files.path('taken')
    mkdirSync(folder)
    symlinkSync(files.path('elsewhere'), join(folder, 'memory.js'))
    const { code, out } = await agidb('init', '--runtime', 'browser', '--framework', 'none', '--folder', folder)
    expect(code).toBe(0)
    expect(out).toContain('wrote index.html\n')
    expect(out).toContain('memory.js is there already and was not changed: the example is in memory.example.js; take ')
    expect(readdirSync(folder).sort()).toEqual(['index.html', 'memory.example.js', 'memory.js'])
    expect(existsSync(files.path('elsewhere'))).toBe(false)

    writeFileSync(join(folder, 'memory.example.js'), 'mine')
    const again = await agidb('init', '--runtime', 'browser', '--framework', 'none', '--folder', folder)
    expect(again).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'memory.js and memory.example.js are there already; choose another --folder (AGIDB_INVALID_ARGUMENT)',
      ) as string,
    })
    expect(readFileSync(join(folder, 'memory.example.js'), 'utf8')).toBe('mine')
  })

  it('begins in a project that has a package.json, adds the scripts that it lacks, and says so', async () => {
    const folder = files.path('worker')
    mkdirSync(folder)
    const mine = { name: 'mine', type: 'commonjs', scripts: { dev: 'my own' }, dependencies: { hono: '^4.0.0' } }
    const manifest = join(folder, 'package.json')
    writeFileSync(manifest, JSON.stringify(mine, undefined, '\t'))
    const init = () => agidb('init', '--runtime', 'cloudflare', '--framework', 'none', '--folder', folder)
    const { code, out, err } = await init()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('package.json is there already: added the script deploy\n')
    expect(out).toContain('wrote wrangler.jsonc\n')
    expect(out).toContain('npm install agidb wrangler @cloudflare/workers-types\n')
    const text = readFileSync(manifest, 'utf8')
    expect(JSON.parse(text)).toEqual({ ...mine, scripts: { dev: 'my own', deploy: 'wrangler deploy' } })
    expect(text).toContain('\n\t"name": "mine"')
    expect(readdirSync(join(folder, 'src')).sort()).toEqual(['index.ts', 'modules.d.ts'])

    const again = await init()
    expect(again.out).toContain('src/index.ts is there already, with the same content\n')
    expect(again.out).toContain('package.json is there already, and lacks nothing\n')
    expect(readFileSync(manifest, 'utf8')).toBe(text)
  })

  it('writes nothing where the package.json that is there cannot be read', async () => {
    const folder = files.path('broken')
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{ "name": ')
    const { code, err } = await agidb('init', '--runtime', 'cloudflare', '--framework', 'none', '--folder', folder)
    expect(code).toBe(2)
    expect(err).toContain('package.json is no object of JSON; repair it, or choose another --folder')
    expect(readdirSync(folder)).toEqual(['package.json'])
  })

  it('says which versions take the Node that runs it', async () => {
    const { out } = await agidb(
      ...['init', '--runtime', 'node', '--framework', 'ai-sdk', '--folder', files.path('chat'), '--json'],
    )
    const { install, run } = JSON.parse(out) as { install: string; run: string }
    const isOld = Number(process.versions.node.split('.')[0]) < 22
    expect([install, run]).toEqual([`npm install agidb ${isOld ? 'ai@6' : 'ai'} zod tsx`, 'npx tsx chat.mts'])
  })

  it('says what is missing where there is nobody to ask', async () => {
    const { code, err } = await agidb('init')
    expect(code).toBe(2)
    expect(err).toContain('--runtime is missing, and there is nobody to ask; give one of node, browser, deno')
  })

  it('ends as interrupted where its question is left with Ctrl+C or Ctrl+D', async () => {
    const [stdin, isTTY] = ['stdin', 'isTTY'].map((name, i) =>
      Object.getOwnPropertyDescriptor(i === 0 ? process : process.stdout, name),
    )
    try {
      for (const key of ['\u0003', '\u0004']) {
        const typed = Object.assign(new PassThrough(), { isTTY: true })
        Object.defineProperty(process, 'stdin', { value: typed, configurable: true })
        Object.defineProperty(process.stdout, 'isTTY', { value: true, configurable: true })
        const ending = agidb('init', '--folder', files.path('asked'))
        typed.write(key)
        const { code, out, err } = await ending
        expect(out).toContain('Where does it run?')
        expect({ code, err }).toEqual({ code: 130, err: expect.stringContaining('AGIDB_ABORTED') as string })
      }
    } finally {
      Object.defineProperty(process, 'stdin', stdin!)
      if (isTTY === undefined) Reflect.deleteProperty(process.stdout, 'isTTY')
      else Object.defineProperty(process.stdout, 'isTTY', isTTY)
    }
    expect(existsSync(files.path('asked'))).toBe(false)
  })

  it('says what there is for a runtime that a framework does not run in', async () => {
    const { code, err } = await agidb('init', '--runtime', 'cloudflare', '--framework', 'ai-sdk')
    expect(code).toBe(2)
    expect(err).toContain('there is no program for ai-sdk in cloudflare; in cloudflare there is none')
  })

  it('has a program for every runtime, and an example for every program', () => {
    for (const runtime of RUNTIMES) expect(STARTS.some(({ runtimes }) => runtimes.includes(runtime))).toBe(true)
    for (const { example } of STARTS) expect(existsSync(new URL(example, EXAMPLES)), example).toBe(true)
  })
})
