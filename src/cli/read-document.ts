import { readFileSync } from 'node:fs'
import type { ParsedDocument } from '../api/document-parser.js'
import { AgidbError } from '../base/errors.js'
import { languageOf } from '../documents/code/languages.js'
import { codeParser } from '../documents/code/node.js'
import { pdfParser } from '../documents/pdf/pdf.js'

const code = codeParser()

/** What `ingest` is to be given of a file. */
export interface ReadDocument {
  readonly document: Uint8Array | ParsedDocument
  /** The parser that `ingest` is to use; absent where it finds one, or the document is parsed. */
  readonly parser?: string
}

/**
 * Reads a document from a file: PDF and source code are parsed here, since their parsers need other packages. Source
 * code is plain text where the package is not installed and nobody asked for the parser `code`.
 *
 * @throws AgidbError `AGIDB_PARSE`, `AGIDB_UNSUPPORTED`
 */
export async function readDocument(file: string, parser: string | undefined): Promise<ReadDocument> {
  const document = contentOf(file)
  if (parser === 'pdf' || (parser === undefined && /\.pdf$/i.test(file)))
    return { document: await pdfParser.parse(document, file) }
  if (parser === 'code') return { document: await code.parse(document, file) }
  if (parser !== undefined) return { document, parser }
  if (languageOf(file) === undefined) return { document }
  try {
    return { document: await code.parse(document, file) }
  } catch (error) {
    if (!(error instanceof AgidbError) || error.code !== 'AGIDB_UNSUPPORTED') throw error
    return { document, parser: 'text' }
  }
}

function contentOf(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (cause) {
    const message = `the file cannot be read: ${(cause as Error).message}`
    throw new AgidbError('AGIDB_PARSE', message, { file }, { cause })
  }
}
