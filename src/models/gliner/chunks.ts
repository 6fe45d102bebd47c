/** A stretch of words that the model reads at once. */
export interface Chunk {
  /** The number of its first word. */
  readonly from: number
  /** After its last word. */
  readonly to: number
  /** What is centred from here on, and before {@link ownsTo}, is taken from this chunk. */
  readonly ownsFrom: number
  readonly ownsTo: number
}

/**
 * Cuts words into chunks of at most `most`, each beginning `overlap` words before the end of the one before. What lies
 * in two chunks belongs to the one in whose middle it is nearer, so that nothing is cut at a boundary that is at most
 * half as long as the overlap.
 */
export function chunksOf(words: number, most: number, overlap: number): Chunk[] {
  const step = Math.max(1, most - Math.min(overlap, most - 1))
  const chunks: Chunk[] = []
  for (let from = 0; ; from += step) {
    const isLast = from + most >= words
    const shared = (most - step) / 2
    chunks.push({
      from,
      to: Math.min(words, from + most),
      ownsFrom: from === 0 ? -Infinity : from + shared,
      ownsTo: isLast ? Infinity : from + most - shared,
    })
    if (isLast) return chunks
  }
}

/** Whether a span of words, the last included, belongs to a chunk. */
export function owns({ ownsFrom, ownsTo }: Chunk, first: number, last: number): boolean {
  const centre = (first + last + 1) / 2
  return ownsFrom <= centre && centre < ownsTo
}
