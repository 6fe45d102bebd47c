import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { runDeno, WITH_KV } from './run-deno.js'

const ROOT = new URL('../../', import.meta.url)
const { resolve } = createRequire(import.meta.url)

test.each(['docs/sqlite.md', 'docs/deno-kv.md'])('the example of %s remembers and finds it', async (page) => {
  let [, code] = /```ts\n([\s\S]*?)```/.exec(await readFile(new URL(page, ROOT), 'utf8'))!
  for (const name of ['agidb', 'agidb/sqlite', 'agidb/deno-kv'])
    code = code.replaceAll(`'${name}'`, `'${pathToFileURL(resolve(name)).href}'`)
  // Within the project, where Deno finds the dependencies of the package; the folder is ignored by Git.
  const results = fileURLToPath(new URL('test-results/', ROOT))
  await mkdir(results, { recursive: true })
  const folder = await mkdtemp(join(results, 'example-'))
  try {
    // The database of an example is its own, not that of whoever runs the tests.
    await writeFile(join(folder, 'example.ts'), code.replace('openKv()', "openKv('example.db')"))
    expect(await runDeno([...WITH_KV, 'example.ts'], { cwd: folder })).toBe('1\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
