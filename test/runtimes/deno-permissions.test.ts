import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDeno } from './run-deno.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const AGIDB = pathToFileURL(createRequire(import.meta.url).resolve('agidb')).href
const PROGRAM = `
import { Agidb } from '${AGIDB}'
const open = () => Agidb.open({ path: './memory.agidb' })
console.log(await open().then((db) => db.close()).then(() => 'opened', ({ code, message }) => code + ' ' + message))
`

let folder: string
beforeAll(async () => {
  // Within the project, where Deno finds the dependencies of the package; the folder is ignored by Git.
  const results = join(ROOT, 'test-results')
  await mkdir(results, { recursive: true })
  folder = await mkdtemp(join(results, 'deno-'))
  await writeFile(join(folder, 'open.mjs'), PROGRAM)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What the program prints with some permissions of Deno. */
async function openedWith(...permissions: string[]): Promise<string> {
  return (await runDeno(['--no-prompt', ...permissions, 'open.mjs'], { cwd: folder })).trim()
}

test('without the permission to read, Deno is told to give it, for the package and the memory', async () => {
  const told = await openedWith('--allow-write')
  expect(told).toMatch(/^AGIDB_(KERNEL|CODEBOOK) Deno may not read /)
  expect(told).toContain('run it with --allow-read, or with --allow-read=.')
  expect(told).not.toContain('bundler')
})

test('without the permission to write, Deno is told to give it', async () => {
  expect(await openedWith('--allow-read')).toMatch(
    /^AGIDB_STORAGE .*memory\.agidb.*run again with the --allow-write flag/,
  )
})

test('to read the folder of the project and to write that of the memory is enough', async () => {
  expect(await openedWith(`--allow-read=${ROOT}`, '--allow-write=memory.agidb')).toBe('opened')
})
