import { expect, test } from 'vitest'
import { runs } from '../../runs.js'
import { Findings } from '../../../src/api/findings.js'
import { applyTo, modelOf, put, puts } from '../../../src/storage/contract/episodes.js'
import { keepImage, lookAtCrashes, markOf, newLooked, openModel } from '../../unit/storage/crash-states.js'
import { ModelFiles } from '../../unit/storage/model-fs.js'

test('after a crash at any unflushed write the store holds exactly the acknowledged commits', async () => {
  const looked = newLooked()
  for (let seed = 1; seed <= runs(4); seed++) await lookAtCrashes(seed, looked)
  expect(looked.states).toBeGreaterThan(1000)
  expect(looked.images).toBeGreaterThan(20)
  expect(looked.again).toBeGreaterThan(20)
  expect(looked.lacking).toBe(0)
}, 300_000)

test('relaxed durability loses only the last unflushed commits, and only if the machine crashes', async () => {
  const looked = newLooked()
  for (let seed = 1; seed <= runs(4); seed++) await lookAtCrashes(seed, looked, 'relaxed')
  expect(looked.states).toBeGreaterThan(1000)
  expect(looked.kills).toBeGreaterThan(100)
  // Or it would be strict.
  expect(looked.lacking).toBeGreaterThan(100)
  expect(looked.mostLacked).toBeGreaterThan(2)
}, 300_000)

test('an image of a journal whose last slots were removed before it was compacted fits that journal', async () => {
  const files = new ModelFiles()
  let { storage } = await openModel(files)
  const model = modelOf(puts(0, 1700, 8))
  await storage.commit(puts(0, 1700, 8))
  const last = Array.from({ length: 300 }, (_, i) => ({ op: 'remove' as const, slot: 1400 + i, id: `ep_${1400 + i}` }))
  await storage.commit(last)
  applyTo(model, last)
  await storage.parts.maintenance!.compact()
  await keepImage(storage, model, 1)
  for (let round = 0; round < 2; round++) {
    await storage.close()
    ;({ storage } = await openModel(files))
    const changes = [put(1700 + round, 8)]
    await storage.commit(changes)
    applyTo(model, changes)
    await keepImage(storage, model, 2 + round)
    // What came after an image does not make it wrong.
    const later = [{ op: 'remove' as const, slot: 5 + round, id: `ep_${5 + round}` }]
    await storage.commit(later)
    applyTo(model, later)
    const findings = new Findings()
    await storage.parts.maintenance!.verify({ findings, digest: markOf, visit: () => {} })
    expect(findings.problems).toEqual([])
  }
  await storage.close()
})
