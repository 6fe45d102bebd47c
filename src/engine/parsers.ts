import type { DocumentParser } from '../api/document-parser.js'
import { AgidbError } from '../base/errors.js'

/** The parser of a name, or of the ending of a source. */
export function documentParser(source: string, name: string | undefined): Promise<DocumentParser> {
  return Promise.reject(
    new AgidbError('AGIDB_PARSE', `there is no parser ${name ?? `for ${source}`}; pass what your own parser made`, {
      source,
    }),
  )
}
