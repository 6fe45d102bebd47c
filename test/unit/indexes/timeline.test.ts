import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Timeline } from '../../../src/indexes/timeline.js'

test('whatever comes, goes and comes back, neighbours are those of the session in order of slot', () => {
  const session = fc.constantFrom('a', 'b', undefined)
  fc.assert(
    fc.property(
      fc.array(session, { minLength: 1, maxLength: 20 }),
      fc.array(fc.nat(19), { maxLength: 80 }),
      (sessions, toggles) => {
        const timeline = new Timeline()
        const live = new Set<number>()
        for (const toggle of toggles) {
          const slot = toggle % sessions.length
          if (live.delete(slot)) timeline.remove(slot, sessions[slot])
          else {
            live.add(slot)
            timeline.add(slot, sessions[slot])
          }
          for (const own of ['a', 'b']) {
            expect([...timeline.of(own)]).toEqual(
              [...live].filter((slot) => sessions[slot] === own).sort((a, b) => b - a),
            )
          }
          for (let at = 0; at < sessions.length; at++) {
            const peers = [...live].filter((other) => sessions[other] === sessions[at]).sort((a, b) => a - b)
            const place = sessions[at] === undefined ? -1 : peers.indexOf(at)
            expect(timeline.previous(at)).toBe(place > 0 ? peers[place - 1] : -1)
            expect(timeline.next(at)).toBe(place >= 0 && place + 1 < peers.length ? peers[place + 1] : -1)
          }
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('slots far apart', () => {
  const timeline = new Timeline()
  timeline.add(5, 's')
  timeline.add(100_000, 's')
  expect([timeline.next(5), timeline.previous(100_000), timeline.next(100_000), timeline.previous(200_000)]).toEqual([
    100_000, 5, -1, -1,
  ])
})
