import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
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
      install: 'deno add npm:agidb',
      run: 'deno run --allow-read --allow-write --allow-env memory.mjs',
    })
  })

  it('changes no file that is there, nor follows a link in its place', async () => {
    const folder = files.path('taken')
    mkdirSync(folder)
    symlinkSync(files.path('elsewhere'), join(folder, 'memory.js'))
    const { code, err } = await agidb('init', '--runtime', 'browser', '--framework', 'none', '--folder', folder)
    expect(code).toBe(2)
    expect(err).toContain('memory.js is there already; choose another --folder (AGIDB_INVALID_ARGUMENT)')
    expect(readdirSync(folder)).toEqual(['memory.js'])
    expect(existsSync(files.path('elsewhere'))).toBe(false)
  })

  it('says what is missing where there is nobody to ask', async () => {
    const { code, err } = await agidb('init')
    expect(code).toBe(2)
    expect(err).toContain('--runtime is missing, and there is nobody to ask; give one of node, browser, deno')
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
