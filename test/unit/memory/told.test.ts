import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LearningEvent } from '../../../src/api/learning.js'
import { inOrder } from '../../../src/memory/told.js'
import type { Logged } from '../../../src/records/event-log.js'

const logged = (slot: number, time: number, isDerived: boolean, read = () => {}): Logged => {
  const at = new Date(time * 1000).toISOString()
  const event = {
    id: `${slot}`,
    kind: isDerived ? 'beliefRevised' : 'goalSet',
    get at() {
      return read(), at
    },
  }
  return { slot, event: event as unknown as LearningEvent }
}

test('what was derived anew stands after the last event before it in the log that is no later', () => {
  const event = fc.tuple(fc.nat(12), fc.boolean())
  const law = fc.property(fc.array(event, { maxLength: 30 }), (events) => {
    const log = events.map(([time, isDerived], slot) => logged(slot, time, isDerived))
    const expected: Logged[] = []
    for (const [i, one] of log.entries()) {
      const last = events[i][1] ? expected.findLastIndex((other) => other.event.at <= one.event.at) : i - 1
      expected.splice(last + 1, 0, one)
    }
    expect(inOrder(log).map(({ slot }) => slot)).toEqual(expected.map(({ slot }) => slot))
  })
  fc.assert(law)
})

test('many events that were derived anew are put in order without a look at all others for each', () => {
  let looks = 0
  const log = Array.from({ length: 4000 }, (_, i) => logged(i, i % 2000, i >= 2000, () => looks++))
  expect(inOrder(log)).toHaveLength(4000)
  expect(looks).toBeLessThan(400_000) // one by one, 4,000,000 and more
})
