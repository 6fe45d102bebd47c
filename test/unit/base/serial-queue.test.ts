import { expect, test } from 'vitest'
import { SerialQueue } from '../../../src/base/serial-queue.js'

test('work runs one after the other, in the order in which it came, though some of it fails', async () => {
  const queue = new SerialQueue()
  const log: string[] = []
  const work = (name: string, ms: number, fails = false) =>
    queue.run(async () => {
      log.push(`${name} begins`)
      await new Promise((resolve) => setTimeout(resolve, ms))
      log.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })

  const answers = await Promise.allSettled([work('a', 20), work('b', 5, true), work('c', 0), queue.run(() => 'd')])

  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(answers).toMatchObject([
    { status: 'fulfilled', value: 'a' },
    { status: 'rejected', reason: { message: 'b' } },
    { status: 'fulfilled', value: 'c' },
    { status: 'fulfilled', value: 'd' },
  ])
})

test('work that throws at once is refused as work that fails later', async () => {
  const queue = new SerialQueue()
  await expect(
    queue.run(() => {
      throw new Error('at once')
    }),
  ).rejects.toThrow('at once')
  expect(await queue.run(() => 1)).toBe(1)
})
