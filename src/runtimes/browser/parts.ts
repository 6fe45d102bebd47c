import { AgidbError } from '../../base/errors.js'
import type { EngineParts } from '../../engine/parts.js'
import type { TextReaderPart } from '../../maintenance/text-reader.js'
import type { Rules } from '../../extraction/rules/part.js'
import { loadOnce } from '../../base/load-once.js'
import type * as graphs from '../../indexes/graph/part.js'
import { bringsGraphs } from '../../kernel/brought-graphs.js'
import { GRAPHS_MODULE } from '../../kernel/graphs-module.js'
import { compileModule, type ReferenceKernels } from '../../kernel/loading.js'
import type { CodebookPart } from '../../encoding/codebook/part.js'
import type { Mirroring } from '../../storage/adapters/browser/mirroring.js'
import type { salvaged } from './salvage.js'
import { SHARED, type Shared } from './shared.js'

/**
 * The parts of the worker of a page: modules beside it, without imports, made by tools/build-parts.ts.
 * They are named as files, since bundlers refuse a worker in more than one piece unless they are told to make modules.
 */
export const BROWSER_PARTS: EngineParts = {
  floors: fetched(() => new URL('./built/floors.js', import.meta.url)),
  time: fetched(() => new URL('./built/time.js', import.meta.url)),
  sequence: fetched(() => new URL('./built/sequence.js', import.meta.url)),
  pools: fetched(() => new URL('./built/pools.js', import.meta.url)),
  particulars: fetched(() => new URL('./built/particulars.js', import.meta.url)),
  contrast: fetched(() => new URL('./built/contrast.js', import.meta.url)),
  lasting: fetched(() => new URL('./built/lasting.js', import.meta.url)),
  graphs: async (kernel) => {
    const own = !bringsGraphs(kernel)
    const [part, module] = await Promise.all([graphsPart(), own ? graphsModule() : undefined])
    if (module !== undefined) await part.loadGraphs(module)
    return part
  },
  graph: fetched(() => new URL('./built/graph.js', import.meta.url)),
  concepts: fetched(() => new URL('./built/concepts.js', import.meta.url)),
  documents: fetched(() => new URL('./built/documents.js', import.meta.url)),
  expectation: fetched(() => new URL('./built/expectation.js', import.meta.url)),
  goals: fetched(() => new URL('./built/goals.js', import.meta.url)),
  procedures: fetched(() => new URL('./built/procedures.js', import.meta.url)),
  self: fetched(() => new URL('./built/self.js', import.meta.url)),
  translations: fetched(() => new URL('./built/translations.js', import.meta.url)),
  markdown: fetched(() => new URL('./built/markdown.js', import.meta.url)),
  html: fetched(() => new URL('./built/html.js', import.meta.url)),
  forgetting: fetched(() => new URL('./built/forgetting.js', import.meta.url)),
  believing: fetched(() => new URL('./built/believing.js', import.meta.url)),
  consolidation: fetched(() => new URL('./built/consolidation.js', import.meta.url)),
  occasional: fetched(() => new URL('./built/occasional.js', import.meta.url)),
  portable: fetched(() => new URL('./built/portable.js', import.meta.url)),
  sync: fetched(() => new URL('./built/sync.js', import.meta.url)),
  walk: fetched(() => new URL('./built/walk.js', import.meta.url)),
  encryption: fetched(() => new URL('./built/encryption.js', import.meta.url)),
  // Texts are read behind the first answers: what reads them is not fetched before the other parts may be.
  extraction: () => later(extractionPart),
  rules: () => later(rulesPart), // a megabyte, with its tagger
}

const graphsPart = fetched<typeof graphs>(() => new URL('./built/graphs.js', import.meta.url))

/** The WebAssembly of the graphs, which the kernel of a page is without. */
const graphsModule = loadOnce(() =>
  compileModule(GRAPHS_MODULE).catch((cause: unknown) => {
    throw notLoaded(GRAPHS_MODULE.href, cause)
  }),
)

const extractionPart = fetched<TextReaderPart>(() => new URL('./built/extraction.js', import.meta.url))
const rulesPart = fetched<Rules>(() => new URL('./built/rules.js', import.meta.url))

/** Fetches, checks and reads a codebook. */
export const codebookPart = fetched<CodebookPart>(() => new URL('./built/codebook.js', import.meta.url))

/** The TypeScript kernel, for pages whose WebAssembly kernel cannot be used. */
export const referenceKernelPart = fetched<ReferenceKernels>(
  () => new URL('./built/reference-kernel.js', import.meta.url),
)

/** What uses IndexedDB. */
export const mirroringPart = fetched<Mirroring>(() => new URL('./built/mirroring.js', import.meta.url))

/** Reads what can be read of a damaged database. */
export const salvagePart = fetched<{ readonly salvaged: typeof salvaged }>(
  () => new URL('./built/salvage.js', import.meta.url),
)

/** How long after the memory was opened the parts are fetched that nobody asked for, in milliseconds. */
const PREFETCH_AFTER = 3_000

/** Resolves when parts may be fetched that no call waits for. */
let prefetching: Promise<void> | undefined

/**
 * Fetches all parts that every page may need a while later, one after the other, so that they are here when the network
 * is not. Resolves when it has tried all.
 */
export function prefetchParts(): Promise<void> {
  prefetching ??= new Promise((resolve) => setTimeout(resolve, PREFETCH_AFTER))
  return prefetching.then(async () => {
    // Whoever needs a part that cannot be fetched is told.
    const { rules: _, graphs: __, ...parts } = BROWSER_PARTS
    const others = [graphsPart, graphsModule, codebookPart, salvagePart]
    for (const part of [mirroringPart, ...Object.values(parts), ...others])
      if (typeof part === 'function') await part().catch(() => {})
  })
}

/** Waits until parts may be fetched that no call waits for. */
async function later<T>(part: () => Promise<T>): Promise<T> {
  await prefetching
  return part()
}

/** Imports a module once; a failure is not kept. */
function fetched<T>(url: () => URL): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load<T>(url())
    loading.catch(() => (loading = undefined))
    return loading
  }
}

async function load<T>({ href }: URL): Promise<T> {
  try {
    const module = (await import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ href)) as {
      readonly default: (shared: Shared) => T
    }
    return module.default(SHARED)
  } catch (cause) {
    throw notLoaded(href, cause)
  }
}

function notLoaded(href: string, cause: unknown): AgidbError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AgidbError(
    'AGIDB_WORKER',
    `a part of the library cannot be loaded (${reason}); ` +
      `serve ${href.replace(/^.*\//, '')} of this version at ${href}`,
    { url: href },
    { cause },
  )
}
