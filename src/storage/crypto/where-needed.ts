import type { CheckpointLoader, StorageAdapter, StorageChange, StoredEpisode } from '../../api/storage.js'
import type { EncryptionSetup, encryptedStorage } from './encrypted-storage.js'
import { keysMissing } from './failures.js'
import { isSealed } from './sealed.js'
import { unencrypted } from './unencrypted.js'

/** What encrypts storages. It is large, so it is loaded where there are keys, or are to be some. */
export interface Encrypting {
  readonly encryptedStorage: typeof encryptedStorage
}

/**
 * {@link encryptedStorage}, loaded when it is needed: where encryption is asked for, or the place has keys. Whether it
 * has is known before anything is read, so a storage with keys is left and opened again.
 *
 * @throws AgidbError from `open`: as {@link encryptedStorage}, and what `load` throws
 */
export function encryptedWhereNeeded(
  adapter: StorageAdapter,
  setup: EncryptionSetup,
  load: () => Promise<Encrypting>,
): StorageAdapter {
  return {
    async open(visit, checkpoint, onDeleted) {
      const { encryption } = setup
      const encrypted = async () => (await load()).encryptedStorage(adapter, setup).open(visit, checkpoint, onDeleted)
      if (encryption !== undefined && encryption !== 'none') return encrypted()
      const keys = { place: false, stored: false }
      try {
        const opened = await adapter.open(
          (stored) => visit(plain(stored)),
          checkpoint && plainChanges(checkpoint),
          onDeleted,
          async (file) => {
            keys.place = true
            keys.stored = (await file.size()) > 0
            if (keys.stored) throw new Error('the storage has keys')
          },
        )
        return unencrypted(opened, keys.place)
      } catch (error) {
        if (keys.stored) return encrypted()
        throw error
      }
    },
  }
}

function plain(stored: StoredEpisode): StoredEpisode {
  if (isSealed(stored.row)) throw keysMissing('its keys are not there')
  return stored
}

function plainChanges(checkpoint: CheckpointLoader): CheckpointLoader {
  return {
    load: (stored) => checkpoint.load(stored),
    reset: (error) => checkpoint.reset(error),
    change(change, row) {
      if (isEncrypted(change) || (row !== undefined && isSealed(row))) throw keysMissing('its keys are not there')
      checkpoint.change(change, row)
    },
    has: (slot) => checkpoint.has(slot),
  }
}

function isEncrypted(change: StorageChange): boolean {
  if (change.op === 'remove') return false
  const signatures = change.op === 'update' ? [] : Object.values(change.signatures)
  const bytes = change.op === 'setSignatures' ? signatures : [change.row, ...signatures]
  return bytes.some((one) => one !== undefined && isSealed(one))
}
