import { expect, test } from 'vitest'
import { lookAtCrashes, newLooked } from '../../../unit/storage/crypto/crash-states.js'
import { runs } from '../../../runs.js'

test('after a crash anywhere nothing erased can be read, and every acknowledged commit is there', async () => {
  const looked = newLooked()
  for (let seed = 1; seed <= runs(2); seed++) await lookAtCrashes(seed, looked)
  expect(looked.states).toBeGreaterThan(1000)
  expect(looked.tried).toBeGreaterThan(1000)
  // The check finds what may still be read.
  expect(looked.readable).toBeGreaterThan(100)
}, 300_000)
