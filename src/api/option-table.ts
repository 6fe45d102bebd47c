import type { OpenOptions } from './open-options.js'

/** Where a database can be opened. */
export type Runtime = 'browser' | 'node' | 'edge'

/** One option of `open`. */
export interface OptionSpec {
  readonly runtimes: readonly Runtime[]
  /** Who uses it: the `engine`, to which it is handed as it is, or the `runtime`, which makes the engine's parts. */
  readonly usedBy: 'engine' | 'runtime'
  /**
   * How it comes from a page to the engine worker. `cloned`: as it is. `url`: a URL as its text, all else as it is.
   * `encoder`, `with-encoder`, `encoders`, `extractor`, `with-extractor`, `summarizer`, `decision` and `progress`: the
   * function stays in the page and is called through a port. `page`: only the page uses it. `refused`: it cannot be set
   * there.
   */
  readonly crossing:
    | 'cloned'
    | 'url'
    | 'encoder'
    | 'with-encoder'
    | 'encoders'
    | 'extractor'
    | 'with-extractor'
    | 'summarizer'
    | 'decision'
    | 'progress'
    | 'page'
    | 'refused'
  /** The default value. Absent: the code that uses the option decides it. */
  readonly default?: unknown
}

const EVERYWHERE = ['browser', 'node', 'edge'] as const
const PERSISTENT = ['browser', 'node'] as const
const runtimeOption = { usedBy: 'runtime', runtimes: EVERYWHERE } as const
const engineOption = { usedBy: 'engine', runtimes: EVERYWHERE, crossing: 'cloned' } as const

/**
 * Every option of `open`; a runtime, the engine and the worker take their options from here. `option-checks.ts` has the
 * checks of those for the engine, which a page leaves to its worker.
 */
export const OPEN_OPTIONS = {
  name: { usedBy: 'runtime', runtimes: ['browser'], crossing: 'cloned' },
  path: { usedBy: 'runtime', runtimes: ['node'], crossing: 'refused' },
  share: { usedBy: 'runtime', runtimes: ['node'], crossing: 'refused', default: false },
  storage: { ...runtimeOption, crossing: 'page' },
  worker: { usedBy: 'runtime', runtimes: ['browser'], crossing: 'page' },
  persist: { usedBy: 'runtime', runtimes: ['browser'], crossing: 'page', default: true },
  readOnly: { usedBy: 'runtime', runtimes: PERSISTENT, crossing: 'cloned', default: false },
  durability: { usedBy: 'runtime', runtimes: PERSISTENT, crossing: 'cloned' },
  encryption: { ...engineOption, runtimes: PERSISTENT },
  kernel: { ...runtimeOption, crossing: 'url' },
  referenceKernel: { ...runtimeOption, crossing: 'cloned' },
  codebook: { ...runtimeOption, crossing: 'url' },
  limits: engineOption,
  writer: { ...engineOption, default: 'agidb' },
  headroom: { ...engineOption, default: 0 },
  shards: engineOption,
  memoryBudget: { ...engineOption, default: 2.5 * 2 ** 30 },
  seed: engineOption,
  clock: { ...engineOption, crossing: 'refused' },
  ranker: engineOption,
  ontology: engineOption,
  surpriseThreshold: engineOption,
  surpriseProfile: engineOption,
  encoder: { ...engineOption, crossing: 'encoder' },
  encoders: { ...engineOption, crossing: 'encoders' },
  onEncoded: { ...engineOption, crossing: 'with-encoder' },
  extract: { ...engineOption, crossing: 'extractor' },
  onExtracted: { ...engineOption, crossing: 'with-extractor' },
  onProgress: { ...engineOption, crossing: 'progress' },
  summarizer: { ...engineOption, crossing: 'summarizer' },
  autoConsolidate: engineOption,
  warmUp: { ...engineOption, runtimes: PERSISTENT },
  learnFromRecall: engineOption,
  tombstoneDays: { ...engineOption, default: 30 },
  retention: engineOption,
  autoBelieve: engineOption,
  sourceTrust: engineOption,
  decideRevision: { ...engineOption, crossing: 'decision' },
} as const satisfies Record<
  keyof OpenOptions | 'name' | 'path' | 'share' | 'storage' | 'worker' | 'persist',
  OptionSpec
>

/** The name of an option of `open`. */
export type OptionName = keyof typeof OPEN_OPTIONS

/** The names of the options whose entry in the table has `Key: Value`. */
export type OptionsWith<Key extends keyof OptionSpec, Value> = {
  [Name in OptionName]: (typeof OPEN_OPTIONS)[Name] extends { readonly [K in Key]: Value } ? Name : never
}[OptionName]

/** The options that are handed to the engine. */
export type EngineOptionName = OptionsWith<'usedBy', 'engine'>

/** The names of the options that `open` takes in a runtime, for `checkKeys`. */
export function optionsOf(runtime: Runtime): OptionName[] {
  return (Object.keys(OPEN_OPTIONS) as OptionName[]).filter((name) =>
    (OPEN_OPTIONS[name] as OptionSpec).runtimes.includes(runtime),
  )
}

/** Of options that `open` was given, those for the engine. */
export function engineOptionsOf<Given extends object>(
  given: Given | undefined,
): Pick<Given, EngineOptionName & keyof Given> {
  const isForEngine = ([name]: [string, unknown]) =>
    (OPEN_OPTIONS as Record<string, OptionSpec>)[name]?.usedBy === 'engine'
  return Object.fromEntries(Object.entries(given ?? {}).filter(isForEngine)) as never
}
