import { checkChoice, checkKeys, checkString } from '../api/check.js'
import { AgidbError } from '../base/errors.js'
import { type Patterns } from './patterns.js'

/** How a table is read. */
export interface CsvOptions {
  /** What separates fields. Default: the first of tab, `;` and `,` that the first line has. */
  readonly separator?: ',' | ';' | '\t'
  /** Whether the first line names the columns. Default: where a field of it other than a row's name is no number. */
  readonly header?: boolean
  /** Whether the first field of a line names the row. Default: where that of the second line is no number. */
  readonly names?: boolean
}

/** A table of numbers. */
export interface CsvTable extends Patterns {
  readonly columnNames?: readonly string[]
  readonly rowNames?: readonly string[]
}

/**
 * Reads a table of finite numbers with a decimal point (RFC 4180; fields may be quoted).
 *
 * @throws AgidbError `AGIDB_PARSE` naming the line, for a field that is no number, lines of different length and a
 * quote that is not closed; `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION` for options
 */
export function readCsv(text: string, options: CsvOptions = {}): CsvTable {
  checkString('text', text)
  checkKeys('readCsv', options, ['separator', 'header', 'names'])
  const first = /^[^\r\n]*/.exec(text)![0]
  const separator = options.separator ?? ['\t', ';'].find((one) => first.includes(one)) ?? ','
  checkChoice('separator', separator, [',', ';', '\t'])
  const lines = fields(text.replace(/^\uFEFF/, ''), separator)
  if (lines.length === 0) throw new AgidbError('AGIDB_PARSE', 'the table has no line')
  const named = options.names ?? !isNumber((lines[1] ?? lines[0]).fields[0])
  const headed = options.header ?? lines[0].fields.slice(named ? 1 : 0).some((field) => !isNumber(field))
  const body = headed ? lines.slice(1) : lines
  const skipped = named ? 1 : 0
  const columns = (body[0]?.fields.length ?? 0) - skipped
  if (columns < 1) throw new AgidbError('AGIDB_PARSE', 'the table has no numbers')
  const values = new Float64Array(body.length * columns)
  body.forEach(({ fields, number }, row) => {
    if (fields.length !== columns + skipped) {
      const message = `line ${number} has ${fields.length} fields; expected ${columns + skipped}`
      throw new AgidbError('AGIDB_PARSE', message, { line: number })
    }
    for (let column = 0; column < columns; column++) {
      const field = fields[column + skipped]
      if (!isNumber(field)) {
        const shown = JSON.stringify(field.slice(0, 40))
        const message = `line ${number}, field ${column + skipped + 1}: ${shown} is no finite number`
        throw new AgidbError('AGIDB_PARSE', message, { line: number })
      }
      values[row * columns + column] = Number(field)
    }
  })
  return {
    rows: body.length,
    columns,
    values,
    ...(headed && { columnNames: lines[0].fields.slice(lines[0].fields.length - columns) }),
    ...(named && { rowNames: body.map(({ fields }) => fields[0]) }),
  }
}

function isNumber(field: string): boolean {
  return /^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*$/.test(field) && Number.isFinite(Number(field))
}

interface Line {
  readonly fields: readonly string[]
  readonly number: number
}

/** The fields of all lines that are not empty. */
function fields(text: string, separator: string): Line[] {
  const lines: Line[] = []
  let [row, number, from]: [string[], number, number] = [[], 1, 1]
  for (let at = 0; at < text.length; ) {
    const { value, end } = text[at] === '"' ? quoted(text, at, number) : bare(text, at, separator)
    if (text[at] === '"') number += value.split('\n').length - 1
    row.push(value)
    at = end
    if (text[at] === separator) {
      at++
      // A separator at the very end has an empty field after it.
      if (at < text.length) continue
      row.push('')
    } else if (at < text.length && !isBreak(text[at])) {
      throw new AgidbError('AGIDB_PARSE', `line ${number}: something follows a quoted field`, { line: number })
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    if (row.length > 1 || row[0].trim() !== '') lines.push({ fields: row, number: from })
    number++
    ;[row, from] = [[], number]
  }
  return lines
}

interface Field {
  readonly value: string
  readonly end: number
}

function quoted(text: string, start: number, line: number): Field {
  const parts: string[] = []
  let end = start
  do {
    const close = text.indexOf('"', end + 1)
    if (close < 0) throw new AgidbError('AGIDB_PARSE', `line ${line}: the quote is not closed`, { line })
    parts.push(text.slice(end + 1, close))
    end = close + 1
  } while (text[end] === '"')
  return { value: parts.join('"'), end }
}

function bare(text: string, start: number, separator: string): Field {
  let end = start
  while (end < text.length && text[end] !== separator && !isBreak(text[end])) end++
  return { value: text.slice(start, end), end }
}

const isBreak = (character: string): boolean => character === '\n' || character === '\r'
