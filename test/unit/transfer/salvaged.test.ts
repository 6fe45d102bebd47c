import { expect, test } from 'vitest'
import { encodeEpisode } from '../../../src/records/kinds/episode.js'
import { receiptKind } from '../../../src/records/kinds/receipt.js'
import type { StoredEpisode } from '../../../src/api/storage.js'
import { exportSalvaged } from '../../../src/transfer/salvaged.js'
import { streamOf } from '../../../src/transfer/stream.js'
import { listed, NOW, openMemory } from '../engine/open.js'

const stored = (slot: number, id: string, row: Uint8Array): StoredEpisode => ({ slot, id, row, signatures: {} })

test('of rows that were read, those that an import would refuse are left out, and counted', async () => {
  const own = await openMemory()
  await own.observe('what agidb wrote', { id: 'own' })
  const row = encodeEpisode((await own.getEpisode('own'))!)
  await own.close()
  const like = (id: string) =>
    new TextEncoder().encode(new TextDecoder().decode(row).replaceAll('"own"', JSON.stringify(id)))
  const rows: StoredEpisode[] = [
    stored(2, 'a', like('a')),
    stored(3, 'torn', new TextEncoder().encode('{"id":"torn","te')),
    stored(5, 'b', like('b')),
    stored(6, 'ha_1', receiptKind.encode(new Map())),
    stored(7, 'a', like('a')),
    stored(8, 'of a kind that nobody knows', Uint8Array.of(200, 1, 2)),
    { ...stored(9, 'c', like('c')), signatures: { text: new Uint8Array(3) } },
  ]
  async function* twice(): AsyncGenerator<StoredEpisode[]> {
    yield rows.slice(0, 3)
    yield rows.slice(3)
  }
  const { bytes, ...found } = await exportSalvaged({ databaseId: '0'.repeat(32), exportedAt: NOW, rows: twice }, {})
  expect(found).toEqual({ slots: [2, 5], episodes: 2, records: 0, unsigned: 2, refused: 4 })
  const db = await openMemory()
  expect(await db.import(streamOf(bytes, () => {}))).toMatchObject({ episodes: 2, encoded: 2 })
  expect((await listed(db)).map(({ id }) => id)).toEqual(['a', 'b'])
  expect((await db.recall('what did agidb write?')).matches[0].text).toBe('what agidb wrote')
  await db.close()
})
