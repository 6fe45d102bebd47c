import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = { agidb: 'src/runtimes/node/index.ts', 'agidb/sync': 'src/adapters/sync/index.ts' }
const [methods, stream] = [...readFileSync(join(ROOT, 'docs/sync.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code]) => code,
)

/** Runs a program on the sources of this repository, and gives what it prints. */
function run(code: string): string {
  let program = code
  for (const [name, path] of Object.entries(SOURCES)) program = program.replaceAll(`'${name}'`, `'${join(ROOT, path)}'`)
  const folder = mkdtempSync(join(tmpdir(), 'agidb-sync-'))
  try {
    writeFileSync(join(folder, 'example.mts'), program)
    const args = ['--import', import.meta.resolve('tsx'), 'example.mts']
    return execFileSync(process.execPath, args, { encoding: 'utf8', cwd: folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the example of two devices prints what it says', () => {
  expect(run(methods)).toBe('3 3\n2 2\n')
})

test('the example of a stream has the other memory receive the episode', () => {
  expect(run(stream)).toBe('1\n')
})
