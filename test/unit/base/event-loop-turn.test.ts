import { afterEach, expect, test, vi } from 'vitest'
import { turn } from '../../../src/base/event-loop-turn.js'

afterEach(() => vi.unstubAllGlobals())

/** What happened, in order, when a turn was awaited beside a timer that was set before it. */
async function order(): Promise<string[]> {
  const happened: string[] = []
  const timer = new Promise<void>((resolve) => setTimeout(() => (happened.push('timer'), resolve()), 0))
  await turn().then(() => happened.push('turn'))
  await timer
  return happened
}

test('a turn ends where a message channel can be made', async () => {
  expect(await order()).toContain('turn')
})

test('a turn ends, after what waited before it, where there is no message channel', async () => {
  vi.stubGlobal('MessageChannel', undefined)
  expect(await order()).toEqual(['timer', 'turn'])
})

test('a turn ends after earlier timers where the constructor of MessageChannel throws (Next.js edge)', async () => {
  vi.stubGlobal(
    'MessageChannel',
    class {
      constructor() {
        throw new Error('A Node.js API is used (MessageChannel) which is not supported in the Edge Runtime.')
      }
    },
  )
  expect(await order()).toEqual(['timer', 'turn'])
})
