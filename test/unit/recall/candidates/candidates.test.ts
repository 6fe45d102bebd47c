import { expect, test } from 'vitest'
import type { Observation } from '../../../../src/api/episode.js'
import { openMemory } from '../../engine/open.js'

/** Episodes whose texts say nothing of their statement. */
const notes = (count: number, subject: string, predicate: string, object: string): Observation[] =>
  Array.from({ length: count }, (_, i) => ({ text: `note ${i}`, triples: [{ subject, predicate, object }] }))

test('A pattern finds the oldest of 1,501 statements although each of its names is in 500 newer ones.', async () => {
  const db = await openMemory()
  const pattern = { subject: 'Ann', predicate: 'fires', object: 'Bob' }
  await db.observeMany([
    { id: 'wanted', text: 'a note', triples: [pattern] },
    ...notes(500, 'Ann', 'fires', 'Cleo'),
    ...notes(500, 'Ann', 'hires', 'Bob'),
    ...notes(500, 'Dan', 'fires', 'Bob'),
  ])
  const { matches } = await db.recall('…', { structured: pattern, k: 1 })
  expect(matches).toMatchObject([{ id: 'wanted', tier: 'exact' }])
  await db.close()
})
