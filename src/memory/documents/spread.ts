import type { Entry } from '../../api/entry.js'

/** Results of a section that start within so many characters of each other count together: about two screens. */
const AROUND = 4_000

/**
 * Keeps the first results of each section. In a long section the limit holds for results within {@link AROUND}
 * characters of each other. Entries without a place are all kept.
 *
 * @param perSection the most results of a section.
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
