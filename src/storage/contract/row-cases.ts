import type { StorageCase } from './case.js'
import { applyTo, listed, modelOf, noise, openInto, put, puts } from './episodes.js'
import { assert, assertEqual, assertRefused } from './assert.js'

/** Rows, opening, closing and durability: what every storage owes. */
export const rowCases: StorageCase[] = [
  {
    name: 'a new store is empty',
    async run({ storage }) {
      const store = storage()
      const { databaseId, nextSlot, kept } = await openInto(store)
      assert(/^[0-9a-f]{32}$/.test(databaseId), `the database id is ${databaseId}`)
      assertEqual(nextSlot, 0, 'next slot')
      assertEqual(kept.size, 0, 'episodes')
      await store.close()
    },
  },
  {
    name: 'rows come back in the order asked for, undefined where there is none',
    async run({ storage }) {
      const store = storage()
      await store.open(() => undefined)
      const changes = [...puts(0, 5), put(9)]
      await store.commit(changes)
      const rows = await store.rows([9, 3, 7, 0, 3, 1000])
      assertEqual(rows, [changes[5].row, changes[3].row, undefined, changes[0].row, changes[3].row, undefined], 'rows')
      assertEqual(await store.rows([]), [], 'no rows')
      assertEqual(
        (await store.rows([1000, 0])).map((row) => row === undefined),
        [true, false],
        'no holes in the array',
      )
      await store.close()
    },
  },
  {
    name: 'an update replaces the row, a remove takes it away',
    async run({ storage }) {
      const store = storage()
      await store.open(() => undefined)
      await store.commit(puts(0, 4))
      await store.commit([
        { op: 'update', slot: 1, id: 'ep_1', row: noise(77, 300) },
        { op: 'remove', slot: 2, id: 'ep_2' },
      ])
      assertEqual(await store.rows([0, 1, 2, 3]), [put(0).row, noise(77, 300), undefined, put(3).row], 'rows')
      await store.close()
    },
  },
  {
    name: 'a commit does not keep the arrays that it was given',
    async run({ storage }) {
      const store = storage()
      await store.open(() => undefined)
      const backing = noise(5, 100)
      const row = backing.subarray(30, 60)
      const expected = row.slice()
      await store.commit([{ op: 'put', slot: 0, id: 'a', row, signatures: {} }])
      backing.fill(0)
      assertEqual(await store.rows([0]), [expected], 'row')
      await store.close()
    },
  },
  {
    name: 'what is not open is refused, and closing twice is fine',
    async run({ storage }) {
      const store = storage()
      await assertRefused('AGIDB_CLOSED', () => store.commit(puts(0, 1)))
      await store.open(() => undefined)
      await store.close()
      await store.close()
      await assertRefused('AGIDB_CLOSED', () => store.commit(puts(0, 1)))
      await assertRefused('AGIDB_CLOSED', () => store.rows([0]))
      await assertRefused('AGIDB_CLOSED', () => store.stats())
      await assertRefused('AGIDB_CLOSED', () => store.flush())
    },
  },
  {
    name: 'stats say how durable it is and why',
    async run({ storage, durable }) {
      const store = storage()
      await store.open(() => undefined)
      const before = await store.stats()
      await store.commit(puts(0, 10, 1000))
      await store.flush()
      const after = await store.stats()
      assert(after.bytes >= before.bytes + 10_000, `bytes went from ${before.bytes} to ${after.bytes}`)
      assertEqual(after.durability === 'memory', !durable, 'in memory')
      assert(after.durabilityReason.length > 0 && after.name.length > 0, 'a name and a reason')
      await store.close()
    },
  },
  {
    name: 'everything is there when opened again, in ascending order of slot',
    needs: 'durable',
    async run({ storage }) {
      const first = storage()
      const { databaseId } = await openInto(first)
      const commits = [
        puts(0, 20),
        puts(20, 1, 0),
        [put(25), put(23)],
        [{ op: 'update' as const, slot: 3, id: 'ep_3', row: noise(1, 5000) }],
      ]
      for (const commit of commits) await first.commit(commit)
      await first.close()
      const second = storage()
      const opened = await openInto(second)
      assertEqual(opened.databaseId, databaseId, 'database id')
      assertEqual(opened.nextSlot, 26, 'next slot')
      assertEqual(listed(opened.kept), listed(modelOf(...commits)), 'episodes')
      assertEqual(await second.rows([3, 24, 25]), [noise(1, 5000), undefined, put(25).row], 'rows')
      await second.commit([put(26)])
      await second.close()
      const third = storage()
      assertEqual((await openInto(third)).kept.size, 24, 'episodes')
      assertEqual((await third.stats()).opening, [], 'what opening reports')
      await third.close()
    },
  },
  {
    name: 'a removed slot is never the next one again',
    needs: 'durable',
    async run({ storage }) {
      const first = storage()
      await first.open(() => undefined)
      await first.commit(puts(0, 3))
      await first.commit([{ op: 'remove', slot: 2, id: 'ep_2' }])
      await first.close()
      const second = storage()
      const opened = await openInto(second)
      assertEqual(opened.nextSlot, 3, 'next slot')
      assertEqual([...opened.kept.keys()], [0, 1], 'slots')
      await second.close()
    },
  },
  {
    name: 'several changes of one slot in one commit take effect in order',
    needs: 'durable',
    async run({ storage }) {
      const first = storage()
      await first.open(() => undefined)
      await first.commit([
        put(0),
        { op: 'update', slot: 0, id: 'ep_0', row: noise(50, 10) },
        { op: 'update', slot: 0, id: 'ep_0', row: noise(51, 12) },
        put(1),
        { op: 'remove', slot: 1, id: 'ep_1' },
      ])
      assertEqual(await first.rows([0, 1]), [noise(51, 12), undefined], 'rows')
      await first.close()
      const second = storage()
      const { kept, nextSlot } = await openInto(second)
      assertEqual([kept.size, nextSlot], [1, 2], 'episodes and next slot')
      assertEqual(kept.get(0)?.row, noise(51, 12), 'row')
      assertEqual(kept.get(0)?.text, put(0).signatures.text, 'signature')
      await second.close()
    },
  },
  {
    name: 'the version of the encoder comes back with its signatures',
    needs: 'durable',
    async run({ storage }) {
      const first = storage()
      await first.open(() => undefined)
      await first.commit([{ ...put(0), encoder: 255 }, { ...put(1), encoder: 7 }, put(2)])
      await first.commit([{ op: 'update', slot: 1, id: 'ep_1', row: noise(1, 10) }])
      await first.close()
      const second = storage()
      const encoders: unknown[] = []
      await second.open(({ encoder }) => encoders.push(encoder))
      assertEqual(encoders, [255, 7, 0], 'encoders')
      await second.close()
    },
  },
  {
    name: 'any id, an empty row and a long one survive',
    needs: 'durable',
    async run({ storage }) {
      const ids = ['a', 'ε日本語🙂', ' ', '__proto__', '\u0000', 'x'.repeat(256), '😀'.repeat(256)]
      const commit = ids.map((id, slot) => ({ op: 'put' as const, slot, id, row: new Uint8Array(0), signatures: {} }))
      const long = { op: 'put' as const, slot: 99, id: 'long', row: noise(3, 3_000_000), signatures: {} }
      const first = storage()
      await first.open(() => undefined)
      await first.commit(commit)
      await first.commit([long])
      await first.close()
      const second = storage()
      const { kept } = await openInto(second)
      assertEqual(
        ids.map((_, slot) => kept.get(slot)?.id),
        ids,
        'ids',
      )
      assert(
        kept.get(99)!.row.every((byte, index) => byte === long.row[index]),
        'the long row differs',
      )
      await second.close()
    },
  },
  {
    name: 'a large batch is one commit',
    needs: 'durable',
    async run({ storage }) {
      const first = storage()
      await first.open(() => undefined)
      await first.commit(Array.from({ length: 10_000 }, (_, slot) => put(slot, 60)))
      await first.close()
      const second = storage()
      let count = 0
      const { nextSlot } = await second.open(({ slot, id, row, signatures }) => {
        const expected = put(slot, 60)
        assertEqual([slot, id], [count++, expected.id], 'slot and id')
        assert(
          row.every((byte, index) => byte === expected.row[index]),
          `row of ${slot}`,
        )
        assert(
          signatures.text!.every((byte, index) => byte === expected.signatures.text![index]),
          `signature of ${slot}`,
        )
      })
      assertEqual([count, nextSlot], [10_000, 10_000], 'episodes and next slot')
      await second.close()
    },
  },
  {
    name: 'rows can be read while a commit is under way',
    async run({ storage }) {
      const store = storage()
      await store.open(() => undefined)
      await store.commit(puts(0, 50))
      const model = modelOf(puts(0, 50))
      for (let round = 1; round <= 5; round++) {
        const commit = puts(round * 50, 50)
        const [, rows] = await Promise.all([store.commit(commit), store.rows([...model.keys()])])
        assertEqual(
          rows,
          [...model.values()].map(({ row }) => row),
          'rows',
        )
        applyTo(model, commit)
      }
      await store.close()
    },
  },
  {
    name: 'a place that is open is in use; the first goes on working',
    needs: 'durable',
    async run({ storage }) {
      const first = storage()
      await first.open(() => undefined)
      await assertRefused('AGIDB_IN_USE', () => first.open(() => undefined))
      const second = storage()
      const error = await assertRefused('AGIDB_IN_USE', () => second.open(() => undefined))
      assert(error.message.includes('open'), error.message)
      await first.commit(puts(0, 2))
      await first.close()
      assertEqual((await openInto(second)).kept.size, 2, 'episodes')
      await second.close()
    },
  },
  {
    name: 'a visitor that throws fails the opening, and nothing is held',
    needs: 'durable',
    async run({ storage }) {
      const first = storage()
      await first.open(() => undefined)
      await first.commit(puts(0, 3))
      await first.close()
      const failing = storage()
      const thrown = await failing
        .open(() => {
          throw new Error('from the visitor')
        })
        .then(() => '', String)
      assertEqual(thrown, 'Error: from the visitor', 'error')
      assertEqual((await openInto(failing)).kept.size, 3, 'episodes')
      await failing.close()
    },
  },
]
