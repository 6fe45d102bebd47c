import { invalid } from '../../api/check.js'
import type { DocumentParser } from '../../api/document-parser.js'
import { codeParserFrom, type GrammarFile } from './code.js'

export type { GrammarFile } from './code.js'

/**
 * A parser of source code in a page or at the edge; see {@link codeParserFrom}.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` where `file` is missing: the application serves the grammars there
 */
export function codeParser(options: { readonly file: GrammarFile }): DocumentParser {
  if (typeof options?.file !== 'function')
    throw invalid('codeParser needs file(name), which gives the bytes of a file of @vscode/tree-sitter-wasm/wasm')
  return codeParserFrom(options.file)
}
