import { unwrap, type IDBPDatabase } from 'idb'
import { chunksOf } from './chunks.js'
import type { Signatures, StoredEpisode } from '../../api/storage.js'

/** Episodes that are converted in one transaction. */
const ROWS_PER_BATCH = 512

interface OldRow {
  readonly slot: number
  readonly id: string
  readonly row: Uint8Array
}
type OldSigned = { readonly slot: number; readonly encoder?: number } & Signatures

/**
 * Turns the rows and signatures of versions 1 and 2, a record for each, into chunks, a batch a transaction: each
 * episode is in one place or the other, so that it goes on where it was when it is cut short. The stores stay, empty.
 */
export async function convertTables<T>(database: IDBPDatabase<T>): Promise<void> {
  const db = unwrap(database)
  if (!db.objectStoreNames.contains('rows')) return
  while (await convertSome(db));
}

/** False when nothing was left. */
function convertSome(db: IDBDatabase): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const tx = db.transaction(['rows', 'signatures', 'chunks'], 'readwrite', { durability: 'strict' })
    const [rows, signatures, chunks] = ['rows', 'signatures', 'chunks'].map((name) => tx.objectStore(name))
    let found = 0
    tx.oncomplete = () => resolve(found > 0)
    tx.onabort = () => reject(tx.error)
    rows.getAll(null, ROWS_PER_BATCH).onsuccess = ({ target }) => {
      const batch = (target as IDBRequest<OldRow[]>).result
      found = batch.length
      if (found === 0) return
      const range = IDBKeyRange.upperBound(batch[found - 1].slot)
      signatures.getAll(range).onsuccess = ({ target }) => {
        const signed = new Map((target as IDBRequest<OldSigned[]>).result.map((one) => [one.slot, one]))
        for (const chunk of chunksOf(batch.map((row) => episodeOf(row, signed.get(row.slot))))) chunks.put(chunk)
        rows.delete(range)
        signatures.delete(range)
      }
    }
  })
}

/** One that lacks its signatures keeps its row: they can be made again. */
function episodeOf({ slot, id, row }: OldRow, signed: OldSigned | undefined): StoredEpisode {
  const { slot: _, encoder, ...signatures } = signed ?? { slot }
  return { slot, id, row, signatures, encoder }
}
