import type { Salvaged, SalvageOptions } from '../../api/salvage.js'
import type { KeyFile, StoredEpisode } from '../../api/storage.js'
import { readDamaged } from '../../storage/adapters/browser/salvage.js'
import type { Cipher } from '../../storage/crypto/cipher.js'
import { areKeysMissing } from '../../storage/crypto/failures.js'
import type { ReadRow } from '../../storage/crypto/row-reader.js'
import { isSealed } from '../../storage/crypto/sealed.js'
import type { Encrypting } from '../../storage/crypto/where-needed.js'
import { checkExport } from '../../transfer/options.js'
import { exportSalvaged } from '../../transfer/salvaged.js'
import { streamOf } from '../../transfer/stream.js'

/** Stretches that cannot be read, of which a report tells where they are. */
const MAX_STRETCHES = 100

/** What decrypts rows; it is large, so it is loaded where there are encrypted ones. */
export interface Decrypting {
  readonly cipher: () => Promise<Cipher>
  readonly encryption: () => Promise<Pick<Encrypting, 'rowReader'>>
}

/** Brings out what can be read of a damaged database as an export, with a report; see `Agidb.salvage`. */
export async function salvaged(
  { name, passphrase, encryption, repair = false }: SalvageOptions,
  parts: Decrypting,
): Promise<Salvaged> {
  checkExport({ passphrase })
  const { value, ...after } = await readDamaged(
    name,
    repair,
    async ({ databaseId, rows, keys, copied: fromCopy, orphans, unread }) => {
      const reading = new DecryptedRows(rows, await readRow(rows(), keys, encryption, parts))
      const { bytes, slots, refused, ...found } = await exportSalvaged(
        { databaseId, exportedAt: Date.now(), rows: () => reading.rows() },
        { passphrase },
      )
      const memory = await new Response(streamOf(bytes, () => {})).blob()
      const report = {
        databaseId,
        fromCopy,
        ...found,
        setAside: orphans + refused + reading.damaged.size,
        erased: reading.erased.size,
        damages: unread.length,
        unread: unread.slice(0, MAX_STRETCHES),
      }
      return { value: { memory, report }, slots }
    },
  )
  return { ...value, ...after }
}

/** What decrypts the rows, if there is an encrypted one; else `undefined`. */
async function readRow(
  rows: AsyncIterable<readonly StoredEpisode[]>,
  keys: KeyFile,
  encryption: SalvageOptions['encryption'],
  { cipher, encryption: load }: Decrypting,
): Promise<ReadRow | undefined> {
  for await (const batch of rows) {
    if (!batch.some(({ row }) => isSealed(row))) continue
    const { rowReader } = await load()
    return rowReader(keys, { cipher: await cipher(), encryption })
  }
  return undefined
}

/** Rows that were read of a damaged database, decrypted. */
class DecryptedRows {
  /** Slots of rows that do not decrypt. */
  readonly damaged = new Set<number>()
  /** Slots of rows that were erased. */
  readonly erased = new Set<number>()
  readonly #rows: () => AsyncIterable<readonly StoredEpisode[]>
  readonly #read: ReadRow | undefined

  constructor(rows: () => AsyncIterable<readonly StoredEpisode[]>, read: ReadRow | undefined) {
    this.#rows = rows
    this.#read = read
  }

  async *rows(): AsyncGenerator<StoredEpisode[]> {
    for await (const batch of this.#rows()) yield batch.flatMap((stored) => this.#open(stored) ?? [])
  }

  #open(stored: StoredEpisode): StoredEpisode | undefined {
    if (this.#read === undefined) return stored
    try {
      const open = this.#read(stored)
      if (open === undefined) this.erased.add(stored.slot)
      return open
    } catch (error) {
      if (areKeysMissing(error)) throw error
      this.damaged.add(stored.slot)
      return undefined
    }
  }
}
