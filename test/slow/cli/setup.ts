import { build } from 'esbuild'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The compiled command line: a module that Node runs. */
    readonly cli: string
  }
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** What is compiled. */
const FOLDERS = ['src', 'workers']
/** Folders of files that are read at run time. */
const BUILT = /\/built$/

/**
 * Compiles the command line once for all tests, file by file: a command that tsx compiles takes a second longer to
 * start, and tests start hundreds.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Within the project, so that packages and its package.json are found.
  const folder = await mkdtemp(join(ROOT, 'node_modules/.agidb-cli-'))
  const entries = await Promise.all(
    FOLDERS.map((name) => readdir(join(ROOT, name), { recursive: true, withFileTypes: true })),
  )
  const found = entries.flat().map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
  await build({
    absWorkingDir: ROOT,
    entryPoints: found
      .filter(({ entry, path }) => entry.isFile() && /(?<!\.d)\.ts$/.test(path))
      .map(({ path }) => path),
    outdir: folder,
    outbase: ROOT,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  })
  for (const { entry, path } of found)
    if (entry.isDirectory() && BUILT.test(path)) await symlink(path, join(folder, path.slice(ROOT.length)))
  provide('cli', join(folder, 'src/cli/main.js'))
  return () => rm(folder, { recursive: true, force: true })
}
