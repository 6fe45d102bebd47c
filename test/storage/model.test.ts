import { expect, test } from 'vitest'
import { runs } from '../runs.js'
import { lookAtCrashes, type Looked } from './crash-states.js'

test('whatever a crash leaves of the writes that were not flushed, all that was acknowledged is found, nothing else, and it goes on', async () => {
  const looked: Looked = { states: 0, again: 0, images: 0, operations: 0, workloads: 0 }
  for (let seed = 1; seed <= runs(4); seed++) await lookAtCrashes(seed, looked)
  expect(looked.states).toBeGreaterThan(1000)
  expect(looked.images).toBeGreaterThan(20)
  expect(looked.again).toBeGreaterThan(20)
}, 300_000)
