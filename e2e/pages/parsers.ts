import { codeParser } from '../../src/documents/code/browser.js'
import { pdfParser } from '../../src/documents/pdf/pdf.js'
import { Agidb } from '../../src/runtimes/browser/index.js'

const GRAMMARS = '/node_modules/@vscode/tree-sitter-wasm/wasm/'

/** Parsers that need other packages, for tests that run them in the page. */
const parsers = {
  pdf: pdfParser,
  code: codeParser({
    file: async (name) => {
      const answer = await fetch(`${GRAMMARS}${name}`)
      if (!answer.ok) throw new Error(`${name}: status ${answer.status}`)
      return new Uint8Array(await answer.arrayBuffer())
    },
  }),
  open: (name: string) => Agidb.open({ name, codebook: 'none', extract: 'none' }),
}

declare global {
  interface Window {
    parsers: typeof parsers
  }
}

window.parsers = parsers
