import type { Change } from '../../src/storage/port.js'
import type { StorageCase } from './case.js'
import { listed, modelOf, noise, openInto, put, puts, sign } from './episodes.js'
import { assert, assertEqual, assertRefused } from './expect.js'

const edits: Change[] = [
  { op: 'update', slot: 1, id: 'ep_1', row: noise(100, 60) },
  { op: 'remove', slot: 2, id: 'ep_2' },
  sign(3, { latent: noise(101, 1032) }),
  sign(3, { latent: noise(102, 1032), text: noise(103, 1024) }, 4),
  { op: 'remove', slot: 599, id: 'ep_599' },
]

/** Of places that leave behind what was removed, and can be made to let go of it. */
export const compactionCases: StorageCase[] = [
  {
    name: 'a compaction leaves what is live, is smaller, and goes on',
    needs: 'journal',
    async run({ storage }) {
      const commits = [puts(0, 600), edits, puts(600, 1)]
      const store = storage()
      const { databaseId } = await openInto(store)
      for (const commit of commits) await store.commit(commit)
      const all = Array.from({ length: 601 }, (_, slot) => slot)
      const rows = await store.rows(all)
      for (let round = 0; round < 3; round++) {
        const before = (await store.stats()).bytes
        await store.compact!()
        const { bytes } = await store.stats()
        assert(round > 0 || bytes < before - 4000, `bytes went from ${before} to ${bytes}`)
        assert(store.garbage!()!.bytes < 1000, `garbage is ${store.garbage!()!.bytes}`)
        assertEqual(await store.rows(all), rows, 'rows')
      }
      await store.commit([put(601)])
      await store.close()
      for (let round = 0; round < 2; round++) {
        const again = storage()
        const opened = await openInto(again)
        assertEqual(listed(opened.kept), listed(modelOf(...commits, [put(601)])), 'episodes when opened again')
        assertEqual([opened.databaseId, opened.nextSlot], [databaseId, 602], 'database id and next slot')
        assertEqual((await again.stats()).opening, [], 'what opening reports')
        await again.close()
      }
    },
  },
  {
    name: 'commits and reads go on during a compaction',
    needs: 'journal',
    async run({ storage }) {
      const store = storage()
      await store.open(() => undefined)
      const commits: Change[][] = [puts(0, 1500)]
      await store.commit(commits[0])
      let done = false
      const compacting = store.compact!().finally(() => (done = true))
      for (let slot = 1500; !done; slot++) {
        const live = [...modelOf(...commits).keys()]
        const old = live[(slot * 389) % live.length]
        // Elsewhere a commit is a task; in OPFS it is not, and whatever is to go on needs a turn.
        await new Promise((resolve) => setTimeout(resolve, 0))
        const commit: Change[] = [
          put(slot),
          slot % 2 === 0 ? { op: 'remove', slot: old, id: `ep_${old}` } : sign(old, { latent: noise(slot, 50) }),
        ]
        await store.commit(commit)
        commits.push(commit)
        assertEqual((await store.rows([slot, live[0]]))[0], put(slot).row, 'a row that was just written')
      }
      await compacting
      const model = modelOf(...commits)
      assertEqual(
        await store.rows([...model.keys()]),
        [...model.values()].map(({ row }) => row),
        'rows',
      )
      await store.close()
      const again = storage()
      assertEqual(listed((await openInto(again)).kept), listed(model), 'episodes when opened again')
      await again.close()
    },
  },
  {
    name: 'a compaction that the closing interrupts leaves everything',
    needs: 'journal',
    async run({ storage }) {
      const store = storage()
      await store.open(() => undefined)
      await store.commit(puts(0, 600))
      const compacting = assertRefused('AGIDB_CLOSED', () => store.compact!())
      await store.close()
      await compacting
      const again = storage()
      assertEqual(listed((await openInto(again)).kept), listed(modelOf(puts(0, 600))), 'episodes when opened again')
      assertEqual((await again.stats()).opening, [], 'what opening reports')
      await again.close()
    },
  },
  {
    name: 'what was removed is in no file after a compaction',
    needs: 'journal',
    async run({ storage, files }) {
      const store = storage()
      await store.open(() => undefined)
      await store.commit(puts(0, 20, 200))
      await store.commit([
        { op: 'remove', slot: 1, id: 'ep_1' },
        { op: 'update', slot: 8, id: 'ep_8', row: noise(80, 200) },
      ])
      await store.compact!()
      await store.close()
      for (const [name, bytes] of await files!()) {
        for (const gone of [put(1, 200).row, put(8, 200).row, put(1).signatures.text!]) {
          assert(!includes(bytes, gone), `${name} has what was removed`)
        }
      }
    },
  },
]

function includes(bytes: Uint8Array, wanted: Uint8Array): boolean {
  const [first, second] = wanted
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (bytes[at + 1] === second && wanted.every((byte, index) => bytes[at + index] === byte)) return true
  }
  return false
}
