/** Characters that a passage has at most, where it can be cut. Shorter blocks that follow each other share one. */
export const PASSAGE = 1_200
/** Characters from which on a passage takes no further block. */
const ENOUGH = 700
/** Characters of a table or of code that stay together. */
const WHOLE = 4_000

/** A stretch of a text, half-open, in UTF-16 units. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A block of a document: a paragraph, a list, a table, code. */
export interface Block extends Range {
  /** Where it may be cut, ascending: the starts of items, rows or lines. Absent: between sentences. */
  readonly cuts?: readonly number[]
  /** Whether it stays whole while it is not very long: tables and code. */
  readonly isWhole?: boolean
}

/**
 * Cuts the blocks of a section into passages: blocks share a passage while it is short, and long ones are cut at their
 * parts, then between sentences, then between words.
 *
 * @param used characters that the first passage has already: those of the heading.
 */
export function passages(text: string, blocks: readonly Block[], used = 0): Range[] {
  const found: { start: number; end: number }[] = []
  let isFirst = true
  for (const block of blocks.flatMap((one) => pieces(text, one))) {
    const last = found.at(-1)
    const before = last === undefined ? 0 : last.end - last.start + (isFirst ? used : 0)
    const joined = last === undefined ? 0 : block.end - last.start + (isFirst ? used : 0)
    if (last !== undefined && before < ENOUGH && joined <= PASSAGE) {
      last.end = block.end
      continue
    }
    if (last !== undefined) isFirst = false
    found.push({ ...block })
  }
  return found.flatMap((range) => trimmed(text, range) ?? [])
}

/** A stretch without the white space around it; `undefined` where there is nothing else. */
export function trimmed(text: string, { start, end }: Range): Range | undefined {
  const slice = text.slice(start, end)
  const left = slice.length - slice.trimStart().length
  return left === slice.length ? undefined : { start: start + left, end: start + slice.trimEnd().length }
}

/** A block in pieces that are short enough. */
function pieces(text: string, { start, end, cuts, isWhole = false }: Block): Range[] {
  const most = isWhole ? WHOLE : PASSAGE
  if (end - start <= most) return [{ start, end }]
  const inside = (cuts ?? sentenceStarts(text, start, end)).filter((at) => at > start && at < end)
  return grouped([start, ...inside], end, most).flatMap((range) => shortened(text, range, most))
}

/** Parts that follow each other, as many together as are short enough. */
function grouped(starts: readonly number[], end: number, most: number): Range[] {
  const groups: { start: number; end: number }[] = []
  starts.forEach((start, i) => {
    const stop = starts[i + 1] ?? end
    const last = groups.at(-1)
    if (last !== undefined && stop - last.start <= most) last.end = stop
    else groups.push({ start, end: stop })
  })
  return groups
}

/** A part that is too long by itself, cut between sentences if it has any, else between words, else anywhere. */
function shortened(text: string, { start, end }: Range, most: number): Range[] {
  if (end - start <= most) return [{ start, end }]
  const found: Range[] = []
  let from = start
  for (const group of grouped([start, ...sentenceStarts(text, start, end)], end, most)) {
    for (from = group.start; group.end - from > most; ) {
      const at = lastSpace(text, from + 1, from + most)
      const stop = at > from ? at : from + most - (isInPair(text, from + most) ? 1 : 0)
      found.push({ start: from, end: stop })
      from = stop
    }
    found.push({ start: from, end: group.end })
  }
  return found
}

/** Where sentences begin after the first, by their stops. */
function sentenceStarts(text: string, start: number, end: number): number[] {
  const starts: number[] = []
  for (const { 0: stop, index } of text.slice(start, end).matchAll(/[.!?…]["'”’)\]]*\s+|[。！？]|\n\s*\n/gu))
    starts.push(start + index + stop.length)
  return starts.filter((at) => at < end)
}

/** The place after the last white space of a stretch; its start where there is none. */
function lastSpace(text: string, start: number, end: number): number {
  for (let at = end; at > start; at--) if (/\s/u.test(text[at - 1])) return at
  return start - 1
}

/** Whether a place is within a surrogate pair. */
export function isInPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}
