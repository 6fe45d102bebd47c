import { AgidbError } from '../base/errors.js'
import { decodeUtf8 } from '../base/utf8.js'

/**
 * The text of a document, without the mark that some editors put before it (U+FEFF).
 *
 * @throws AgidbError `AGIDB_PARSE` for bytes that are no UTF-8
 */
export function textOf(document: string | Uint8Array): string {
  let text: string
  try {
    text = typeof document === 'string' ? document : decodeUtf8(document)
  } catch (cause) {
    throw new AgidbError(
      'AGIDB_PARSE',
      'the document is no UTF-8; pass it as a text, or name its parser',
      {},
      { cause },
    )
  }
  if (/\p{Surrogate}/u.test(text))
    throw new AgidbError('AGIDB_PARSE', 'the document has half of a surrogate pair; repair it with toWellFormed()')
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
