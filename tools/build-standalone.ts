/**
 * Makes `dist/standalone/agidb.js` of the built library: the browser's entry as one module, with its workers in it, for
 * pages without a bundler. Each worker is started from a blob URL, since browsers refuse a worker of another origin and
 * give a worker no import map. The kernel is copied beside the module; the codebook stays where it is in the package,
 * since it is large. The workers are classic scripts: a page that is a file on a disk may start no module worker from a
 * blob.
 */
import { build, type Plugin } from 'esbuild'
import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'

const FROM = 'dist/src/runtimes/browser/index.js'
const FOLDER = 'dist/standalone'
/** Bytes up to which a file is copied beside the module. */
const SMALL = 2 ** 20

/** How the library starts a worker, names a file beside a module, and names anything else relative to a module. */
const WORKER = /new Worker\(new URL\('([^']+)', import\.meta\.url\), \{\s*type: 'module',\s*/g
const FILE = /new URL\('([^']+(?:\.bin|\.wasm|\/voice\.js))', import\.meta\.url\)/g
const RELATIVE = /new URL\([^)]*, import\.meta\.url\)/

/** What `import.meta.url` is in a worker, whose own URL is that of a blob: the URL of the standalone module. */
const BASE = 'globalThis.agidbStandalone'

/**
 * Replaces the URLs of workers by workers that are part of the module, and the URLs of files by URLs relative to
 * `dist/standalone`.
 */
const embedding: Plugin = {
  name: 'embedding',
  setup({ onLoad, onResolve }) {
    // A page that is a file on a disk can fetch nothing, so the parts are in the worker.
    onLoad({ filter: /\/dist\/src\/runtimes\/browser\/parts\.js$/ }, ({ path }) => ({
      contents: `
        import * as reference from '../../kernel/reference/kernel.js'
        export { OWN_PARTS as BROWSER_PARTS } from '../../engine/whole.js'
        import * as codebook from '../../encoding/codebook/part.js'
        export const codebookPart = async () => codebook
        import * as salvage from './salvage.js'
        import * as mirroring from '../../storage/adapters/browser/mirroring.js'
        export const mirroringPart = async () => mirroring
        export const salvagePart = async () => salvage
        export const referenceKernelPart = async () => reference
        export const prefetchParts = async () => {}`,
      resolveDir: dirname(path),
    }))
    onLoad({ filter: /\/dist\/.*\.js$/, namespace: 'file' }, async ({ path }) => {
      // The parts are in the worker, and with them the graphs: the whole kernel is one file.
      const source = (await readFile(path, 'utf8')).replaceAll('agidb_core_bg.wasm', 'agidb_kernel_bg.wasm')
      const files = new Map<string, string>()
      for (const [, name] of source.matchAll(FILE)) files.set(name, await place(resolve(dirname(path), name)))
      const workers = [...source.matchAll(WORKER)].map(([, name]) => name)
      const contents = source
        .replace(WORKER, (_, name: string) => `new Worker(worker${workers.indexOf(name)}(), { `)
        .replace(FILE, (_, name: string) => `new URL(${JSON.stringify(files.get(name))}, import.meta.url)`)
      const imports = workers.map((name, i) => `import worker${i} from 'worker:${resolve(dirname(path), name)}'\n`)
      const left = source.replace(WORKER, '').replace(FILE, '')
      if (RELATIVE.test(left))
        throw new Error(`${path} names a file in a way that this build does not know: ${RELATIVE.exec(left)![0]}`)
      return { contents: imports.join('') + contents, loader: 'js' }
    })
    onResolve({ filter: /^worker:/ }, ({ path }) => ({ path: path.slice('worker:'.length), namespace: 'worker' }))
    onLoad({ filter: /.*/, namespace: 'worker' }, async ({ path }) => {
      const source = await bundle(path, BASE)
      const contents = `
        const source = ${JSON.stringify(source)}
        let url
        export default () => url ??= URL.createObjectURL(
          new Blob(['${BASE} = ' + JSON.stringify(import.meta.url) + ';', source], { type: 'text/javascript' })
        )`
      return { contents, loader: 'js' }
    })
  },
}

/** A file as it is named from the standalone module; copied there if it is small. */
async function place(file: string): Promise<string> {
  const { size } = await stat(file)
  if (size > SMALL) return relative(FOLDER, file)
  await copyFile(file, join(FOLDER, basename(file)))
  return `./${basename(file)}`
}

/**
 * A module with all that it imports; a worker as a classic script, with `url` for `import.meta.url`, which such a
 * script does not have.
 */
async function bundle(entry: string, url?: string): Promise<string> {
  const {
    outputFiles: [file],
  } = await build({
    entryPoints: [entry],
    bundle: true,
    format: url === undefined ? 'esm' : 'iife',
    platform: 'browser',
    // A worker has no document, which some packages use where they are built for a page.
    conditions: ['worker'],
    target: 'es2022',
    minify: true,
    write: false,
    define: url === undefined ? undefined : { 'import.meta.url': url },
    plugins: [embedding],
  })
  return file.text
}

await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })

await writeFile(join(FOLDER, 'agidb.js'), await bundle(FROM))
