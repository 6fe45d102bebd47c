/** A stretch of text on a page, as PDF.js gives it. */
export interface Glyphs {
  readonly str: string
  /** Of the font, in points. 0 for white space. */
  readonly height: number
  /** The place on the page is `transform[4]`, `transform[5]`, in points from the lower left corner. */
  readonly transform: readonly number[]
  readonly width: number
  /** Whether the line ends after it. */
  readonly hasEOL: boolean
}

/** A line of a page. */
export interface Line {
  readonly text: string
  /** The size of the font that most of it has, in points, to half a point. */
  readonly size: number
  /** Points from the lower edge of the page. */
  readonly y: number
  readonly x: number
}

/** Points between two stretches of a line from which on a space stands between them, as a share of the size. */
const GAP = 0.2
/** Points by which stretches of one line may differ in height, as a share of the size: indices, footnotes. */
const SHIFT = 0.6

/** The lines of a page, in the order in which the file has them. */
export function linesOf(glyphs: readonly Glyphs[]): Line[] {
  const lines: Line[] = []
  let open: Glyphs[] = []
  const end = () => {
    const line = lineOf(open)
    if (line !== undefined) lines.push(line)
    open = []
  }
  for (const one of glyphs) {
    const last = open.findLast(({ height }) => height > 0)
    if (last !== undefined && one.height > 0 && Math.abs(yOf(one) - yOf(last)) > SHIFT * last.height) end()
    open.push(one)
    if (one.hasEOL) end()
  }
  end()
  return lines
}

function lineOf(glyphs: readonly Glyphs[]): Line | undefined {
  let text = ''
  let right = -Infinity
  const characters = new Map<number, number>()
  for (const { str, height, transform, width } of glyphs) {
    if (height > 0 && right > -Infinity && transform[4] - right > GAP * height && !/\s$/.test(text) && !/^\s/.test(str))
      text += ' '
    text += str
    if (str.trim() === '') continue
    right = transform[4] + width
    const size = Math.round(2 * height) / 2
    characters.set(size, (characters.get(size) ?? 0) + str.length)
  }
  const words = text.replace(/\s+/g, ' ').trim()
  const first = glyphs.find(({ str }) => str.trim() !== '')
  if (words === '' || first === undefined) return undefined
  return { text: words, size: mostOf(characters), y: yOf(first), x: first.transform[4] }
}

/** The key with the highest count; of those as high the largest. */
export function mostOf(counts: ReadonlyMap<number, number>): number {
  return [...counts].reduce(
    (best, one) => (one[1] > best[1] || (one[1] === best[1] && one[0] > best[0]) ? one : best),
    [0, 0],
  )[0]
}

function yOf({ transform }: Glyphs): number {
  return transform[5]
}
