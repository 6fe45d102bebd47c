import { assert } from '../../src/storage/contract/assert.js'
import { noise, put, puts } from '../../src/storage/contract/episodes.js'
import type { PlaceCase } from './case.js'

/** What a compaction owes to whoever removed something: its bytes are gone from every file. */
export const erasureCases: PlaceCase[] = [
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
      await store.parts.maintenance!.compact()
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
