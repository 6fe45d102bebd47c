import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = {
  agidb: 'src/runtimes/node/index.ts',
  'agidb/postgres': 'src/storage/adapters/postgres/postgres.ts',
}

test('the example remembers in PGlite and finds it', () => {
  const page = readFileSync(join(ROOT, 'docs/postgres.md'), 'utf8')
  let [, code] = /```ts\n([\s\S]*?)```/.exec(page)!
  for (const [name, path] of Object.entries(SOURCES)) code = code.replaceAll(`'${name}'`, `'${join(ROOT, path)}'`)
  const folder = mkdtempSync(join(ROOT, 'node_modules/.agidb-postgres-'))
  try {
    writeFileSync(join(folder, 'example.mts'), code)
    const tsx = import.meta.resolve('tsx')
    const args = ['--import', tsx, 'example.mts']
    expect(execFileSync(process.execPath, args, { encoding: 'utf8', cwd: folder })).toBe('1\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
