import type { DocumentParser } from '../api/document-parser.js'
import { AgidbError } from '../base/errors.js'

/** The built-in parsers, by their names, with the endings of the files that each reads. */
export const FORMATS = {
  markdown: ['md', 'markdown', 'mdx', 'mkd'],
  html: ['html', 'htm', 'xhtml'],
  text: ['txt', 'text', 'log'],
} as const satisfies Readonly<Record<string, DocumentParser['extensions']>>

export type Format = keyof typeof FORMATS

const NAMES = Object.keys(FORMATS) as Format[]

/** Parsers that are modules of their own, since they need other packages. */
const ELSEWHERE = { pdf: 'pdfParser of agidb/pdf', code: 'codeParser() of agidb/code' } as const

/**
 * Which parser reads a document: that of the name, else that of the ending of its source, else that of what it looks
 * like.
 *
 * @param beginning of the document, where it is a text
 * @throws AgidbError `AGIDB_PARSE` for a name that is not known
 */
export function formatOf(source: string, name: string | undefined, beginning: string): Format {
  if (name !== undefined) {
    const known = NAMES.find((format) => format === name)
    if (known !== undefined) return known
    if (name === 'pdf' || name === 'code') throw elsewhere(name)
    throw new AgidbError(
      'AGIDB_PARSE',
      `there is no parser ${JSON.stringify(name)}; expected one of ${NAMES.join(', ')}, or a document that was parsed`,
      { parser: name, known: NAMES },
    )
  }
  const ending = /\.([a-z0-9]+)(?:[?#].*)?$/i.exec(source)?.[1].toLowerCase()
  if (ending === 'pdf') throw elsewhere('pdf')
  const byEnding = NAMES.find((format) => (FORMATS[format] as readonly string[]).includes(ending ?? ''))
  return byEnding ?? (/^\s*<(?:!doctype html|html)[\s>]/i.test(beginning) ? 'html' : 'text')
}

function elsewhere(name: keyof typeof ELSEWHERE): AgidbError {
  const message = `what is ${name} is read by ${ELSEWHERE[name]}: pass ingest what its parse(bytes, source) answers`
  return new AgidbError('AGIDB_PARSE', message, { parser: name })
}
