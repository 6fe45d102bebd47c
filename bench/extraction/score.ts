import type { Extraction, Statement } from '../../src/api/extractor.js'
import type { AnnotatedText, AnnotatedTriple } from './annotated.js'
import { sameFiller } from './equality.js'

/** Shares from 0 to 1, and what went wrong. */
export interface Score {
  readonly texts: number
  readonly precision: number
  /** With what may be found and need not counted as wrong. */
  readonly strictPrecision: number
  readonly recall: number
  /** Of the texts that say nothing, the share that yields a statement. */
  readonly falseAlarms: number
  /** F1 by type of entity. */
  readonly entities: Readonly<Record<string, number>>
  /** Share of the times that are resolved to the same first day; and to the same ends. */
  readonly timesByDay: number
  readonly timesExact: number
  readonly failures: readonly string[]
}

const asserted = ({ modality }: Statement) => modality === 'asserted'
const same = (found: Statement, [subject, , object, polarity]: AnnotatedTriple) =>
  found.polarity === polarity && sameFiller(found.subject, subject) && sameFiller(found.object, object)

export function score(texts: readonly AnnotatedText[], found: readonly Extraction[]): Score {
  const failures: string[] = []
  const triples = { found: 0, right: 0, strict: 0, wanted: 0, met: 0 }
  const empty = { texts: 0, alarms: 0 }
  for (const [i, text] of texts.entries()) {
    const statements = found[i].triples.filter(asserted)
    const annotated = text.triples.filter(([, , , , modality]) => modality === 'asserted')
    const wanted = annotated.filter((triple) => triple[5] === undefined)
    const right = statements.filter((one) => annotated.some((triple) => same(one, triple)))
    const met = wanted.filter((triple) => statements.some((one) => same(one, triple)))
    triples.found += statements.length
    triples.right += right.length
    triples.strict += statements.filter((one) => wanted.some((triple) => same(one, triple))).length
    triples.wanted += wanted.length
    triples.met += met.length
    if (annotated.length === 0) {
      empty.texts++
      if (statements.length > 0) empty.alarms++
    }
    const wrong = statements.filter((one) => !right.includes(one))
    const missed = wanted.filter((triple) => !met.includes(triple))
    if (wrong.length + missed.length > 0)
      failures.push(
        [
          text.text,
          ...wrong.map((one) => `  wrong  ${one.subject} | ${one.predicate} | ${one.object} | ${one.polarity}`),
          ...missed.map((one) => `  missed ${one.slice(0, 4).join(' | ')}`),
        ].join('\n'),
      )
  }
  return {
    texts: texts.length,
    precision: triples.right / triples.found,
    strictPrecision: triples.strict / triples.found,
    recall: triples.met / triples.wanted,
    falseAlarms: empty.alarms / empty.texts,
    entities: entities(texts, found, failures),
    ...times(texts, found, failures),
    failures,
  }
}

function entities(texts: readonly AnnotatedText[], found: readonly Extraction[], failures: string[]) {
  const types = new Set(texts.flatMap(({ entities }) => entities.map(([, type]) => type)))
  const f1: Record<string, number> = {}
  for (const type of [...types].sort()) {
    let right = 0
    let made = 0
    let wanted = 0
    for (const [i, text] of texts.entries()) {
      const gold = text.entities.filter((one) => one[1] === type).map(([name]) => bare(name))
      const mine = found[i].entities.filter((one) => one.type === type).map((one) => bare(one.text))
      wanted += gold.length
      made += mine.length
      right += gold.filter((name) => mine.includes(name)).length
      const wrong = mine.filter((name) => !gold.includes(name))
      const missed = gold.filter((name) => !mine.includes(name))
      if (wrong.length + missed.length > 0)
        failures.push(`${text.text}\n  ${type}: found ${wrong.join(', ') || '-'}; missed ${missed.join(', ') || '-'}`)
    }
    f1[type] = made + wanted === 0 ? 1 : (2 * right) / (made + wanted)
  }
  return f1
}

/** A title and an article do not matter: "Dr. Keller" is "Keller". */
const bare = (name: string) => name.toLowerCase().replace(/^(?:the|dr|mr|mrs|ms|uncle|aunt|chancellor)\.? /, '')

function times(texts: readonly AnnotatedText[], found: readonly Extraction[], failures: string[]) {
  let wanted = 0
  let byDay = 0
  let exact = 0
  for (const [i, text] of texts.entries())
    for (const [said, start, end] of text.times) {
      wanted++
      const day = found[i].times.some((time) => time.start.slice(0, 10) === start.slice(0, 10))
      if (day) byDay++
      else
        failures.push(
          `${text.text}\n  time ${said}: ${start}, found ${found[i].times.map((one) => `${one.text} ${one.start}`)}`,
        )
      if (
        found[i].times.some(
          (time) => Date.parse(time.start) === Date.parse(start) && Date.parse(time.end) === Date.parse(end),
        )
      )
        exact++
    }
  return { timesByDay: byDay / wanted, timesExact: exact / wanted }
}
