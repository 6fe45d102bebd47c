import type { Limits, OpenOptions } from './open-options.js'
import { DEFAULT_LIMITS } from './check.js'
import {
  encoderCheck,
  encodersCheck,
  encryptionCheck,
  extractCheck,
  functionThat,
  limitsCheck,
  MAX_DAYS,
  numberWithin,
  ontologyCheck,
  type OptionCheck,
  retentionCheck,
  shortText,
  summarizerCheck,
  surpriseProfileCheck,
  trueOrFalse,
  wholeNumber,
} from './option-checks.js'

/** Where a database can be opened. */
export type Runtime = 'browser' | 'node' | 'edge'

/** One option of `open`. */
export interface OptionSpec {
  readonly runtimes: readonly Runtime[]
  /** Who uses it: the `engine`, to which it is handed as it is, or the `runtime`, which makes the engine's parts. */
  readonly usedBy: 'engine' | 'runtime'
  /**
   * How it comes from a page to the engine worker. `cloned`: as it is. `url`: a URL as its text, all else as it is.
   * `encoder`, `with-encoder`, `encoders`, `extractor`, `with-extractor`, `summarizer` and `decision`: the function
   * stays in the page and is called through a port. `page`: only the page uses it. `refused`: it cannot be set there.
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
    | 'page'
    | 'refused'
  /** Refuses a wrong value before anything is opened. Absent: the code that uses the option checks it. */
  readonly check?: OptionCheck
  /** The default value. Absent: the code that uses the option decides it. */
  readonly default?: unknown
}

const EVERYWHERE = ['browser', 'node', 'edge'] as const
const PERSISTENT = ['browser', 'node'] as const
const runtimeOption = { usedBy: 'runtime', runtimes: EVERYWHERE } as const
const engineOption = { usedBy: 'engine', runtimes: EVERYWHERE, crossing: 'cloned' } as const

/** More threads than any machine has cores for. */
const MAX_SHARDS = 64

/** Every option of `open`; a runtime, the engine and the worker take their options from here. */
export const OPEN_OPTIONS = {
  name: { usedBy: 'runtime', runtimes: ['browser'], crossing: 'cloned' },
  path: { usedBy: 'runtime', runtimes: ['node'], crossing: 'refused' },
  share: { usedBy: 'runtime', runtimes: ['node'], crossing: 'refused', default: false },
  storage: { ...runtimeOption, crossing: 'page' },
  worker: { usedBy: 'runtime', runtimes: ['browser'], crossing: 'page' },
  persist: { usedBy: 'runtime', runtimes: ['browser'], crossing: 'page', default: true },
  readOnly: { usedBy: 'runtime', runtimes: PERSISTENT, crossing: 'cloned', default: false },
  durability: { usedBy: 'runtime', runtimes: PERSISTENT, crossing: 'cloned' },
  encryption: { ...engineOption, runtimes: PERSISTENT, check: encryptionCheck },
  kernel: { ...runtimeOption, crossing: 'url' },
  referenceKernel: { ...runtimeOption, crossing: 'cloned' },
  codebook: { ...runtimeOption, crossing: 'url' },
  limits: { ...engineOption, check: limitsCheck },
  writer: { ...engineOption, check: shortText, default: 'agidb' },
  headroom: { ...engineOption, check: wholeNumber(0, Number.MAX_SAFE_INTEGER), default: 0 },
  shards: { ...engineOption, check: wholeNumber(0, MAX_SHARDS) },
  memoryBudget: { ...engineOption, check: wholeNumber(0, Number.MAX_SAFE_INTEGER), default: 2.5 * 2 ** 30 },
  seed: { ...engineOption, check: wholeNumber(0, 2 ** 32 - 1) },
  clock: { ...engineOption, crossing: 'refused', check: functionThat('returns epoch milliseconds') },
  ranker: { ...engineOption },
  ontology: { ...engineOption, check: ontologyCheck },
  surpriseThreshold: { ...engineOption, check: numberWithin(0, 1) },
  surpriseProfile: { ...engineOption, check: surpriseProfileCheck },
  encoder: { ...engineOption, crossing: 'encoder', check: encoderCheck },
  encoders: { ...engineOption, crossing: 'encoders', check: encodersCheck },
  onEncoded: { ...engineOption, crossing: 'with-encoder', check: functionThat('takes { done, total }') },
  extract: { ...engineOption, crossing: 'extractor', check: extractCheck },
  onExtracted: { ...engineOption, crossing: 'with-extractor', check: functionThat('takes { done, total }') },
  summarizer: { ...engineOption, crossing: 'summarizer', check: summarizerCheck },
  autoConsolidate: { ...engineOption, check: trueOrFalse },
  learnFromRecall: { ...engineOption, check: trueOrFalse },
  tombstoneDays: { ...engineOption, check: wholeNumber(0, MAX_DAYS), default: 30 },
  retention: { ...engineOption, check: retentionCheck },
  autoBelieve: { ...engineOption, check: numberWithin(0.5, 1) },
  sourceTrust: { ...engineOption },
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

/**
 * Checks the options of the engine that can be checked before anything is opened.
 *
 * @returns the limits with their defaults
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`.
 */
export function checkEngineOptions(given: Partial<Pick<OpenOptions, EngineOptionName>>): Limits {
  let limits: Limits = DEFAULT_LIMITS
  for (const [name, { usedBy, check }] of Object.entries(OPEN_OPTIONS) as [EngineOptionName, OptionSpec][]) {
    if (usedBy !== 'engine' || given[name] === undefined) continue
    check?.(given[name], name, limits)
    if (name === 'limits') limits = { ...DEFAULT_LIMITS, ...given.limits }
  }
  return limits
}
