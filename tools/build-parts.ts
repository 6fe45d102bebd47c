/**
 * Makes the parts that the worker of a page fetches when it first needs them, `src/runtimes/browser/built`: each is one
 * module without imports, so that every bundler takes it as it is. Its default export is a function that makes the part
 * from the modules that it shares with the worker (`src/runtimes/browser/shared.ts`); of all others it has its own.
 */
import { build, type Plugin } from 'esbuild'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Shared } from '../src/runtimes/browser/shared.js'

const SOURCE = new URL('../src/', import.meta.url)

/** The module of each part; src/runtimes/browser/parts.ts names the files. */
const PARTS = {
  floors: 'memory/part.ts',
  time: 'extraction/time/reader.ts',
  sequence: 'recall/sequence/part.ts',
  pools: 'pools/part.ts',
  particulars: 'recall/particulars.ts',
  walk: 'recall/graph/part.ts',
  contrast: 'extraction/contrast/comparer.ts',
  lasting: 'extraction/lasting/reader.ts',
  extraction: 'maintenance/text-reader.ts',
  codebook: 'encoding/codebook/part.ts',
  graphs: 'indexes/graph/part.ts',
  graph: 'memory/associations/queries.ts',
  concepts: 'memory/concepts/queries.ts',
  documents: 'memory/documents/queries.ts',
  expectation: 'memory/sensory/expectation.ts',
  goals: 'memory/goals/changes.ts',
  procedures: 'memory/procedures/changes.ts',
  self: 'memory/self/queries.ts',
  translations: 'memory/translations/queries.ts',
  markdown: 'documents/markdown.ts',
  html: 'documents/html.ts',
  forgetting: 'memory/forgetting-part.ts',
  believing: 'memory/believing-part.ts',
  consolidation: 'memory/knowledge/consolidation.ts',
  occasional: 'engine/occasional.ts',
  portable: 'engine/portable.ts',
  sync: 'engine/sync.ts',
  rules: 'extraction/rules/extractor.ts',
  encryption: 'storage/crypto/encryption.ts',
  mirroring: 'storage/adapters/browser/mirroring.ts',
  salvage: 'runtimes/browser/salvage.ts',
  'reference-kernel': 'kernel/reference/kernel.ts',
}

/** The modules that are shared, by the names that the worker gives them. */
const SHARED: Readonly<Record<keyof Shared, string>> = {
  auditKey: 'records/kinds/audit-key.ts',
  check: 'api/check.ts',
  createJournal: 'storage/journal/create-journal.ts',
  changes: 'storage/journal/changes.ts',
  episode: 'records/kinds/episode.ts',
  erasure: 'records/kinds/erasure.ts',
  errors: 'base/errors.ts',
  events: 'records/events/registry.ts',
  filter: 'api/check-filter.ts',
  frame: 'storage/journal/frame.ts',
  handle: 'storage/journal/handle.ts',
  indexes: 'indexes/indexes.ts',
  journal: 'storage/journal/journal.ts',
  journalPair: 'storage/journal/journal-pair.ts',
  learningEvent: 'records/kinds/learning-event.ts',
  media: 'records/kinds/media.ts',
  recall: 'recall/recall.ts',
  registry: 'records/registry.ts',
  scan: 'storage/journal/scan.ts',
  sensoryFrame: 'records/kinds/sensory-frame.ts',
  syncState: 'records/kinds/sync-state.ts',
  time: 'api/time.ts',
  tombstone: 'records/kinds/tombstone.ts',
  version: 'records/kinds/version.ts',
}

const sharing: Plugin = {
  name: 'sharing',
  setup({ onResolve, onLoad }) {
    const names = new Map(
      Object.entries(SHARED).map(([name, path]) => [new URL(path.replace(/\.ts$/, '.js'), SOURCE).pathname, name]),
    )
    onResolve({ filter: /^\./ }, ({ path, importer }) => {
      const name = names.get(new URL(path, `file://${importer}`).pathname)
      return name === undefined ? undefined : { path: name, namespace: 'shared' }
    })
    onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({ contents: `module.exports = shared.${path}` }))
  },
}

/** Bytes up to which bundlers put a file into a `data:` URL, which policies of content security refuse. */
const INLINED = 4_096

/** Builds the processor of the audio thread. It is not minified, so that bundlers leave it a file. */
async function buildVoice(): Promise<void> {
  const outfile = fileURLToPath(new URL('runtimes/browser/built/voice.js', SOURCE))
  await build({
    entryPoints: [fileURLToPath(new URL('runtimes/browser/listening/worklet.ts', SOURCE))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  })
  await expectFile('voice')
}

/** @throws Error for a part that is so small that bundlers would inline it: it belongs to another part. */
async function expectFile(name: string): Promise<void> {
  const { size } = await stat(new URL(`runtimes/browser/built/${name}.js`, SOURCE))
  if (size <= INLINED) throw new Error(`${name}.js has ${size} bytes; bundlers would inline it`)
}

/** Builds all parts anew; it takes a tenth of a second. */
export async function buildParts(): Promise<void> {
  await buildVoice()
  await build({
    entryPoints: Object.entries(PARTS).map(([out, module]) => ({ out, in: fileURLToPath(new URL(module, SOURCE)) })),
    outdir: fileURLToPath(new URL('runtimes/browser/built', SOURCE)),
    bundle: true,
    format: 'iife',
    globalName: 'part',
    banner: { js: 'export default (shared) => {' },
    footer: { js: 'return part }' },
    platform: 'browser',
    // A worker has no document, which some packages use where they are built for a page.
    conditions: ['worker'],
    target: 'es2022',
    minify: true,
    logLevel: 'warning',
    plugins: [sharing],
  })
  for (const name of Object.keys(PARTS)) await expectFile(name)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildParts()
