import { load as parseYaml } from 'js-yaml'
import type { Nodes, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { toString } from 'mdast-util-to-string'
import { gfmTable } from 'micromark-extension-gfm-table'
import type { DocumentParser, ParsedDocument } from '../api/document-parser.js'
import type { JsonObject } from '../api/json.js'
import { boundedMarkdown } from './bounded-markdown.js'
import { FORMATS } from './formats.js'
import { cut, type Heading } from './outline.js'
import type { Block } from './passages.js'
import { textOf } from './text-of.js'

/** Characters of Markdown that are parsed at a time: the parser takes several hundred times as much memory. */
const STRETCH = 2 ** 18
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/

/** Markdown as CommonMark has it, with tables of GitHub and front matter in YAML. */
export const markdownParser: DocumentParser = {
  id: 'markdown',
  extensions: FORMATS.markdown,
  parse(document): ParsedDocument {
    const text = textOf(document)
    const front = FRONT_MATTER.exec(text)
    const start = front === null ? 0 : front[0].length
    const elements: (Heading | Block)[] = []
    for (const [from, to] of stretches(text, start)) elements.push(...elementsOf(text.slice(from, to), from))
    const about = front === null ? undefined : metadataOf(front[1])
    const title = typeof about?.['title'] === 'string' ? about['title'] : undefined
    return {
      text,
      pieces: cut(text, elements),
      ...(title !== undefined && { title }),
      ...(about !== undefined && { metadata: about }),
    }
  },
}

/** What front matter says; `undefined` for what is no mapping of plain values. */
function metadataOf(yaml: string): JsonObject | undefined {
  try {
    const value: unknown = parseYaml(yaml)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return JSON.parse(JSON.stringify(value)) as JsonObject
  } catch {
    return undefined // it is not what the document says, and no reason to refuse that
  }
}

/** A long document in stretches, cut before headings outside of code. */
function* stretches(text: string, start: number): Generator<readonly [from: number, to: number]> {
  let from = start
  let fence: string | undefined
  for (const { 0: line, index } of text.slice(start).matchAll(/^[^\n]*(?:\n|$)/gm)) {
    const at = start + index
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && fence === undefined) fence = mark
    else if (mark !== undefined && mark[0] === fence?.[0] && mark.length >= fence.length) fence = undefined
    if (fence === undefined && at - from >= STRETCH && /^#{1,6}[ \t]/.test(line)) {
      yield [from, at]
      from = at
    }
    if (line === '') break
  }
  if (from < text.length) yield [from, text.length]
}

function elementsOf(markdown: string, offset: number): (Heading | Block)[] {
  const { children } = fromMarkdown(boundedMarkdown(markdown), {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  })
  return children.flatMap((node): (Heading | Block)[] => {
    const range = rangeOf(node, offset)
    if (node.type === 'heading') return [{ ...range, depth: node.depth, title: toString(node) }]
    return isComment(node) ? [] : [{ ...range, ...cutsOf(node, markdown, offset) }]
  })
}

/** Where a block may be cut. */
function cutsOf(node: RootContent, markdown: string, offset: number): Pick<Block, 'cuts' | 'isWhole'> {
  switch (node.type) {
    case 'list':
    case 'blockquote':
      return { cuts: node.children.map((child) => rangeOf(child, offset).start) }
    case 'table':
      return { isWhole: true, cuts: node.children.slice(1).map((row) => rangeOf(row, offset).start) }
    case 'code':
    case 'html': {
      // The lines as they are written: the value of the node is without the fence and the indentation.
      const { start, end } = rangeOf(node, 0)
      const breaks = markdown.slice(start, end).matchAll(/\n/g)
      return { isWhole: true, cuts: Array.from(breaks, ({ index }) => offset + start + index + 1) }
    }
    default:
      return {}
  }
}

function rangeOf({ position }: Nodes, offset: number): { start: number; end: number } {
  return { start: offset + position!.start.offset!, end: offset + position!.end.offset! }
}

/** Whether a node is nothing but a comment of HTML. */
function isComment(node: RootContent): boolean {
  return node.type === 'html' && /^\s*<!--[\s\S]*-->\s*$/.test(node.value)
}
