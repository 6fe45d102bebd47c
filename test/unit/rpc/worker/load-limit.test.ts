import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LoadLimit } from '../../../../src/rpc/worker/load-limit.js'

test('lets calls through in their order, within the bound or alone', async () => {
  const step = fc.oneof(fc.record({ enter: fc.nat(12) }), fc.constant('leave' as const))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const limit = new LoadLimit(10)
      const inside: { order: number; load: number }[] = []
      let [entered, passed, left] = [0, 0, 0]
      const leave = () => {
        const first = inside.shift()
        if (first === undefined) return
        left++
        limit.release(first.load)
      }
      for (const step of steps) {
        if (step === 'leave') leave()
        else {
          const order = entered++
          const pass = () => {
            expect(order).toBe(passed++)
            inside.push({ order, load: step.enter })
          }
          const waits = limit.acquire(step.enter)
          if (waits === undefined) pass()
          else void waits.then(pass)
        }
        await new Promise((resolve) => setImmediate(resolve))
        const load = inside.reduce((sum, { load }) => sum + load, 0)
        expect(load <= 10 || inside.filter(({ load }) => load > 0).length === 1).toBe(true)
        if (inside.length === 0) expect(passed).toBe(entered) // nobody waits before an empty room
      }
      while (left < entered) {
        leave()
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(passed).toBe(entered)
    }),
  )
})
