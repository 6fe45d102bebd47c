import { checkKeys, DEFAULT_LIMITS, invalid } from './check.js'
import { type Encoder, isModality, isSense, ownOf, type SentenceEncoder } from './encoder.js'
import type { Extractor } from './extractor.js'
import type { OnOpenProgress } from './open-progress.js'
import type { OptionCheck } from './option-check.js'
import type { Summarizer } from './summarizer.js'

/** Numbers that a latent of a sentence encoder can have at most. */
const MAX_DIMENSION = 8192

/** @returns a check that the value is a function; `what` says which, for the error. */
export const functionThat =
  (what: string): OptionCheck =>
  (value, option) => {
    if (typeof value !== 'function') throw invalid(`${option} must be a function that ${what}`, { option })
  }

/** Checks the options `onEncoded`, `onExtracted` and `onProgress`. */
export const progressCheck: OptionCheck = functionThat('takes progress')

/**
 * The option `onProgress`, checked, without its errors: opening goes on whatever the application makes of the figures.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is no function.
 */
export function unfailing(onProgress: OnOpenProgress): OnOpenProgress {
  progressCheck(onProgress, 'onProgress', DEFAULT_LIMITS)
  return async (progress) => {
    try {
      await onProgress(progress)
    } catch {
      // They concern nobody who waits for the memory.
    }
  }
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

/** Modalities of the application's own that a memory can have at a time. */
const MOST_OWN = 4

/** Checks the option `encoders`: one for each sense, and some of the application's own modalities. */
export const encodersCheck: OptionCheck = (value, option) => {
  checkKeys(option, value, Object.keys(value ?? {}))
  const encoders = value as Readonly<Record<string, unknown>>
  const own = ownOf(encoders)
  const wrong = own.find((name) => !isModality(name))
  if (wrong !== undefined || own.length > MOST_OWN)
    throw invalid(
      `${option} has ${wrong ?? own}; expected image, audio, video, and at most ${MOST_OWN} names of your own: ` +
        'a letter, then up to 62 letters, digits, _ or -; not text or multimodal',
      { option },
    )
  for (const [sense, encoder] of Object.entries(encoders)) {
    if (encoder === undefined) continue
    if (!encodes(encoder) || (encoder as Partial<Encoder>).modality !== sense)
      throw invalid(
        `${option}.${sense} must have modality '${sense}', an id (64 hexadecimal digits), a dimension (1 to 8,192) ` +
          `and encode${isSense(sense) ? `, as what ${sense}Encoder of agidb/onnx resolves to: await it before` : ''}`,
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
