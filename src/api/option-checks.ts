import type { OntologyOptions } from './ontology.js'
import { checkKeys, checkName, checkNumber, checkText, checkWhole, DEFAULT_LIMITS, invalid } from './check.js'
import { checkFilter } from './check-filter.js'
import { encryptionCheck } from './encryption-option.js'
import {
  encoderCheck,
  encodersCheck,
  extractCheck,
  functionThat,
  progressCheck,
  summarizerCheck,
} from './function-options.js'
import type { Limits, OpenOptions, RetentionRule } from './open-options.js'
import type { OptionCheck } from './option-check.js'
import type { EngineOptionName } from './option-table.js'
import type { SurpriseProfile } from './sensory.js'

/** Rules of retention. */
const MAX_RULES = 100
/** A hundred years. */
const MAX_DAYS = 36_525
/** More threads than any machine has cores for. */
const MAX_SHARDS = 64

/** @returns a check that the value is a whole number from `low` to `high`. */
const wholeNumber =
  (low: number, high: number): OptionCheck =>
  (value, option) =>
    checkWhole(option, value, low, high)

/** @returns a check that the value is a number from `low` to `high`. */
const numberWithin =
  (low: number, high: number): OptionCheck =>
  (value, option) =>
    checkNumber(option, value, low, high)

/** Checks a short text such as the name of a writer. */
const shortText: OptionCheck = (value, option, limits) => checkName(option, value, limits)

/** Checks the option `limits`: known names, whole numbers from 1 to 2³⁰. */
const limitsCheck: OptionCheck = (value) => {
  checkKeys('limits', value, Object.keys(DEFAULT_LIMITS))
  for (const [name, limit] of Object.entries(value ?? {})) checkWhole(`limits.${name}`, limit, 1, 2 ** 30)
}

/** Checks an option that is on or off. */
const trueOrFalse: OptionCheck = (value, option) => {
  if (typeof value !== 'boolean') throw invalid(`${option} must be true or false`, { option })
}

/** Checks the option `retention`: filters, each with a number of days. */
const retentionCheck: OptionCheck = (value, option, limits) => {
  if (!Array.isArray(value) || value.length > MAX_RULES)
    throw invalid(`${option} must be an array of at most ${MAX_RULES} rules, { filter, days }`, { option })
  for (const [i, rule] of (value as Partial<RetentionRule>[]).entries()) {
    const what = `${option}[${i}]`
    if (rule === undefined) throw invalid(`${what} is undefined; expected { filter, days }`, { option })
    checkKeys(what, rule, ['filter', 'days'])
    checkFilter(`${what}.filter`, rule.filter!, limits)
    checkNumber(`${what}.days`, rule.days, 0, MAX_DAYS)
  }
}

/** Entries of each list of the option `ontology`, at most. */
const MAX_RELATIONS = 1_000

/** Checks the option `ontology`: lists of predicates, of pairs of them, and of groups. */
const ontologyCheck: OptionCheck = (value, option, limits) => {
  checkKeys(option, value, ['inverse', 'symmetric', 'oneAtATime', 'synonyms'])
  const { inverse, symmetric, oneAtATime, synonyms } = value as OntologyOptions
  const check = (name: string, list: unknown, isGroup: (entry: unknown[]) => boolean, expected: string) => {
    const what = `${option}.${name}`
    if (list === undefined) return
    if (!Array.isArray(list) || list.length > MAX_RELATIONS)
      throw invalid(`${what} must be an array of at most ${MAX_RELATIONS} ${expected}`, { option })
    for (const [i, entry] of (list as unknown[]).entries()) {
      const group = Array.isArray(entry) ? entry : [entry]
      if (Array.isArray(entry) === (expected === PREDICATES) || !isGroup(group))
        throw invalid(`${what}[${i}] must be one of ${expected}`, { option })
      for (const predicate of group) checkText(`${what}[${i}]`, predicate as string, limits, 'nameBytes')
    }
  }
  check('inverse', inverse, ({ length }) => length === 2, 'pairs of predicates')
  check('symmetric', symmetric, () => true, PREDICATES)
  check('oneAtATime', oneAtATime, () => true, PREDICATES)
  check(
    'synonyms',
    synonyms,
    ({ length }) => length >= 2 && length <= MAX_RELATIONS,
    'groups of two predicates or more',
  )
}

const PREDICATES = 'predicates'

/** Checks the option `surpriseProfile`: two ascending columns of numbers from 0 to 1, and a threshold. */
const surpriseProfileCheck: OptionCheck = (value) => {
  checkKeys('surpriseProfile', value, ['surprise', 'expected', 'threshold'])
  const { surprise, expected, threshold } = value as SurpriseProfile
  checkNumber('surpriseProfile.threshold', threshold, 0, 1)
  for (const [name, values] of Object.entries({ surprise, expected })) {
    const what = `surpriseProfile.${name}`
    if (!Array.isArray(values) || values.length < 2)
      throw invalid(`${what} must be an array of at least 2 numbers`, { what })
    values.forEach((number, i) => checkNumber(`${what}[${i}]`, number, 0, 1))
  }
  if (surprise.length !== expected.length) {
    throw invalid(
      `surpriseProfile has ${surprise.length} surprises and ${expected.length} expected values; there must be as many`,
      { what: 'surpriseProfile' },
    )
  }
  for (let i = 1; i < surprise.length; i++) {
    if (!(surprise[i] > surprise[i - 1]))
      throw invalid(`surpriseProfile.surprise must ascend, and does not at ${i}`, { what: 'surpriseProfile.surprise' })
    if (!(expected[i] >= expected[i - 1]))
      throw invalid(`surpriseProfile.expected must not descend, and does at ${i}`, { what: 'surpriseProfile.expected' })
  }
}

/** The checks of the options for the engine. The code that uses one that is not here checks it. */
const CHECKS: Readonly<Partial<Record<EngineOptionName, OptionCheck>>> = {
  // First, since the others are checked against them.
  limits: limitsCheck,
  encryption: encryptionCheck,
  writer: shortText,
  headroom: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  shards: wholeNumber(0, MAX_SHARDS),
  memoryBudget: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  seed: wholeNumber(0, 2 ** 32 - 1),
  clock: functionThat('returns epoch milliseconds'),
  ontology: ontologyCheck,
  surpriseThreshold: numberWithin(0, 1),
  surpriseProfile: surpriseProfileCheck,
  encoder: encoderCheck,
  encoders: encodersCheck,
  onEncoded: progressCheck,
  extract: extractCheck,
  onExtracted: progressCheck,
  onProgress: progressCheck,
  summarizer: summarizerCheck,
  autoConsolidate: trueOrFalse,
  warmUp: trueOrFalse,
  learnFromRecall: trueOrFalse,
  tombstoneDays: wholeNumber(0, MAX_DAYS),
  retention: retentionCheck,
  autoBelieve: numberWithin(0.5, 1),
}

/**
 * Checks the options of the engine that can be checked before anything is opened.
 *
 * @returns the limits with their defaults
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`.
 */
export function checkEngineOptions(given: Partial<Pick<OpenOptions, EngineOptionName>>): Limits {
  let limits: Limits = DEFAULT_LIMITS
  for (const [name, check] of Object.entries(CHECKS) as [EngineOptionName, OptionCheck][]) {
    if (given[name] === undefined) continue
    check(given[name], name, limits)
    if (name === 'limits') limits = { ...DEFAULT_LIMITS, ...given.limits }
  }
  return limits
}
