/**
 * Makes the parts that the worker of a page fetches when it first needs them, `src/runtimes/browser/built`: each is one
 * module without imports, so that every bundler takes it as it is.
 */
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

const SOURCE = new URL('../src/', import.meta.url)

/** The module of each part; src/runtimes/browser/parts.ts names the files. */
const PARTS = {
  time: 'extraction/time/reader.ts',
  contrast: 'extraction/contrast/comparer.ts',
}

/** Builds all parts anew; it takes a tenth of a second. */
export async function buildParts(): Promise<void> {
  await build({
    entryPoints: Object.entries(PARTS).map(([out, module]) => ({ out, in: fileURLToPath(new URL(module, SOURCE)) })),
    outdir: fileURLToPath(new URL('runtimes/browser/built', SOURCE)),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    logLevel: 'warning',
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildParts()
