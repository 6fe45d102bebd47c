import { expect, test } from 'vitest'
import { ConsolidationSchedule } from '../../../src/maintenance/consolidation-schedule.js'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

test('What is written during a consolidation is consolidated after it, without another write.', async () => {
  let waiting = 1
  let consolidations = 0
  const schedule = new ConsolidationSchedule({
    isDue: () => waiting > 0,
    idleMs: 1,
    async consolidate() {
      const looked = waiting
      consolidations++
      await pause(1)
      if (consolidations === 1) {
        waiting++
        schedule.committed()
      }
      waiting -= looked
    },
  })
  schedule.committed()
  await expect.poll(() => [consolidations, waiting]).toEqual([2, 0])
  await pause(20)
  expect(consolidations).toBe(2)
  schedule.stop()
})
