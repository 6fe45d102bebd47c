import type { CheckpointLoader, StorageAdapter, StorageChange, StoredEpisode } from '../../api/storage.js'
import type { admit, askAdmission } from './admission.js'
import type { EncryptedOpening, EncryptionSetup } from './encrypted-storage.js'
import { keysMissing, noPlaceForKeys } from './failures.js'
import type { rowReader } from './row-reader.js'
import { isSealed } from './sealed.js'
import { unencrypted } from './unencrypted.js'

/** What encrypts storages. It is large, so it is loaded where there are keys, or are to be some. */
export interface Encrypting {
  readonly EncryptedOpening: typeof EncryptedOpening
  readonly rowReader: typeof rowReader
  readonly admit: typeof admit
  readonly askAdmission: typeof askAdmission
}

/**
 * A storage in which rows, ids, signatures and checkpoints are encrypted before they reach the adapter, so that
 * everything that the adapter writes, copies and keeps is ciphertext: where encryption is asked for, or the place has
 * keys. Anywhere else it is the adapter itself.
 *
 * @throws AgidbError from `open`: `AGIDB_PASSPHRASE`; `AGIDB_UNSUPPORTED` where encryption was asked for and the place
 * has no file for keys; `AGIDB_CORRUPT` where the keys are missing; what the adapter and `load` throw.
 */
export function encryptedWhereNeeded(
  adapter: StorageAdapter,
  setup: EncryptionSetup,
  load: () => Promise<Pick<Encrypting, 'EncryptedOpening'>>,
): StorageAdapter {
  const isAsked = setup.encryption !== undefined && setup.encryption !== 'none'
  return {
    async open(visit, checkpoint, onDeleted) {
      let hasPlace = false
      // It is there before anything is read.
      let encrypted: EncryptedOpening | undefined
      const opened = await adapter.open(
        (stored) => {
          const open = encrypted === undefined ? plain(stored) : encrypted.decrypt(stored)
          if (open !== undefined) visit(open)
        },
        checkpoint && chosenLate(() => encrypted?.loader(checkpoint) ?? plainChanges(checkpoint)),
        onDeleted,
        async (keys) => {
          hasPlace = true
          if (!isAsked && (await keys.size()) === 0) return
          const { EncryptedOpening } = await load()
          encrypted = await EncryptedOpening.begin(keys, setup)
        },
      )
      try {
        if (encrypted !== undefined) return await encrypted.finish(opened)
        if (isAsked) throw noPlaceForKeys((await opened.stats()).name)
        return unencrypted(opened, hasPlace)
      } catch (error) {
        await opened.close().catch(() => {}) // the first error is the one to report
        throw error
      }
    },
  }
}

/** A loader that is chosen when it is first used. */
function chosenLate(choose: () => CheckpointLoader): CheckpointLoader {
  let chosen: CheckpointLoader | undefined
  const loader = (): CheckpointLoader => (chosen ??= choose())
  return {
    load: (stored) => loader().load(stored),
    reset: (error) => loader().reset(error),
    change: (change, row) => loader().change(change, row),
    has: (slot) => loader().has(slot),
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
