import { dirname, join, posix } from 'node:path'
import { transformSync } from 'esbuild'
import { Marked, type Tokens } from 'marked'
import { anchorOf } from './anchor.js'
import { type Page, pathOf } from './pages.js'

/** A page as HTML, and what else belongs to it. */
export interface Rendered {
  readonly html: string
  /** Its headings of the second level: anchor and HTML. */
  readonly sections: readonly { readonly anchor: string; readonly html: string }[]
  /** Pictures that it shows, relative to the repository. */
  readonly pictures: readonly string[]
}

/** Where files of the repository are shown that are no page of the site. */
const REPOSITORY = 'https://github.com/agidb/agidb/blob/main/'
/** A program that a page can run: it imports the library, and opens a memory that is in a page or in main memory. */
const RUNS = /^import [^\n]* from 'agidb'\n[^]*Agidb\.open\(\{ (name: '|storage: 'memory'|path: ')/
/**
 * What a page of the site lacks: other packages and entries, files, other
 * processes, a model of the browser, data of the reader's.
 */
const LACKING = new RegExp(
  String.raw`from '(?!agidb')|import '|import\(|import\.meta|node:|process\.|share: true|readFile|` +
    String.raw`LanguageModel|getUserMedia|\(pairs,`,
)

/** Whether a program of the documentation can be run in a page: it is JavaScript, and needs nothing but the library. */
export function canRun(language: string | undefined, code: string): boolean {
  if ((language !== 'ts' && language !== 'js') || !RUNS.test(code) || LACKING.test(code)) return false
  try {
    transformSync(code, { loader: 'js' })
    return true
  } catch {
    return false // It has types.
  }
}

/** Makes HTML of a page. */
export function render(page: Page): Rendered {
  const sections: { anchor: string; html: string }[] = []
  const pictures: string[] = []
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const anchor = anchorOf(text)
        const html = this.parser.parseInline(tokens)
        if (depth === 2) sections.push({ anchor, html })
        return `<h${depth} id="${anchor}">${html}</h${depth}>\n`
      },
      code({ text, lang }: Tokens.Code) {
        const code = `<pre tabindex="0"><code>${escape(text)}\n</code></pre>`
        return canRun(lang, text) ? `<agidb-example>${code}</agidb-example>\n` : `<div class="code">${code}</div>\n`
      },
      link({ href, tokens }) {
        return `<a href="${escape(linkOf(page.source, href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }) {
        if (/^[a-z]+:/.test(href)) return `<img src="${escape(href)}" alt="${escape(text)}">`
        const picture = posix.join(dirname(page.source), href)
        pictures.push(picture)
        return `<img src="${escape(pictureOf(picture))}" alt="${escape(text)}" loading="lazy">`
      },
      table({ header, rows }) {
        const cells = (tag: string, row: readonly Tokens.TableCell[]) =>
          row
            .map(({ tokens, align }) => {
              const style = align === null ? '' : ` style="text-align: ${align}"`
              // A head without text would be read aloud as one.
              const name = tokens.length === 0 ? 'td' : tag
              return `<${name}${style}>${this.parser.parseInline(tokens)}</${name}>`
            })
            .join('')
        const isHeadless = header.every(({ text }) => text.trim() === '')
        const head = isHeadless ? '' : `<thead><tr>${cells('th', header)}</tr></thead>`
        const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('')
        return `<div class="table" tabindex="0" role="group" aria-label="Table">
<table>${head}<tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  return { html: marked.parse(page.markdown, { async: false }), sections, pictures }
}

/** Where a picture of the repository stands in the site. */
export function pictureOf(picture: string): string {
  return `pictures/${posix.basename(picture)}`
}

/** A link of Markdown as a link of the site. */
function linkOf(source: string, href: string): string {
  if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href
  const [path, anchor] = href.split('#')
  const target = join(dirname(source), path)
  const fragment = anchor === undefined ? '' : `#${anchor}`
  return (pathOf(target) ?? REPOSITORY + target) + fragment
}

/** Text as it stands in HTML. */
export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
