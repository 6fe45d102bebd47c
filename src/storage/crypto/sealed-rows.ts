import { bytesToHex } from '@noble/hashes/utils.js'
import type { OpenedStorage, SealedRows } from '../../api/storage.js'
import { AgidbError } from '../../base/errors.js'
import { isSealed } from './sealed.js'
import { keysOf } from './sealer.js'
import type { RowVault } from './row-vault.js'

/** The rows of a storage as the ciphertext that it has, or would have, of them. */
export function sealedRows({ rows }: OpenedStorage, vault: RowVault, readOnly: boolean): SealedRows {
  const ring = vault.ring!
  return {
    ring: bytesToHex(ring.id),
    get dropped() {
      return ring.dropped
    },
    keys: () => ring.numbers,
    // Not beside an erasure, which writes rows anew.
    read: (slots) =>
      vault.exclusively(async () => {
        const stored = await rows.read(slots.filter((slot) => !vault.erased.has(slot)))
        // Those of before the memory was encrypted.
        const sealed = stored.map((episode) => (isSealed(episode.row) ? episode : vault.sealPlain(episode)))
        if (ring.hasChanged && readOnly) throw notYetEncrypted()
        await ring.save()
        return sealed
      }),
    keysOf: (row) => keysOf(row).numbers,
    change: (stored, change) => vault.changed(stored, change),
    open: (stored) => vault.openForeign(stored),
    keepKeys() {
      vault.keepsKeys = true
    },
  }
}

function notYetEncrypted(): AgidbError {
  const message =
    'rows of the memory are not encrypted yet, so that a sealed export needs new keys, and it was opened for reading ' +
    'only: open it for writing, or leave sealed out'
  return new AgidbError('AGIDB_READ_ONLY', message, { option: 'sealed' })
}
