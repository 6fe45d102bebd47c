import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Waiting } from '../../../../../src/runtimes/browser/listening/waiting.js'
import { runs } from '../../../../runs.js'

/** A queue whose items are taken in when the test says so. */
function queue(most: number) {
  const taken: number[] = []
  let dropped = 0
  let finish = () => {}
  const take = (item: number) => {
    taken.push(item)
    return new Promise<void>((resolve) => (finish = resolve))
  }
  const waiting = new Waiting<number>(most, take, () => void dropped++)
  const finished = async () => {
    finish()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { waiting, taken, finished, dropped: () => dropped }
}

describe('frames that wait', () => {
  test('are taken in one after the other, in their order', async () => {
    const { waiting, taken, finished, dropped } = queue(4)
    for (const item of [1, 2, 3]) waiting.add(item)
    expect(taken).toEqual([1])
    await finished()
    expect(taken).toEqual([1, 2])
    await finished()
    await finished()
    waiting.add(4)
    expect([taken, dropped(), waiting.size]).toEqual([[1, 2, 3, 4], 0, 0])
  })

  test('are dropped from the oldest on where there are too many, and counted', async () => {
    const { waiting, taken, finished, dropped } = queue(2)
    for (const item of [1, 2, 3, 4, 5]) waiting.add(item)
    expect([waiting.size, dropped()]).toEqual([2, 2])
    await finished()
    await finished()
    expect(taken).toEqual([1, 4, 5])
  })

  test('are all dropped when nothing is taken in any more, but the one that is being taken in', async () => {
    const { waiting, taken, finished, dropped } = queue(3)
    for (const item of [1, 2, 3]) waiting.add(item)
    waiting.clear()
    const idle = waiting.idle()
    await finished()
    await idle
    expect([taken, waiting.size, dropped()]).toEqual([[1], 0, 2])
  })

  test('are never more than may wait, and each is taken in or dropped, whatever comes when', async () => {
    const events = fc.array(fc.constantFrom('add', 'finish'), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), events, async (most, all) => {
        const { waiting, taken, finished, dropped } = queue(most)
        let added = 0
        for (const event of all) {
          if (event === 'add') waiting.add(added++)
          else await finished()
          expect(waiting.size).toBeLessThanOrEqual(most)
          expect(taken.length + dropped() + waiting.size).toBe(added)
          expect(taken).toEqual([...taken].sort((a, b) => a - b))
        }
      }),
      { numRuns: runs() },
    )
  })
})
