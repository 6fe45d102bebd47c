import { invalid } from '../../api/check.js'
import type { DocumentParser, ParsedDocument } from '../../api/document-parser.js'
import { AgidbError } from '../../base/errors.js'
import { cut } from '../outline.js'
import { laidOut } from './layout.js'
import { type Glyphs, type Line, linesOf } from './lines.js'

/** What is used of PDF.js. */
interface Pdf {
  readonly numPages: number
  getMetadata(): Promise<{ readonly info: object }>
  getPage(number: number): Promise<{
    getTextContent(): Promise<{ readonly items: readonly (Glyphs | object)[] }>
    cleanup(): unknown
  }>
  destroy(): Promise<void>
}

/** Pages that are read at most. */
const PAGES = 10_000

/**
 * Reads PDF: the text of its pages, with the headings that the sizes of its fonts show. Running titles and page numbers
 * are left out. Offsets count in that text. It needs the package `unpdf`, which has PDF.js for every runtime.
 *
 *     await db.entries.ingest(await pdfParser.parse(bytes, 'report.pdf'), { source: 'report.pdf' })
 *
 * `parse` rejects with `AGIDB_PARSE` for what is no PDF, has a password, more than 10,000 pages, or no text, as scanned
 * pages have none; with `AGIDB_UNSUPPORTED` where `unpdf` is not installed; with `AGIDB_INVALID_ARGUMENT` for a text.
 */
export const pdfParser: DocumentParser = {
  id: 'pdf',
  extensions: ['pdf'],
  async parse(document, source): Promise<ParsedDocument> {
    if (!(document instanceof Uint8Array)) throw invalid('a PDF is parsed from its bytes, not from a text', { source })
    const pdf = await opened(document, source)
    try {
      if (pdf.numPages > PAGES) throw wrong(source, `has ${pdf.numPages} pages; at most ${PAGES} are read`)
      const title = await titleOf(pdf)
      const { text, elements } = laidOut(await pagesOf(pdf, source))
      if (elements.length === 0) throw wrong(source, 'has no text: its pages are pictures; recognise their text first')
      return { text, pieces: cut(text, elements), ...(title !== '' && { title }) }
    } finally {
      await pdf.destroy()
    }
  },
}

async function opened(document: Uint8Array, source: string): Promise<Pdf> {
  const open = await loadPdf()
  try {
    // A copy: PDF.js takes the buffer away, and refuses a Buffer of Node.
    return await open(new Uint8Array(document))
  } catch (cause) {
    const isLocked = (cause as Error | undefined)?.name === 'PasswordException'
    throw wrong(source, isLocked ? 'has a password; take it off first' : 'is no PDF that can be read', cause)
  }
}

async function loadPdf(): Promise<(bytes: Uint8Array) => Promise<Pdf>> {
  try {
    const { getDocumentProxy } = await import('unpdf')
    // Of messages about fonts nobody knows what to do; 0: errors alone.
    return (bytes) => getDocumentProxy(bytes, { verbosity: 0 }) as Promise<unknown> as Promise<Pdf>
  } catch (cause) {
    throw new AgidbError('AGIDB_UNSUPPORTED', 'PDF is read by unpdf; install it: npm install unpdf', {}, { cause })
  }
}

async function pagesOf(pdf: Pdf, source: string): Promise<Line[][]> {
  const pages: Line[][] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    try {
      const page = await pdf.getPage(number)
      const { items } = await page.getTextContent()
      pages.push(linesOf(items.filter((item): item is Glyphs => 'str' in item)))
      page.cleanup()
    } catch (cause) {
      throw wrong(source, `is damaged on page ${number}`, cause)
    }
  }
  return pages
}

async function titleOf(pdf: Pdf): Promise<string> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
  const { Title: title } = info as { readonly Title?: unknown }
  return typeof title === 'string' ? title.replace(/\s+/g, ' ').trim() : ''
}

function wrong(source: string, what: string, cause?: unknown): AgidbError {
  return new AgidbError('AGIDB_PARSE', `${source} ${what}`, { source, parser: 'pdf' }, { cause })
}
