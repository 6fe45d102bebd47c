import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Episode } from '../../../src/api/episode.js'
import { Column } from '../../../src/base/column.js'
import { Indexes } from '../../../src/indexes/indexes.js'
import { Timeline } from '../../../src/indexes/timeline.js'
import { kernel } from '../encoding/kernel.js'

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

test('An update of an episode takes no more steps in a long session than in a short one.', () => {
  const at = '2027-01-15T08:00:00.000Z'
  const episode = (slot: number): Episode => {
    const id = `e${slot}`
    const provenance = { writer: 'test', episodes: [id] }
    return { id, text: 'a turn', session: 's', at, recordedAt: at, triples: [], provenance }
  }
  const indexes = new Indexes(kernel)
  indexes.addMany(
    0,
    Array.from({ length: 500 }, (_, slot) => ({
      episode: episode(slot),
      signed: indexes.encode(episode(slot)),
      read: indexes.read(episode(slot)),
    })),
  )
  const reading = vi.spyOn(Column.prototype, 'get')
  const stepsOf = (slot: number): number => {
    reading.mockClear()
    indexes.update(slot, episode(slot))
    return reading.mock.calls.length
  }
  expect(stepsOf(0)).toBe(stepsOf(499))
  reading.mockRestore()
  indexes.free()
})
