import { expect, test } from 'vitest'
import { openMemory } from '../engine/open.js'

test('A belief that merely shares a word with the cue is not given beside the belief that answers it.', async () => {
  const db = await openMemory()
  for (const claim of [
    'The oxygen tank is empty',
    'The tank of the car holds fifty litres',
    'The fish tank leaks',
    'Dinner is at eight',
    'Oxygen is a gas',
    'Bob fills the tank on Mondays',
  ])
    await db.assertBelief({ claim })
  const { beliefs } = await db.recall('the oxygen tank is empty')
  expect(beliefs[0].claim).toBe('The oxygen tank is empty')
  expect(beliefs.map(({ claim }) => claim)).not.toContain('The fish tank leaks')
  for (const { relevance } of beliefs) expect(relevance).toBeGreaterThanOrEqual(0.05 * beliefs[0].relevance)
  await db.close()
})
