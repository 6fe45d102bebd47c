import { invalid } from '../../api/check.js'
import {
  type Extraction,
  type ExtractionContext,
  type Extractor,
  MODALITIES,
  POLARITIES,
  type Statement,
} from '../../api/extractor.js'
import { AgidbError } from '../../base/errors.js'
import { promptFor } from './prompt.js'
import { ANSWER_SCHEMA } from './schema.js'

/** Asks a language model. The answer is to fit the JSON schema: as an object, or as its JSON text. */
export type AskModel = (prompt: string, schema: object) => Promise<unknown>

/** Options of `extractWith`. */
export interface ExtractWithOptions {
  /** Which model answers: what it found is made again when this changes. Default `1`. */
  readonly version?: string
  /** How often a text is asked about before it counts as one that says nothing, at least 1. Default 2. */
  readonly attempts?: number
  /** Told of each answer that is of another form, with the text that was asked about. */
  readonly onWrongAnswer?: (error: AgidbError, text: string) => void
}

/**
 * An extractor that asks a language model of the application's, one text at a time: when something is observed, never
 * when something is recalled.
 *
 * An answer is checked to the last field. What it quotes must stand in the text, since quotes become offsets; an entity
 * or a statement whose quote does not is left out.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`
 */
export function extractWith(ask: AskModel, options: ExtractWithOptions = {}): Extractor {
  if (typeof ask !== 'function') throw invalid('extractWith takes a function (prompt, schema) => Promise', {})
  const { version = '1', attempts = 2, onWrongAnswer } = options
  if (!Number.isInteger(attempts) || attempts < 1 || attempts > 10)
    throw invalid('attempts must be a whole number from 1 to 10', { option: 'attempts' })
  const one = async (text: string, context: ExtractionContext): Promise<Extraction> => {
    let wrong = ''
    for (let attempt = 0; attempt < attempts; attempt++) {
      const answer = await ask(promptFor(text, context, wrong), ANSWER_SCHEMA)
      try {
        return read(text, answer)
      } catch (error) {
        if (!(error instanceof AgidbError)) throw error
        wrong = error.message
        onWrongAnswer?.(error, text)
      }
    }
    return { entities: [], triples: [], times: [] }
  }
  return {
    id: 'llm',
    version,
    async extract(texts, contexts) {
      const found: Extraction[] = []
      for (const [i, text] of texts.entries()) found.push(await one(text, contexts[i]))
      return found
    },
  }
}

type Fields = Readonly<Record<string, unknown>>

/** @throws AgidbError `AGIDB_EXTRACTOR` that names the field that is wrong. */
function read(text: string, answer: unknown): Extraction {
  const { entities, statements } = object(parsed(answer), 'the answer')
  return {
    entities: list(entities, 'entities').flatMap((value, i) => {
      const what = `entities[${i}]`
      const { mention, type } = object(value, what)
      const span = spanOf(text, string(mention, `${what}.mention`))
      const name = string(type, `${what}.type`).trim().toLowerCase()
      return span === undefined ? [] : [{ text: text.slice(span.from, span.to), type: name, ...span, score: 1 }]
    }),
    triples: list(statements, 'statements').flatMap((value, i) => statement(text, value, `statements[${i}]`)),
    times: [],
  }
}

function statement(text: string, value: unknown, what: string): Statement[] {
  const fields = object(value, what)
  const span = spanOf(text, string(fields['quote'], `${what}.quote`))
  const { confidence } = fields
  expect(typeof confidence === 'number' && confidence >= 0 && confidence <= 1, `${what}.confidence`, 'from 0 to 1')
  const found = {
    subject: string(fields['subject'], `${what}.subject`),
    predicate: string(fields['predicate'], `${what}.predicate`),
    object: string(fields['object'], `${what}.object`),
    polarity: oneOf(fields['polarity'], POLARITIES, `${what}.polarity`),
    modality: oneOf(fields['modality'], MODALITIES, `${what}.modality`),
    confidence: confidence as number,
  }
  return span === undefined ? [] : [{ ...found, span }]
}

function parsed(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer
  try {
    return JSON.parse(answer)
  } catch (cause) {
    throw new AgidbError('AGIDB_EXTRACTOR', 'the answer is no JSON; answer with one JSON object alone', {}, { cause })
  }
}

function spanOf(text: string, quote: string): { readonly from: number; readonly to: number } | undefined {
  const from = quote === '' ? -1 : text.indexOf(quote)
  return from < 0 ? undefined : { from, to: from + quote.length }
}

function object(value: unknown, what: string): Fields {
  expect(typeof value === 'object' && value !== null && !Array.isArray(value), what, 'an object')
  return value as Fields
}

function list(value: unknown, what: string): unknown[] {
  expect(Array.isArray(value), what, 'an array')
  return value as unknown[]
}

function string(value: unknown, what: string): string {
  expect(typeof value === 'string' && value.trim() !== '', what, 'a text')
  return value as string
}

function oneOf<T extends string>(value: unknown, values: readonly T[], what: string): T {
  expect(values.includes(value as T), what, `one of ${values.join(', ')}`)
  return value as T
}

function expect(isRight: boolean, what: string, expected: string): void {
  if (!isRight) throw new AgidbError('AGIDB_EXTRACTOR', `${what} is wrong; it must be ${expected}`, { what })
}
