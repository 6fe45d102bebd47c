import type { EntryPlace } from '../../api/entry-facet.js'
import { AROUND, sectionName } from './section.js'

/**
 * Keeps the first results of each section. In a long section the limit holds for results within {@link AROUND}
 * characters of each other. Entries without a place are all kept.
 *
 * @param perSection the most results of a section.
 */
export function spread<T extends { readonly places: readonly EntryPlace[] }>(
  results: readonly T[],
  perSection: number,
): T[] {
  const found = new Map<string, number[]>()
  return results.filter(({ places }) => {
    if (places.length === 0) return true
    const [place] = places
    const section = sectionName(place)
    const starts = found.get(section) ?? []
    if (starts.filter((other) => Math.abs(other - place.start) < AROUND).length >= perSection) return false
    found.set(section, [...starts, place.start])
    return true
  })
}
