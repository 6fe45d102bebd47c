import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import type { DocumentParser, ParsedDocument } from '../api/document-parser.js'
import { AgidbError } from '../base/errors.js'
import { FORMATS } from './formats.js'
import { GrowingText } from './growing-text.js'
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
/** Roles of what stands around the content (WAI-ARIA 1.2, landmarks). */
const AROUND = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search'])
/** Classes that pages without such roles give to what is navigation, or is left out of a search. */
const NAVIGATION =
  /^(?!has|with|no)(?:\w+[-_])?(?:nav|navbar|menu|mainmenu|submenu|toc|sidebar|breadcrumbs?|pagination)$/i
const LEFT_OUT = new Set(['nosearch', 'noindex', 'no-search', 'no-index'])
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
    const nodes = main?.childNodes ?? []
    const content = new Reading(isAround).of(nodes)
    // Where nothing else is there, what seems to stand around it is the content.
    const reading = content.text === '' ? new Reading(() => false).of(nodes) : content
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
  readonly #block = new GrowingText()
  #cuts: number[] = []
  #isWhole = false
  #isCode = false
  /** Lists and tables that are read: what is in them is one block. */
  #inside = 0
  readonly #isLeftOut: (element: Element) => boolean

  /** @param isLeftOut says which elements are not read. */
  constructor(isLeftOut: (element: Element) => boolean) {
    this.#isLeftOut = isLeftOut
  }

  get text(): string {
    return this.#done.join('')
  }

  /** Reads nodes to their end. */
  of(nodes: readonly Node[]): this {
    this.#read(nodes, 0)
    this.#end()
    return this
  }

  #read(nodes: readonly Node[], depth: number): void {
    if (depth > DEEPEST) {
      const message = `the page has elements more than ${DEEPEST} deep within each other; pass its text instead`
      throw new AgidbError('AGIDB_PARSE', message, { deepest: DEEPEST })
    }
    for (const node of nodes) {
      if (node.nodeName === '#text') this.#say((node as DefaultTreeAdapterTypes.TextNode).value)
      else if ('tagName' in node && !SKIPPED.has(node.tagName) && !isHidden(node) && !this.#isLeftOut(node))
        this.#element(node, depth)
    }
  }

  /** Ends the block that is read. */
  #end(): void {
    const block = this.#block.toString().trimEnd()
    if (block !== '') {
      const start = this.#length
      const cuts = this.#cuts.filter((at) => at > 0 && at < block.length).map((at) => start + at)
      const range = { start, end: start + block.length, isWhole: this.#isWhole }
      this.elements.push(cuts.length === 0 ? range : { ...range, cuts })
      this.#keep(block)
    }
    this.#block.clear()
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
    if (tagName === 'br') return this.#block.add('\n')
    if (tagName === 'pre') return this.#code(childNodes, depth)
    if (tagName === 'li' || tagName === 'tr' || tagName === 'dt') return this.#item(tagName, childNodes, depth)
    if (tagName === 'td' || tagName === 'th') {
      this.#read(childNodes, depth + 1)
      return this.#say(' | ')
    }
    if (!BLOCKS.has(tagName) || this.#inside > 0) return this.#read(childNodes, depth + 1)
    this.#end()
    const isOne = tagName === 'ul' || tagName === 'ol' || tagName === 'dl' || tagName === 'table'
    if (isOne) this.#inside++
    if (tagName === 'table') this.#isWhole = true
    this.#read(childNodes, depth + 1)
    if (isOne) this.#inside--
    this.#end()
  }

  /** An item of a list, a row, or a term: on a line of its own. */
  #item(tagName: string, nodes: readonly Node[], depth: number): void {
    if (this.#block.length > 0 && this.#block.last !== '\n') {
      this.#block.trimEnd((character) => /\s/.test(character))
      this.#block.add('\n')
    }
    this.#cuts.push(this.#block.length)
    if (tagName === 'li') this.#block.add('- ')
    this.#read(nodes, depth + 1)
    this.#block.trimEnd((character) => ' \n|'.includes(character))
    this.#block.add('\n')
  }

  #heading(element: Element): void {
    const title = wordsOf(element)
      .replace(/\s+/g, ' ')
      .replace(/[¶#]\s*$/, '')
      .trim()
    if (title === '') return
    this.#end()
    const depth = Number(element.tagName[1]) as Heading['depth']
    const line = `${'#'.repeat(depth)} ${title}`
    this.elements.push({ start: this.#length, end: this.#length + line.length, depth, title })
    this.#keep(line)
  }

  #code(nodes: readonly Node[], depth: number): void {
    if (this.#inside === 0) this.#end()
    this.#isCode = true
    this.#read(nodes, depth + 1)
    this.#isCode = false
    if (this.#inside > 0) return
    this.#isWhole = true
    for (const { index } of this.#block.toString().matchAll(/\n/g)) this.#cuts.push(index + 1)
    this.#end()
  }

  /** Adds words; white space counts once but in code. */
  #say(words: string): void {
    if (this.#isCode) return this.#block.add(words)
    const said = words.replace(/\s+/g, ' ')
    const isAtSpace = ['', ' ', '\n'].includes(this.#block.last)
    this.#block.add(isAtSpace ? said.trimStart() : said)
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

/** Whether an element stands around the content: navigation, a banner. What has the heading of the page does not. */
function isAround({ attrs, childNodes }: Element): boolean {
  const isSaid = attrs.some(({ name, value }) => {
    if (name === 'role') return AROUND.has(value)
    if (name !== 'class') return name === 'data-nosnippet'
    return value.split(/\s+/).some((one) => NAVIGATION.test(one) || LEFT_OUT.has(one.toLowerCase()))
  })
  return isSaid && find(childNodes, ({ tagName }) => tagName === 'h1') === undefined
}

function isRole(attrs: Element['attrs'], role: string): boolean {
  return attrs.some(({ name, value }) => name === 'role' && value === role)
}

function isHidden({ attrs }: Element): boolean {
  return attrs.some(({ name, value }) => name === 'hidden' || (name === 'aria-hidden' && value === 'true'))
}
