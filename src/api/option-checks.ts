import type { OntologyOptions } from './ontology.js'
import { checkKeys, checkName, checkNumber, checkText, checkWhole, DEFAULT_LIMITS, invalid } from './check.js'
import { checkFilter } from './check-filter.js'
import { type Encoder, SENSES, type SentenceEncoder } from './encoder.js'
import type { Summarizer } from './summarizer.js'
import type { Extractor } from './extractor.js'
import type { Encryption } from './encryption.js'
import type { Limits, RetentionRule } from './open-options.js'
import type { SurpriseProfile } from './sensory.js'

/** Numbers that a latent of a sentence encoder can have at most. */
const MAX_DIMENSION = 8192

/** Rules of retention. */
const MAX_RULES = 100
/** A hundred years. */
export const MAX_DAYS = 36_525

/** Checks the value of an option of `open` that is there. Throws an AgidbError that names the option. */
export type OptionCheck = (value: unknown, option: string, limits: Limits) => void

/** @returns a check that the value is a whole number from `low` to `high`. */
export const wholeNumber =
  (low: number, high: number): OptionCheck =>
  (value, option) =>
    checkWhole(option, value, low, high)

/** @returns a check that the value is a number from `low` to `high`. */
export const numberWithin =
  (low: number, high: number): OptionCheck =>
  (value, option) =>
    checkNumber(option, value, low, high)

/** @returns a check that the value is a function; `what` says which, for the error. */
export const functionThat =
  (what: string): OptionCheck =>
  (value, option) => {
    if (typeof value !== 'function') throw invalid(`${option} must be a function that ${what}`, { option })
  }

/** Checks a short text such as the name of a writer. */
export const shortText: OptionCheck = (value, option, limits) => checkName(option, value, limits)

/** Checks the option `limits`: known names, whole numbers from 1 to 2³⁰. */
export const limitsCheck: OptionCheck = (value) => {
  checkKeys('limits', value, Object.keys(DEFAULT_LIMITS))
  for (const [name, limit] of Object.entries(value ?? {})) checkWhole(`limits.${name}`, limit, 1, 2 ** 30)
}

/** Checks the option `encoder`. */
export const encoderCheck: OptionCheck = (value) => {
  if (!encodes(value)) {
    throw invalid(
      'encoder must have an id (64 hexadecimal digits), a dimension (1 to 8,192) and encode, ' +
        'as what sentenceEncoder of agidb/onnx resolves to: await it before',
      { option: 'encoder' },
    )
  }
}

/** Checks the option `encoders`: one for each sense. */
export const encodersCheck: OptionCheck = (value, option) => {
  checkKeys(option, value, SENSES)
  for (const sense of SENSES) {
    const encoder = (value as Readonly<Record<string, unknown>>)[sense]
    if (encoder === undefined) continue
    if (!encodes(encoder) || (encoder as Partial<Encoder>).modality !== sense)
      throw invalid(
        `${option}.${sense} must have modality '${sense}', an id (64 hexadecimal digits), a dimension (1 to 8,192) ` +
          `and encode, as what ${sense}Encoder of agidb/onnx resolves to: await it before`,
        { option: `${option}.${sense}` },
      )
  }
}

/** Whether something has what every encoder has. */
function encodes(value: unknown): boolean {
  const { id, dimension, encode } = (value ?? {}) as Partial<SentenceEncoder>
  const isNumbered = Number.isInteger(dimension) && dimension! > 0 && dimension! <= MAX_DIMENSION
  return typeof id === 'string' && /^[0-9a-f]{64}$/.test(id) && isNumbered && typeof encode === 'function'
}

/** Checks an option that is on or off. */
export const trueOrFalse: OptionCheck = (value, option) => {
  if (typeof value !== 'boolean') throw invalid(`${option} must be true or false`, { option })
}

/** Checks the option `extract`: a name of what is built in, or an extractor. */
export const extractCheck: OptionCheck = (value, option) => {
  if (value === 'rules' || value === 'none') return
  const { id, version, extract } = (value ?? {}) as Partial<Extractor>
  const isNamed = [id, version].every((name) => typeof name === 'string' && name !== '' && name.length <= 100)
  if (!isNamed || typeof extract !== 'function') {
    throw invalid(
      `${option} must be 'rules', 'none' or an extractor: an object with an id and a version, texts of 1 to 100 ` +
        'characters, and extract(texts, contexts)',
      { option },
    )
  }
}

/** Checks the option `summarizer`. */
export const summarizerCheck: OptionCheck = (value, option) => {
  if (value === 'extractive' || value === 'none') return
  const { id, summarize } = (value ?? {}) as Partial<Summarizer>
  if (typeof id !== 'string' || id === '' || id.length > 100 || typeof summarize !== 'function')
    throw invalid(
      `${option} must be 'extractive', 'none' or a summarizer: an object with an id, a text of 1 to 100 characters, ` +
        'and summarize({ texts, heading, maxCharacters })',
      { option },
    )
}

/** Checks the option `retention`: filters, each with a number of days. */
export const retentionCheck: OptionCheck = (value, option, limits) => {
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
export const ontologyCheck: OptionCheck = (value, option, limits) => {
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

/** Checks the option `encryption`; never says what it is. */
export const encryptionCheck: OptionCheck = (value, option) => {
  if (value === 'none' || value === 'keys-beside') return
  checkSecret(value, option, ['replaces'])
  const { replaces } = value as Exclude<Encryption, string>
  if (replaces !== undefined && replaces !== 'keys-beside') checkSecret(replaces, `${option}.replaces`)
}

/** Checks what opens an encrypted memory; absent, nothing does. */
export function checkEncryptionSecret(value: unknown): void {
  if (value !== undefined && value !== 'keys-beside') checkSecret(value, 'encryption')
}

function checkSecret(value: unknown, what: string, more: readonly string[] = []): void {
  if (typeof value !== 'object' || value === null)
    throw invalid(`${what} must be 'keys-beside', { passphrase } or { key }${more.length > 0 ? " or 'none'" : ''}`, {
      option: what,
    })
  checkKeys(what, value, ['passphrase', 'key', ...more])
  const { passphrase, key } = value as { readonly passphrase?: unknown; readonly key?: unknown }
  if ((passphrase === undefined) === (key === undefined))
    throw invalid(`${what} must have a passphrase or a key, and not both`, { option: what })
  if (passphrase !== undefined && (typeof passphrase !== 'string' || passphrase === ''))
    throw invalid(`${what}.passphrase must be a text that is not empty`, { option: what })
  if (key !== undefined && !(key instanceof Uint8Array && key.length === 32))
    throw invalid(`${what}.key must be a Uint8Array of 32 bytes`, { option: what })
}

/** Checks the option `surpriseProfile`: two ascending columns of numbers from 0 to 1, and a threshold. */
export const surpriseProfileCheck: OptionCheck = (value) => {
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
