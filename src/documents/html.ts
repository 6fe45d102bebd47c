import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import type { DocumentParser, ParsedDocument } from '../api/document-parser.js'
import { FORMATS } from './formats.js'
import { cut, type Heading } from './outline.js'
import type { Block } from './passages.js'
import { textOf } from './text-of.js'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/** What is no content of a page. */
const SKIPPED = new Set([
  ...['script', 'style', 'template', 'noscript', 'nav', 'footer', 'aside', 'svg', 'math', 'canvas', 'iframe'],
  ...['form', 'button', 'select', 'dialog', 'head', 'object', 'video', 'audio'],
])
/** What begins a block of its own. */
const BLOCKS = new Set([
  ...['p', 'div', 'section', 'article', 'main', 'header', 'figure', 'figcaption', 'blockquote', 'pre', 'table', 'ul'],
  ...['ol', 'dl', 'dt', 'dd', 'li', 'tr', 'hr', 'details', 'summary', 'address', 'body', 'caption', 'tbody', 'thead'],
])
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
/** Elements within each other, beyond which a page is refused. */
const DEEPEST = 512

/**
 * Pages of HTML: the main content as plain text. Offsets count in that text, which {@link ParsedDocument.text} has:
 * headings as in Markdown, items with a hyphen, rows with their cells, code in lines as they are.
 */
export const htmlParser: DocumentParser = {
  id: 'html',
  extensions: FORMATS.html,
  parse(document): ParsedDocument {
    const page = parse(textOf(document))
    const title = find(page.childNodes, (element) => element.tagName === 'title')
    const main =
      find(page.childNodes, ({ tagName, attrs }) => tagName === 'main' || isRole(attrs, 'main')) ??
      find(page.childNodes, ({ tagName }) => tagName === 'article') ??
      find(page.childNodes, ({ tagName }) => tagName === 'body')
    const reading = new Reading()
    if (main !== undefined) reading.read(main.childNodes, 0)
    reading.end()
    const own = title === undefined ? '' : wordsOf(title).trim()
    return { text: reading.text, pieces: cut(reading.text, reading.elements), ...(own !== '' && { title: own }) }
  },
}

/** The text of a page, and where its headings and blocks are. */
class Reading {
  readonly elements: (Heading | Block)[] = []
  /** The blocks that are read, and how long they are together. */
  readonly #done: string[] = []
  #length = 0
  /** The block that is read. */
  #block = ''
  #cuts: number[] = []
  #isWhole = false
  #isCode = false
  /** Lists and tables that are read: what is in them is one block. */
  #inside = 0

  get text(): string {
    return this.#done.join('')
  }

  read(nodes: readonly Node[], depth: number): void {
    if (depth > DEEPEST) return
    for (const node of nodes) {
      if (node.nodeName === '#text') this.#say((node as DefaultTreeAdapterTypes.TextNode).value)
      else if ('tagName' in node && !SKIPPED.has(node.tagName) && !isHidden(node)) this.#element(node, depth)
    }
  }

  /** Ends the block that is read. */
  end(): void {
    const block = this.#block.trimEnd()
    if (block !== '') {
      const start = this.#length
      const cuts = this.#cuts.filter((at) => at > 0 && at < block.length).map((at) => start + at)
      const range = { start, end: start + block.length, isWhole: this.#isWhole }
      this.elements.push(cuts.length === 0 ? range : { ...range, cuts })
      this.#keep(block)
    }
    this.#block = ''
    this.#cuts = []
    this.#isWhole = false
  }

  #keep(block: string): void {
    this.#done.push(block, '\n\n')
    this.#length += block.length + 2
  }

  #element(element: Element, depth: number): void {
    const { tagName, childNodes } = element
    if (HEADINGS.has(tagName)) return this.#heading(element)
    if (tagName === 'br') return void (this.#block += '\n')
    if (tagName === 'pre') return this.#code(childNodes, depth)
    if (tagName === 'li' || tagName === 'tr' || tagName === 'dt') return this.#item(tagName, childNodes, depth)
    if (tagName === 'td' || tagName === 'th') {
      this.read(childNodes, depth + 1)
      return this.#say(' | ')
    }
    if (!BLOCKS.has(tagName) || this.#inside > 0) return this.read(childNodes, depth + 1)
    this.end()
    const isOne = tagName === 'ul' || tagName === 'ol' || tagName === 'dl' || tagName === 'table'
    if (isOne) this.#inside++
    if (tagName === 'table') this.#isWhole = true
    this.read(childNodes, depth + 1)
    if (isOne) this.#inside--
    this.end()
  }

  /** An item of a list, a row, or a term: on a line of its own. */
  #item(tagName: string, nodes: readonly Node[], depth: number): void {
    if (this.#block !== '' && !this.#block.endsWith('\n')) this.#block = `${this.#block.trimEnd()}\n`
    this.#cuts.push(this.#block.length)
    if (tagName === 'li') this.#block += '- '
    this.read(nodes, depth + 1)
    this.#block = `${this.#block.replace(/[ \n|]+$/, '')}\n`
  }

  #heading(element: Element): void {
    const title = wordsOf(element)
      .replace(/\s+/g, ' ')
      .replace(/[¶#]\s*$/, '')
      .trim()
    if (title === '') return
    this.end()
    const depth = Number(element.tagName[1]) as Heading['depth']
    const line = `${'#'.repeat(depth)} ${title}`
    this.elements.push({ start: this.#length, end: this.#length + line.length, depth, title })
    this.#keep(line)
  }

  #code(nodes: readonly Node[], depth: number): void {
    if (this.#inside === 0) this.end()
    this.#isCode = true
    this.read(nodes, depth + 1)
    this.#isCode = false
    if (this.#inside > 0) return
    this.#isWhole = true
    for (const { index } of this.#block.matchAll(/\n/g)) this.#cuts.push(index + 1)
    this.end()
  }

  /** Adds words; white space counts once but in code. */
  #say(words: string): void {
    if (this.#isCode) return void (this.#block += words)
    const said = words.replace(/\s+/g, ' ')
    const isAtSpace = this.#block === '' || this.#block.endsWith(' ') || this.#block.endsWith('\n')
    this.#block += isAtSpace ? said.trimStart() : said
  }
}

function find(nodes: readonly Node[], is: (element: Element) => boolean): Element | undefined {
  const left = [...nodes].reverse()
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (!('tagName' in node)) continue
    if (is(node)) return node
    for (let i = node.childNodes.length - 1; i >= 0; i--) left.push(node.childNodes[i])
  }
  return undefined
}

function wordsOf(element: Element): string {
  let words = ''
  const left: Node[] = [...element.childNodes].reverse()
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.nodeName === '#text') words += (node as DefaultTreeAdapterTypes.TextNode).value
    else if ('tagName' in node && !SKIPPED.has(node.tagName))
      for (let i = node.childNodes.length - 1; i >= 0; i--) left.push(node.childNodes[i])
  }
  return words
}

function isRole(attrs: Element['attrs'], role: string): boolean {
  return attrs.some(({ name, value }) => name === 'role' && value === role)
}

function isHidden({ attrs }: Element): boolean {
  return attrs.some(({ name, value }) => name === 'hidden' || (name === 'aria-hidden' && value === 'true'))
}
