import type { Entry } from '../../api/entry.js'

/** Characters before and after a result that it stands for: about two screens. */
const AROUND = 4_000

/**
 * Of results in order, so many of each section at most: a result stands for its section, in a long one for what is
 * around it. Entries without a place stand for themselves alone.
 *
 * @param perSection how many.
 */
export function spread<T extends { readonly entry: Entry }>(results: readonly T[], perSection: number): T[] {
  const found = new Map<string, number[]>()
  return results.filter(({ entry: { places } }) => {
    if (places.length === 0) return true
    const [{ source, path, heading, start }] = places
    const section = JSON.stringify([source, ...path, ...(heading === undefined ? [] : [heading])])
    const starts = found.get(section) ?? []
    if (starts.filter((other) => Math.abs(other - start) < AROUND).length >= perSection) return false
    found.set(section, [...starts, start])
    return true
  })
}
