import type { Heading } from '../outline.js'
import { type Block, isInPair, PASSAGE, type Range } from '../passages.js'
import type { Language } from './languages.js'

/** What is used of a node of a syntax tree. Offsets are in UTF-16 units. */
export interface SyntaxNode {
  readonly type: string
  readonly text: string
  readonly startIndex: number
  readonly endIndex: number
  readonly namedChildren: readonly (SyntaxNode | null)[]
  childForFieldName(name: string): SyntaxNode | null
}

/** A declaration, or statements between declarations, which have no name of their own. */
interface Part extends Range {
  readonly title: string
  /** The first offset of the declaration itself, after the comments above it. */
  readonly from: number
  /** What is declared inside, and begins there. */
  readonly members?: readonly SyntaxNode[]
}

/** Depths of headings. */
const DEEPEST = 6
/** Values that make a constant a function or a class. */
const FUNCTIONS = new Set(['arrow_function', 'function_expression', 'function', 'class', 'generator_function'])
/** Characters of a declaration that stand for it as its heading, at most. */
const SIGNATURE = 300

/** The headings and blocks of source code: a heading for each declaration, with the comments above it. */
export function declarationsIn(text: string, root: SyntaxNode, language: Language): (Heading | Block)[] {
  const elements: (Heading | Block)[] = []
  add(elements, text, root.namedChildren, language, 1)
  return elements
}

function add(
  elements: (Heading | Block)[],
  text: string,
  nodes: readonly (SyntaxNode | null)[],
  language: Language,
  depth: number,
): void {
  for (const part of partsOf(text, nodes, language)) {
    const { start, end, from, title, members } = part
    /** Where its members begin, or else its end. */
    const to = members?.[0]?.startIndex ?? end
    const heading = signatureEnd(text, from, to)
    elements.push({ start, end: heading, depth: Math.min(depth, DEEPEST) as Heading['depth'], title })
    if (heading < to) elements.push({ start: heading, end: to, cuts: lineStarts(text, heading, to), isWhole: true })
    if (members !== undefined) add(elements, text, members, language, depth + 1)
  }
}

/** The declarations among nodes, and between them the statements that follow each other. */
function partsOf(text: string, nodes: readonly (SyntaxNode | null)[], language: Language): Part[] {
  const parts: Part[] = []
  /** Comments that wait for what they are about. */
  let above: SyntaxNode | undefined
  for (const node of nodes) {
    if (node === null) continue
    const previous = parts.at(-1)
    if (isComment(node)) {
      // One on the line of what stands before it is about that.
      const isBeside = previous !== undefined && !text.slice(previous.end, node.startIndex).includes('\n')
      if (isBeside && above === undefined) parts[parts.length - 1] = { ...previous, end: node.endIndex }
      else above ??= node
      continue
    }
    const declared = declarationOf(node, language)
    const start = above?.startIndex ?? node.startIndex
    above = undefined
    const { endIndex: end, startIndex: from } = node
    if (declared !== undefined)
      parts.push({ start, end, from: declared.startIndex, ...told(declared, end - start, language) })
    else if (previous !== undefined && previous.title === '' && end - previous.start <= PASSAGE)
      parts[parts.length - 1] = { ...previous, end }
    else parts.push({ start, end, from, title: '' })
  }
  if (above !== undefined) {
    const end = nodes.findLast((node) => node !== null)!.endIndex
    parts.push({ start: above.startIndex, end, from: above.startIndex, title: '' })
  }
  return parts
}

function isComment({ type }: SyntaxNode): boolean {
  return type.includes('comment') || type === 'attribute_item' || type === 'inner_attribute_item'
}

/** The declaration that a node is, or has around it what belongs to one; `undefined` for other statements. */
function declarationOf(node: SyntaxNode, { declarations, wrappers = [] }: Language): SyntaxNode | undefined {
  let inner = node
  while (wrappers.includes(inner.type)) {
    const next = inner.namedChildren.findLast((child) => child !== null && isInner(child, declarations, wrappers))
    if (next === undefined || next === null) return undefined
    inner = next
  }
  if (!declarations.includes(inner.type)) return undefined
  return inner.type === 'lexical_declaration' && !isFunction(inner) ? undefined : inner
}

function isInner({ type }: SyntaxNode, declarations: readonly string[], wrappers: readonly string[]): boolean {
  return declarations.includes(type) || wrappers.includes(type)
}

/** Whether a constant is a function: `const add = (a, b) => a + b`. */
function isFunction(node: SyntaxNode): boolean {
  return node.namedChildren.some((child) => FUNCTIONS.has(child?.childForFieldName('value')?.type ?? ''))
}

function told(node: SyntaxNode, length: number, { containers }: Language): Pick<Part, 'title' | 'members'> {
  const title = nameOf(node)
  if (length <= PASSAGE || !containers.includes(node.type)) return { title }
  const body = node.childForFieldName('body') ?? node.namedChildren.findLast((child) => child?.type.includes('body'))
  const members = body?.namedChildren.filter((child) => child !== null) ?? []
  return members.length === 0 ? { title } : { title, members }
}

function nameOf(node: SyntaxNode): string {
  const name = node.childForFieldName('name')
  if (name !== null) return name.text
  let inner = node.childForFieldName('declarator')
  if (inner !== null) {
    for (let next = inner.childForFieldName('declarator'); next !== null; next = inner.childForFieldName('declarator'))
      inner = next
    return inner.text
  }
  const type = node.childForFieldName('type')
  if (type !== null) {
    const trait = node.childForFieldName('trait')
    return trait === null ? type.text : `${trait.text} for ${type.text}`
  }
  // The names of what is declared together: `type ( … )`, `const add = …`.
  return node.namedChildren.flatMap((child) => child?.childForFieldName('name')?.text ?? []).join(', ')
}

/** The end of the first line of a declaration that has more than its beginning, as far as a heading goes. */
function signatureEnd(text: string, from: number, end: number): number {
  const line = text.indexOf('\n', from)
  const stop = Math.min(line < 0 ? end : line, end, from + SIGNATURE)
  return stop - (isInPair(text, stop) ? 1 : 0)
}

function lineStarts(text: string, start: number, end: number): number[] {
  const starts: number[] = []
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
