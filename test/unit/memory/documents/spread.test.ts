import { expect, test } from 'vitest'
import type { EntryPlace } from '../../../../src/api/entry-facet.js'
import { spread } from '../../../../src/memory/documents/spread.js'

function at(
  source: string,
  path: readonly string[],
  start: number,
  heading?: string,
): { readonly places: readonly EntryPlace[] } {
  const place: EntryPlace = {
    source,
    path,
    level: 7,
    start,
    end: start + 100,
    ...(heading !== undefined && { heading }),
  }
  return { places: [place] }
}
const starts = (results: readonly { readonly places: readonly EntryPlace[] }[]) =>
  results.map(({ places }) => places[0]?.start)

test('Of a section, its heading with it, the best is kept; of a long one more, far from each other.', () => {
  const found = [
    at('a.md', ['Guide', 'Care'], 200),
    at('a.md', ['Guide'], 100, 'Care'),
    at('a.md', ['Guide', 'Care'], 300),
    at('a.md', ['Guide', 'Repair'], 400),
    at('b.md', ['Guide', 'Care'], 500),
    at('a.md', ['Guide', 'Care'], 4_199),
    at('a.md', ['Guide', 'Care'], 4_200),
  ]
  expect(starts(spread(found, 1))).toEqual([200, 400, 500, 4_200])
  expect(starts(spread(found, 2))).toEqual([200, 100, 400, 500, 4_199, 4_200])
  expect(spread(found, Infinity)).toEqual(found)
})

test('Entries without a place stand for themselves.', () => {
  const own = { places: [] }
  expect(spread([own, own], 1)).toHaveLength(2)
})
