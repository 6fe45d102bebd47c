import type { DocumentParser, ParsedDocument } from '../../api/document-parser.js'
import { AgidbError } from '../../base/errors.js'
import { cut } from '../outline.js'
import { textOf } from '../text-of.js'
import { declarationsIn, type SyntaxNode } from './declarations.js'
import { type Language, LANGUAGES, languageOf } from './languages.js'

/** Gives a file of `@vscode/tree-sitter-wasm/wasm`: `tree-sitter.wasm`, `tree-sitter-python.wasm`. */
export type GrammarFile = (name: string) => Uint8Array | Promise<Uint8Array>

/** What is used of Tree-sitter. */
interface TreeSitter {
  readonly Parser: {
    new (): {
      setLanguage(language: unknown): unknown
      parse(text: string): { readonly rootNode: SyntaxNode; delete(): void } | null
      delete(): void
    }
    init(options: { readonly wasmBinary: Uint8Array; readonly locateFile: (name: string) => string }): Promise<void>
  }
  readonly Language: { load(bytes: Uint8Array): Promise<unknown> }
}

/**
 * Reads source code by its syntax: each function, class and method is a section with its name as heading and the
 * comments above it; members are sections of their own where the whole is long. Files whose ending is of no known
 * language are refused. It needs the package `@vscode/tree-sitter-wasm`.
 *
 * `parse` rejects with `AGIDB_PARSE` for a file of no known language, or whose grammar cannot be read; with
 * `AGIDB_UNSUPPORTED` where the package is not installed.
 *
 * @param file gives the grammars, which the application serves; in Node they are read from the package.
 */
export function codeParserFrom(file: GrammarFile): DocumentParser {
  let loading: Promise<TreeSitter> | undefined
  const grammars = new Map<string, Promise<unknown>>()

  const treeSitter = (): Promise<TreeSitter> => {
    loading ??= loadTreeSitter(file)
    loading.catch(() => (loading = undefined)) // it is tried again with the next document
    return loading
  }

  const grammarOf = ({ grammar }: Language, { Language }: TreeSitter, source: string): Promise<unknown> => {
    const known = grammars.get(grammar)
    if (known !== undefined) return known
    const loaded = Promise.resolve()
      .then(() => file(`tree-sitter-${grammar}.wasm`))
      .then((bytes) => Language.load(bytes))
      .catch((cause: unknown) => {
        grammars.delete(grammar)
        throw wrong(source, `cannot be read: the grammar tree-sitter-${grammar}.wasm is not at hand`, cause)
      })
    grammars.set(grammar, loaded)
    return loaded
  }

  return {
    id: 'code',
    extensions: LANGUAGES.flatMap(({ extensions }) => extensions),
    async parse(document, source): Promise<ParsedDocument> {
      const language = languageOf(source)
      if (language === undefined)
        throw wrong(source, `is of no language that is read; those are ${LANGUAGES.map((l) => l.grammar).join(', ')}`)
      const text = textOf(document)
      const library = await treeSitter()
      const grammar = await grammarOf(language, library, source)
      const parser = new library.Parser()
      try {
        parser.setLanguage(grammar)
        const tree = parser.parse(text)
        if (tree === null) throw wrong(source, 'cannot be parsed')
        const elements = declarationsIn(text, tree.rootNode, language)
        tree.delete()
        return { text, pieces: cut(text, elements) }
      } finally {
        parser.delete()
      }
    },
  }
}

async function loadTreeSitter(file: GrammarFile): Promise<TreeSitter> {
  let library: TreeSitter
  try {
    const loaded = (await import('@vscode/tree-sitter-wasm')) as unknown as TreeSitter & {
      readonly default?: TreeSitter
    }
    library = loaded.default ?? loaded
  } catch (cause) {
    const message = 'code is read by @vscode/tree-sitter-wasm; install it: npm install @vscode/tree-sitter-wasm'
    throw new AgidbError('AGIDB_UNSUPPORTED', message, {}, { cause })
  }
  // It works out an address of its file, which a bundle has not, although it is given the bytes.
  await library.Parser.init({ wasmBinary: await file('tree-sitter.wasm'), locateFile: (name) => name })
  return library
}

function wrong(source: string, what: string, cause?: unknown): AgidbError {
  return new AgidbError('AGIDB_PARSE', `${source} ${what}`, { source, parser: 'code' }, { cause })
}
