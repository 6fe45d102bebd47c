import type { Heading } from '../outline.js'
import type { Block } from '../passages.js'
import { type Line, mostOf } from './lines.js'

/** How much larger than most of the text a heading is set. */
const LARGER = 1.12
/** Characters that a heading may have. */
const HEADING = 200
/** Distance of two lines, in sizes, from which on the second begins a paragraph. */
const PARAGRAPH = 1.75
/** Pages on which a line must stand at the same edge to be a running title. */
const RUNNING = 3
/** Depths of headings. */
const DEPTHS = 6
/** The dots of a table of contents. */
const LEADERS = /(?:\.\s?){4}/
/** What begins an item of a list. */
const BULLET = /^[•◦▪■●‣]\s/u

/** The text of a document, and where its headings and paragraphs are in it. */
export interface LaidOut {
  readonly text: string
  readonly elements: readonly (Heading | Block)[]
}

/**
 * Reads lines as headings, by the size of their font, and paragraphs, by the room above them. Running titles and page
 * numbers are left out; words that a line divides are joined.
 */
export function laidOut(pages: readonly (readonly Line[])[]): LaidOut {
  const kept = withoutRunning(pages)
  const body = bodySize(kept)
  const depths = depthsOf(kept, body)
  const isHeading = ({ size, text }: Line) =>
    depths.has(size) && text.length <= HEADING && /\p{L}/u.test(text) && !LEADERS.test(text)
  const layout = new Layout()
  for (const lines of kept) {
    let above: Line | undefined
    for (const line of lines) {
      if (isHeading(line)) {
        const goesOn = above !== undefined && isHeading(above) && above.size === line.size && isNext(above, line)
        layout.heading(line.text, depths.get(line.size)!, goesOn)
      } else {
        // A page may break a sentence.
        const goesOn =
          above === undefined
            ? /^\p{Ll}/u.test(line.text)
            : !isHeading(above) && isNext(above, line) && !BULLET.test(line.text)
        layout.line(line.text, goesOn)
      }
      above = line
    }
  }
  return layout.end()
}

/** Whether a line follows another in the same column without room between. */
function isNext(above: Line, line: Line): boolean {
  const down = above.y - line.y
  return down >= 0 && down < PARAGRAPH * Math.max(above.size, line.size)
}

/** The size that most characters have. */
function bodySize(pages: readonly (readonly Line[])[]): number {
  const characters = new Map<number, number>()
  for (const { size, text } of pages.flat()) characters.set(size, (characters.get(size) ?? 0) + text.length)
  return mostOf(characters)
}

/** The depths of headings by their sizes, the largest first. */
function depthsOf(pages: readonly (readonly Line[])[], body: number): Map<number, Heading['depth']> {
  const sizes = new Set(
    pages.flat().flatMap(({ size, text }) => (size >= LARGER * body && text.length <= HEADING ? [size] : [])),
  )
  const sorted = [...sizes].sort((a, b) => b - a)
  return new Map(sorted.map((size, i) => [size, Math.min(i + 1, DEPTHS) as Heading['depth']]))
}

/** Pages without what stands first or last on several of them, whatever its numbers are. */
function withoutRunning(pages: readonly (readonly Line[])[]): Line[][] {
  const formOf = ({ text }: Line) => text.replace(/\p{Nd}+|\b[ivxlc]+\b/gu, '#')
  const counts = new Map<string, number>()
  for (const lines of pages)
    for (const form of new Set(edges(lines).map(formOf))) counts.set(form, (counts.get(form) ?? 0) + 1)
  return pages.map((lines) => {
    const running = new Set(edges(lines).filter((line) => counts.get(formOf(line))! >= RUNNING))
    return lines.filter((line) => !running.has(line))
  })
}

/** The highest and the lowest line of a page. */
function edges(lines: readonly Line[]): Line[] {
  if (lines.length === 0) return []
  const highest = lines.reduce((best, line) => (line.y > best.y ? line : best))
  const lowest = lines.reduce((best, line) => (line.y < best.y ? line : best))
  return lines.filter(({ y }) => y === highest.y || y === lowest.y)
}

/** A text that grows by lines. */
class Layout {
  readonly #elements: (Heading | Block)[] = []
  readonly #done: string[] = []
  #length = 0
  #open: { text: string; readonly depth?: Heading['depth'] } | undefined

  heading(text: string, depth: Heading['depth'], goesOn: boolean): void {
    if (goesOn && this.#open?.depth === depth) this.#open.text += ` ${text}`
    else this.#begin({ text, depth })
  }

  line(text: string, goesOn: boolean): void {
    if (!goesOn || this.#open === undefined || this.#open.depth !== undefined) this.#begin({ text })
    else this.#open.text = joined(this.#open.text, text)
  }

  end(): LaidOut {
    this.#close()
    return { text: this.#done.join(''), elements: this.#elements }
  }

  #begin(open: { text: string; readonly depth?: Heading['depth'] }): void {
    this.#close()
    this.#open = open
  }

  #close(): void {
    if (this.#open === undefined) return
    const { text: title, depth } = this.#open
    const text = depth === undefined ? title : `${'#'.repeat(depth)} ${title}`
    const range = { start: this.#length, end: this.#length + text.length }
    this.#elements.push(depth === undefined ? range : { ...range, depth, title })
    this.#done.push(text, '\n\n')
    this.#length += text.length + 2
    this.#open = undefined
  }
}

/** Two lines of a paragraph; a word that the first one divides is one word. */
function joined(above: string, below: string): string {
  return /\p{L}[-\u00ad\u2010]$/u.test(above) && /^\p{Ll}/u.test(below)
    ? above.slice(0, -1) + below
    : `${above} ${below}`
}
