import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What programs of the documentation import, as sources of this repository. */
const SOURCES: Readonly<Record<string, string>> = {
  agidb: 'src/runtimes/node/index.ts',
  'agidb/mem0': 'src/adapters/mem0/index.ts',
  'agidb/sync': 'src/adapters/sync/index.ts',
}

/** The programs of a page of the documentation, such as `docs/sync.md`, in their order. */
export function programsOf(page: string): string[] {
  return [...readFileSync(join(ROOT, page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
}

/** Runs a program on the sources of this repository, in an empty folder, and gives what it prints. */
export function run(code: string): string {
  let program = code
  for (const [name, path] of Object.entries(SOURCES)) program = program.replaceAll(`'${name}'`, `'${join(ROOT, path)}'`)
  const folder = mkdtempSync(join(tmpdir(), 'agidb-docs-'))
  try {
    writeFileSync(join(folder, 'example.mts'), program)
    const args = ['--import', import.meta.resolve('tsx'), 'example.mts']
    return execFileSync(process.execPath, args, { encoding: 'utf8', cwd: folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
