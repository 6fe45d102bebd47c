import type { EncryptionSecret } from '../../api/encryption.js'
import type { KeyFile, StoredEpisode } from '../../api/storage.js'
import type { Cipher } from './cipher.js'
import { KeyRing } from './key-ring.js'
import { RowVault } from './row-vault.js'

/** What rows are decrypted with. */
export interface RowReading {
  readonly cipher: Cipher
  /** What opens the memory. Not needed where the keys lie beside it. */
  readonly encryption?: EncryptionSecret
}

/**
 * An episode that was read of a file, as it was before it was encrypted; `undefined` for one that was erased. One that
 * is not encrypted is given as it is.
 *
 * @throws AgidbError `AGIDB_CORRUPT` for one that is damaged, or whose keys are missing.
 */
export type ReadRow = (stored: StoredEpisode) => StoredEpisode | undefined

/**
 * Reads the keys with which rows can be decrypted that were not read through an open storage: of one that is damaged.
 * Changes nothing.
 *
 * @throws AgidbError `AGIDB_PASSPHRASE` for a wrong or missing secret; `AGIDB_CORRUPT` where the keys cannot be read.
 */
export async function rowReader(keys: KeyFile, { cipher, encryption }: RowReading): Promise<ReadRow> {
  const vault = new RowVault(await KeyRing.open(keys, encryption, cipher), { cipher, unitsOf: () => [] })
  return (stored) => vault.open(stored)
}
