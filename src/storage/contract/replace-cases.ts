import type { StorageCase } from './case.js'
import { noise, openInto, put, puts } from './episodes.js'
import { assert, assertEqual, assertRefused } from './assert.js'

/** What a store owes to exports and imports. */
export const replaceCases: StorageCase[] = [
  {
    name: 'live slots are listed, and read with what is kept of them',
    async run({ storage, durable }) {
      const store = storage()
      await store.open(() => undefined)
      await store.commit([...puts(0, 4), put(9)])
      await store.commit([
        { op: 'update', slot: 1, id: 'ep_1', row: noise(77, 300) },
        { op: 'remove', slot: 2, id: 'ep_2' },
      ])
      assertEqual(await store.slots(), [0, 1, 3, 9], 'slots')
      const read = await store.read([9, 2, 1])
      assertEqual(
        read.map(({ slot, id, row }) => ({ slot, id, row })),
        [
          { slot: 9, id: 'ep_9', row: put(9).row },
          { slot: 1, id: 'ep_1', row: noise(77, 300) },
        ],
        'rows',
      )
      if (durable) assertEqual(read[0].signatures, put(9).signatures, 'signatures')
      await store.close()
    },
  },
  {
    name: 'others take the place of all that is there, and last',
    async run({ storage, durable }) {
      const store = storage()
      const { databaseId } = await openInto(store)
      await store.commit(puts(0, 50))
      await store.replace(async (add) => {
        await add([put(0), put(1)].map(({ op: _, ...episode }) => ({ ...episode, id: `new_${episode.slot}` })))
        await add([{ ...put(2), id: 'new_2' }])
      })
      assertEqual(await store.slots(), [0, 1, 2], 'slots')
      await store.commit([{ op: 'update', slot: 1, id: 'new_1', row: noise(5, 40) }, put(3)])
      assertEqual(
        (await store.read([0, 1, 2, 3])).map(({ id }) => id),
        ['new_0', 'new_1', 'new_2', 'ep_3'],
        'ids',
      )
      await store.flush()
      await store.close()
      if (!durable) return
      const again = storage()
      const { databaseId: same, nextSlot, kept } = await openInto(again)
      assertEqual(same, databaseId, 'database id')
      assertEqual(nextSlot, 4, 'next slot')
      assertEqual(
        [...kept.values()].map(({ id }) => id),
        ['new_0', 'new_1', 'new_2', 'ep_3'],
        'ids',
      )
      assertEqual(kept.get(1)?.row, noise(5, 40), 'row')
      await again.close()
    },
  },
  {
    name: 'what fails while it is being replaced changes nothing',
    async run({ storage, durable }) {
      const store = storage()
      await store.open(() => undefined)
      await store.commit(puts(0, 5))
      const failure = await store
        .replace(async (add) => {
          await add([{ ...put(0), id: 'new_0' }])
          throw new RangeError('no more')
        })
        .then(
          () => undefined,
          (error: unknown) => error,
        )
      assert(failure instanceof RangeError, `it rejected with ${String(failure)}`)
      assertEqual(await store.rows([0, 4]), [put(0).row, put(4).row], 'rows')
      await store.commit([put(5)])
      await store.close()
      await assertRefused('AGIDB_CLOSED', () => store.slots())
      if (!durable) return
      const again = storage()
      const { kept } = await openInto(again)
      assertEqual([...kept.keys()], [0, 1, 2, 3, 4, 5], 'slots')
      await again.close()
    },
  },
]
