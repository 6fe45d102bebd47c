import { expect, test } from 'vitest'
import { turn } from '../../../src/base/event-loop-turn.js'
import { giveWay, type Recalls } from '../../../src/maintenance/give-way.js'

/** Whether a promise was kept after some turns of the event loop. */
async function isOver(promise: Promise<void>): Promise<boolean> {
  let over = false
  void promise.then(() => (over = true))
  for (let i = 0; i < 5; i++) await turn()
  return over
}

test('work goes on where no recall is under way', async () => {
  expect(await isOver(giveWay({ begun: 3, isUnderWay: false }))).toBe(true)
})

test('work waits for the recall that is under way', async () => {
  const recalls = { begun: 1, isUnderWay: true }
  const way = giveWay(recalls)
  expect(await isOver(way)).toBe(false)
  recalls.isUnderWay = false
  expect(await isOver(way)).toBe(true)
})

test('work does not wait for the next recall, too', async () => {
  const recalls = { begun: 1, isUnderWay: true }
  const way = giveWay(recalls)
  expect(await isOver(way)).toBe(false)
  recalls.begun++
  expect(await isOver(way)).toBe(true)
})

test('work waits for a recall that takes long no longer than a moment', async () => {
  const recalls: Recalls = { begun: 1, isUnderWay: true }
  const way = giveWay(recalls)
  expect(await isOver(way)).toBe(false)
  await way
})
