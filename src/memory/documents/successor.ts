import type { EntryPlace } from '../../api/entry-facet.js'
import { tokens } from '../../encoding/tokens.js'
import type { Piece } from './pieces.js'

/**
 * The part of a document that replaces an entry which is no longer in it: of the new parts under the same headings the
 * one with most words in common; else the section with most headings in common; else the first part.
 *
 * @param pieces all of the document, in order
 * @param added those of them that came
 */
export function nearestPiece(
  pieces: readonly Piece[],
  added: readonly Piece[],
  { path, heading }: EntryPlace,
  text: string,
): Piece | undefined {
  const headings = key([...path, heading])
  const beside = added.filter(({ places: [place] }) => key([...place.path, place.heading]) === headings)
  const words = new Set(tokens(text))
  const best = highest(beside, ({ content }) => overlap(words, content))
  if (best !== undefined) return best
  const whole = [...path, ...(heading === undefined ? [] : [heading])]
  return highest(pieces, ({ places: [place] }) => {
    const own = [...place.path, ...(place.heading === undefined ? [] : [place.heading])]
    const common = own.findIndex((one, i) => one !== whole[i])
    // Of sections with as many headings in common the one with fewest others.
    return (common < 0 ? own.length : common) - own.length / 1_000
  })
}

/** Shared words as a share of all: Jaccard's index. */
function overlap(words: ReadonlySet<string>, text: string): number {
  const others = new Set(tokens(text))
  let shared = 0
  for (const word of others) if (words.has(word)) shared++
  return shared / Math.max(1, words.size + others.size - shared)
}

/** The first of those with the highest value. */
function highest<T>(all: readonly T[], valueOf: (one: T) => number): T | undefined {
  let best: T | undefined
  let most = -Infinity
  for (const one of all) {
    const value = valueOf(one)
    if (value > most) [best, most] = [one, value]
  }
  return best
}

function key(headings: readonly (string | undefined)[]): string {
  return JSON.stringify(headings.filter((heading) => heading !== undefined))
}
