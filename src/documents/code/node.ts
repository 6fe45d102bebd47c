import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { DocumentParser } from '../../api/document-parser.js'
import { codeParserFrom, type GrammarFile } from './code.js'

export type { GrammarFile } from './code.js'

/**
 * A parser of source code; see {@link codeParserFrom}. The grammars are those of the package
 * `@vscode/tree-sitter-wasm`, unless `file` gives them.
 */
export function codeParser(options: { readonly file?: GrammarFile } = {}): DocumentParser {
  return codeParserFrom(options.file ?? ofPackage)
}

function ofPackage(name: string): Promise<Uint8Array> {
  const main = createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm')
  return readFile(join(dirname(main), name))
}
