import { rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { buildParts } from '../tools/build-parts.js'

/** Pages that other commands load, from servers of their own. */
const ELSEWHERE = ['crash.html', 'remote.html', 'unattended.html']

let building: Promise<string> | undefined

/**
 * Builds the pages of `e2e/pages` with Vite, once in this process: what a page loads is a few files, and not some three
 * hundred. Assets, such as the parts of the library and its WebAssembly, keep the paths that they have in the
 * repository, so that tests name them as in a development server.
 *
 * @returns the folder, which is removed when the process ends
 */
export function builtPages(): Promise<string> {
  return (building ??= buildPages())
}

async function buildPages(): Promise<string> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const outDir = join(root, `node_modules/.cache/agidb-pages-${process.pid}`)
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }))
  const pages = join(root, 'e2e/pages')
  const names = (await readdir(pages)).filter((name) => name.endsWith('.html') && !ELSEWHERE.includes(name))
  const input = names.map((name) => join(pages, name))
  const output = {
    assetFileNames: ({ originalFileNames: [path] }: { readonly originalFileNames: readonly string[] }) =>
      path ?? 'assets/[name]-[hash][extname]',
  }
  await buildParts()
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'mpa',
    publicDir: false,
    // React checks more while it is developed with.
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [withEffects],
    worker: { format: 'es', plugins: () => [withEffects], rolldownOptions: { output } },
    build: { target: 'es2022', outDir, emptyOutDir: true, minify: false, rolldownOptions: { input, output } },
  })
  return outDir
}

/** The package says that its modules have no effects. Those of the tests have. */
const withEffects: Plugin = {
  name: 'agidb-pages-with-effects',
  transform: (_, id) => (id.includes('/e2e/pages/') ? { moduleSideEffects: true } : undefined),
}
