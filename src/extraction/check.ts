import {
  type Entity,
  type Extraction,
  MODALITIES,
  type NamedTime,
  POLARITIES,
  type Statement,
} from '../api/extractor.js'
import { FIELD_LIMITS } from '../api/field-limits.js'
import { AgidbError } from '../base/errors.js'

/** Characters of a subject, a predicate or an object; what is longer is no name. */
const NAME_LENGTH = 200

const { entities: ENTITIES, triples: TRIPLES, times: TIMES } = FIELD_LIMITS.extraction

/**
 * Checks what an extractor found in a text, and takes from it what is stored: the known fields, up to 1,000 entities,
 * statements and times each: entities and times in whole characters, and statements whose parts are names.
 *
 * @param extractor its id, for messages.
 * @throws AgidbError `AGIDB_EXTRACTOR` that names the field that is wrong, and what would be right.
 */
export function checkExtraction(text: string, found: unknown, extractor: string): Extraction {
  const check = new Check(text, extractor)
  const { entities, triples, times } = check.object(found, 'result')
  return {
    entities: check
      .list(entities, 'entities', ENTITIES.items, (value, what) => entity(check, value, what))
      .filter(({ text }) => isWhole(text)),
    triples: check
      .list(triples, 'triples', TRIPLES.items, (value, what) => statement(check, value, what))
      .filter(({ subject, predicate, object }) => [subject, predicate, object].every(isName)),
    times: check
      .list(times, 'times', TIMES.items, (value, what) => time(check, value, what))
      .filter(({ text }) => isWhole(text)),
  }
}

function isName(part: string): boolean {
  return part.trim() !== '' && part.length <= NAME_LENGTH && isWhole(part)
}

/** Whether a part of a text cuts no character in two. */
function isWhole(part: string): boolean {
  return !/\p{Surrogate}/u.test(part)
}

function entity(check: Check, value: unknown, what: string): Entity {
  const fields = check.object(value, what)
  const { type, score } = fields
  const { text, ...span } = check.mention(fields, what)
  return {
    text,
    type: check.string(type, `${what}.type`),
    ...span,
    score: check.share(score, `${what}.score`),
  }
}

function statement(check: Check, value: unknown, what: string): Statement {
  const { subject, predicate, object, polarity, modality, validFrom, validTo, confidence, span } = check.object(
    value,
    what,
  )
  const { from, to } = check.object(span, `${what}.span`)
  return {
    subject: check.string(subject, `${what}.subject`),
    predicate: check.string(predicate, `${what}.predicate`),
    object: check.string(object, `${what}.object`),
    polarity: check.oneOf(polarity, POLARITIES, `${what}.polarity`),
    modality: check.oneOf(modality, MODALITIES, `${what}.modality`),
    ...(validFrom !== undefined && { validFrom: check.time(validFrom, `${what}.validFrom`) }),
    ...(validTo !== undefined && { validTo: check.time(validTo, `${what}.validTo`) }),
    confidence: check.share(confidence, `${what}.confidence`),
    span: check.span(from, to, `${what}.span`),
  }
}

function time(check: Check, value: unknown, what: string): NamedTime {
  const fields = check.object(value, what)
  const { start, end } = fields
  return {
    ...check.mention(fields, what),
    start: check.time(start, `${what}.start`),
    end: check.time(end, `${what}.end`),
  }
}

/** Reads fields of what an extractor answered. */
class Check {
  readonly text: string
  readonly #extractor: string

  constructor(text: string, extractor: string) {
    this.text = text
    this.#extractor = extractor
  }

  expect(isRight: boolean, what: string, expected: string): void {
    if (isRight) return
    throw new AgidbError(
      'AGIDB_EXTRACTOR',
      `the extractor ${this.#extractor} answered with a wrong ${what}; it must be ${expected}`,
      { extractor: this.#extractor, what },
    )
  }

  object(value: unknown, what: string): Readonly<Record<string, unknown>> {
    this.expect(typeof value === 'object' && value !== null && !Array.isArray(value), what, 'an object')
    return value as Readonly<Record<string, unknown>>
  }

  list<T>(value: unknown, what: string, most: number, item: (value: unknown, what: string) => T): T[] {
    this.expect(Array.isArray(value), what, 'an array')
    return (value as unknown[]).slice(0, most).map((one, i) => item(one, `${what}[${i}]`))
  }

  string(value: unknown, what: string): string {
    this.expect(typeof value === 'string', what, 'a string')
    return value as string
  }

  oneOf<T extends string>(value: unknown, values: readonly T[], what: string): T {
    this.expect(values.includes(value as T), what, `one of ${values.join(', ')}`)
    return value as T
  }

  share(value: unknown, what: string): number {
    this.expect(typeof value === 'number' && value >= 0 && value <= 1, what, 'a number from 0 to 1')
    return value as number
  }

  span(from: unknown, to: unknown, what: string): { readonly from: number; readonly to: number } {
    const { length } = this.text
    const isSpan = Number.isInteger(from) && Number.isInteger(to)
    const fits = isSpan && 0 <= (from as number) && (from as number) <= (to as number) && (to as number) <= length
    this.expect(fits, `${what}.from or .to`, `offsets in the text, 0 to ${length}`)
    return { from: from as number, to: to as number }
  }

  /** A part of the text, as it stands there. */
  mention(
    { text, from, to }: Readonly<Record<string, unknown>>,
    what: string,
  ): Pick<NamedTime, 'text' | 'from' | 'to'> {
    const span = this.span(from, to, what)
    this.expect(text === this.text.slice(span.from, span.to), `${what}.text`, 'the text from `from` to `to`')
    return { text: text as string, ...span }
  }

  time(value: unknown, what: string): string {
    const millis = typeof value === 'string' ? Date.parse(value) : NaN
    this.expect(!Number.isNaN(millis), what, 'a time in ISO 8601')
    return new Date(millis).toISOString()
  }
}
