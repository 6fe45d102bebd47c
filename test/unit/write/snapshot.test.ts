import { expect, test } from 'vitest'
import type { StoredEpisode } from '../../../src/api/storage.js'
import { Snapshot } from '../../../src/write/snapshot.js'

const stored = (slot: number, seed = slot): StoredEpisode => ({
  slot,
  id: `e${slot}`,
  row: Uint8Array.of(seed),
  signatures: {},
})

test('A row that changes while the snapshot is read comes as it was.', async () => {
  const rows = new Map([0, 1, 2].map((slot) => [slot, stored(slot)]))
  const snapshot = new Snapshot({ read: async (slots) => slots.map((slot) => rows.get(slot)!) }, [0, 1, 2])
  expect(await snapshot.read(1)).toEqual([stored(0)])
  await snapshot.changing([{ op: 'update', slot: 2, id: 'e2', row: Uint8Array.of(9) }])
  rows.set(2, stored(2, 9))
  expect(await snapshot.read(5)).toEqual([stored(1), stored(2)])
})

test('Where a row that changes cannot be read the snapshot fails, and not the change.', async () => {
  const snapshot = new Snapshot({ read: () => Promise.reject(new Error('it is gone')) }, [0, 1])
  await snapshot.changing([{ op: 'remove', slot: 1, id: 'e1' }])
  await expect(snapshot.read(1)).rejects.toThrow('it is gone')
})
