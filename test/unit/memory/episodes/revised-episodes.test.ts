import { beforeEach, describe, expect, it } from 'vitest'
import type { Episode } from '../../../../src/api/episode.js'
import type { EncodedSignatures, Signatures } from '../../../../src/api/storage.js'
import { RevisedEpisodes } from '../../../../src/memory/episodes/revised-episodes.js'

const episode = (id: string, text: string) =>
  ({ id, text, triples: [], tags: [], metadata: {}, provenance: { writer: 'w' } }) as unknown as Episode
const signed = (byte: number): EncodedSignatures => ({ signatures: { text: Uint8Array.of(byte) }, encoder: 1 })

describe('episodes that become others in their slots', () => {
  const [old, next] = [episode('a', 'old'), episode('a', 'next')]
  const [kept, tagged] = [episode('b', 'same'), { ...episode('b', 'same'), tags: ['x'] }]
  /** What the indexes hold, by slot. */
  let held: Map<number, { readonly episode: Episode; readonly signatures: Signatures | undefined }>
  let pending: Map<number, Episode>
  let isFull: boolean
  let revised: RevisedEpisodes

  beforeEach(() => {
    held = new Map()
    pending = new Map()
    isFull = false
    const indexes = {
      replacing: (_: number, before: Episode, after: Episode) => (before.text === after.text ? undefined : signed(2)),
      replaced: () => signed(1).signatures,
      revise: (slot: number, episode: Episode, signatures: Signatures | undefined) => {
        if (isFull) throw new Error('the kernel is full')
        held.set(slot, { episode, signatures })
      },
    }
    revised = new RevisedEpisodes(indexes, pending)
  })

  it('are in the indexes and pending, and are written with the signatures that differ', () => {
    revised.add({ slot: 3, before: old, after: next, stored: signed(1) })
    revised.add({ slot: 5, before: kept, after: tagged, stored: signed(7) })
    expect(held.get(3)).toEqual({ episode: next, signatures: signed(2).signatures })
    expect(held.get(5)).toEqual({ episode: tagged, signatures: undefined })
    expect(pending).toEqual(revised.episodes)
    expect(revised.records.map(({ op, slot }) => [op, slot])).toEqual([
      ['update', 3],
      ['setSignatures', 3],
      ['update', 5],
    ])
    expect(revised.signed.map(({ slot }) => slot)).toEqual([3])
    revised.settle()
    expect(pending.size).toBe(0)
  })

  it('have changed where they get other signatures, or where it is said', () => {
    revised.add({ slot: 3, before: old, after: next, stored: signed(1) })
    revised.add({ slot: 5, before: kept, after: tagged, stored: signed(7) })
    revised.add({ slot: 6, before: kept, after: tagged, stored: signed(7), isRestated: true })
    revised.add({ slot: 7, before: old, after: next, stored: signed(1), isRestated: false })
    expect(revised.changed.map(({ slot, live }) => [slot, live])).toEqual([
      [3, false],
      [3, true],
      [6, false],
      [6, true],
    ])
  })

  it('are as they were, and pending as they were, once they are taken back', () => {
    pending.set(5, kept)
    revised.add({ slot: 3, before: old, after: next, stored: signed(1) })
    revised.add({ slot: 5, before: kept, after: tagged, stored: signed(7) })
    revised.undo()
    expect(held.get(3)).toEqual({ episode: old, signatures: signed(1).signatures })
    expect(held.get(5)).toEqual({ episode: kept, signatures: undefined })
    expect([...pending]).toEqual([[5, kept]])
  })

  it('leave nothing pending where the indexes could not take one over', () => {
    revised.add({ slot: 3, before: old, after: next, stored: signed(1) })
    isFull = true
    expect(() => revised.add({ slot: 5, before: kept, after: tagged, stored: signed(7) })).toThrow('the kernel is full')
    isFull = false
    revised.undo()
    expect(pending.size).toBe(0)
    expect([...held.values()].map(({ episode }) => episode)).toEqual([old, kept])
  })
})
