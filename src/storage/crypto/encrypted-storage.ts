import type { Encryption } from '../../api/encryption.js'
import type {
  CheckpointLoader,
  KeyFile,
  StoredEpisode,
  OpenedStorage,
  RowStore,
  SignatureStore,
  StorageMaintenance,
} from '../../api/storage.js'
import type { StorageEvent } from '../../api/stats.js'
import type { Cipher } from './cipher.js'
import { finishErasure, retireRows, sealPlainRows } from './erasure.js'
import { sealedRows } from './sealed-rows.js'
import { RowVault, type UnitsOf } from './row-vault.js'
import { markOfPart, SealedCheckpoints } from './sealed-checkpoint.js'
import { UnsealedPacked } from './unsealed-packed.js'
import { unencrypted } from './unencrypted.js'
import { unlock } from './unlock.js'

/** How a storage is to be encrypted. */
export interface EncryptionSetup {
  readonly cipher: Cipher
  /** What the program asked for. Default: as the memory is; a new one is not encrypted. */
  readonly encryption?: Encryption
  /** The units of rows that come without them. */
  readonly unitsOf: UnitsOf
  /** Nothing is to be changed, not even to finish what a crash cut short. Default false. */
  readonly readOnly?: boolean
}

/** The opening of a storage that has keys, or is to have some. */
export class EncryptedOpening {
  readonly #vault: RowVault
  readonly #setup: EncryptionSetup

  private constructor(vault: RowVault, setup: EncryptionSetup) {
    this.#vault = vault
    this.#setup = setup
  }

  /**
   * Reads the keys, or makes them.
   *
   * @throws AgidbError `AGIDB_PASSPHRASE`; `AGIDB_CORRUPT` where keys are missing; `AGIDB_INVALID_ARGUMENT` for `none`
   * where the memory is encrypted
   */
  static async begin(keys: KeyFile, setup: EncryptionSetup): Promise<EncryptedOpening> {
    return new EncryptedOpening(new RowVault(await unlock(keys, setup), setup), setup)
  }

  /** An episode as it was before it was encrypted; `undefined` for one that was erased. */
  decrypt(stored: StoredEpisode): StoredEpisode | undefined {
    return this.#vault.open(stored)
  }

  /** A loader of checkpoints that are encrypted, and of changes after them. */
  loader(checkpoint: CheckpointLoader): CheckpointLoader {
    return loader(checkpoint, this.#vault, this.#setup.cipher)
  }

  /** The storage that was opened, encrypted; what a crash cut short of an erasure is finished. */
  async finish(opened: OpenedStorage): Promise<OpenedStorage> {
    if (this.#vault.ring === undefined) return unencrypted(opened, true)
    if (this.#setup.readOnly !== true) await finishErasure(opened, this.#vault)
    return encrypted(opened, this.#vault, this.#setup)
  }
}

const REASONS = {
  'keys-beside': 'the keys lie beside the data, so that what is erased cannot be read; they keep nothing secret',
  passphrase: 'the keys are encrypted with the passphrase',
  key: 'the keys are encrypted with the key of the program',
} as const

function encrypted(opened: OpenedStorage, vault: RowVault, setup: EncryptionSetup): OpenedStorage {
  const { cipher, readOnly = false } = setup
  const ring = vault.ring!
  const { checkpoint, signatures, maintenance } = opened
  return {
    ...opened,
    rows: encryptedRows(opened, vault),
    ...(signatures && { signatures: decryptedSignatures(signatures, vault) }),
    ...(checkpoint && {
      checkpoint: {
        write: (parts) => checkpoint.write(new SealedCheckpoints(cipher, ring.id, ring.checkpointKey).seal(parts)),
      },
    }),
    ...(maintenance && { maintenance: encryptedMaintenance(opened, maintenance, vault) }),
    erasure: {
      retire: (slots) => vault.exclusively(() => retireRows(opened, vault, slots)),
      erase: () => vault.exclusively(() => finishErasure(opened, vault)),
    },
    sealed: sealedRows(opened, vault, readOnly),
    async stats() {
      const stats = await opened.stats()
      const kind = ring.wrapping
      return {
        ...stats,
        encryption: { kind, reason: REASONS[kind], keys: ring.size },
        opening: [...stats.opening, ...erasedRows(vault)],
      }
    },
  }
}

/** What opening reports when rows are there whose keys were dropped: an old copy of a file came back. */
function erasedRows({ erased }: RowVault): StorageEvent[] {
  if (erased.size === 0) return []
  const message =
    `${erased.size} rows were erased before: their keys are gone, and they count as removed; ` +
    'an older copy of the journal was put in its place'
  return [{ kind: 'rows-erased', message, details: { rows: erased.size } }]
}

function encryptedRows({ rows }: OpenedStorage, vault: RowVault): RowStore {
  const isThere = (slot: number): boolean => !vault.erased.has(slot)
  return {
    commit: (changes) => vault.exclusively(async () => rows.commit(await vault.seal(changes, rows))),
    async get(slots) {
      const found = await rows.get(slots)
      return found.map((row, i) => (row === undefined || !isThere(slots[i]) ? undefined : vault.openRow(row)))
    },
    slots: async () => (await rows.slots()).filter(isThere),
    async read(slots) {
      const stored = await rows.read(slots.filter(isThere))
      return stored.map((episode) => vault.open(episode)).filter((open) => open !== undefined)
    },
    replace: (fill) =>
      vault.exclusively(async () => {
        const used = new Set<number>()
        vault.keepsKeys = false
        await rows.replace((add) => fill(async (episodes) => add(await vault.sealAll(episodes, used))))
        // Remains of the previous memory cannot be read any more.
        if (vault.keepsKeys) vault.erased.clear()
        else await vault.dropAllBut(used)
      }),
  }
}

function decryptedSignatures(signatures: SignatureStore, vault: RowVault): SignatureStore {
  return {
    visitEpisodes: (slots, visit) =>
      signatures.visitEpisodes(slots, (stored) => {
        const open = vault.open(stored)
        if (open !== undefined) visit(open)
      }),
    async visitPacked(slots, visit) {
      const unsealed = new UnsealedPacked(vault)
      await signatures.visitPacked(slots, (slot, packed) => {
        if (!vault.erased.has(slot)) visit(slot, unsealed.over(packed))
      })
    },
  }
}

function encryptedMaintenance(
  opened: OpenedStorage,
  maintenance: StorageMaintenance,
  vault: RowVault,
): StorageMaintenance {
  return {
    async compact() {
      await sealPlainRows(opened, vault)
      await maintenance.compact()
    },
    garbage: () => maintenance.garbage(),
    repair: (codes) => maintenance.repair(codes),
    verify: (visitor) =>
      maintenance.verify({
        findings: visitor.findings,
        digest: (bytes) => markOfPart(bytes) ?? visitor.digest(bytes),
        visit(stored) {
          try {
            const open = vault.open(stored)
            if (open !== undefined) visitor.visit(open)
          } catch {
            const { slot } = stored
            const message = `the row in slot ${slot} does not decrypt with its key`
            visitor.findings.add('row-unreadable', 'loss', message, { slot })
          }
        },
      }),
  }
}

function loader(checkpoint: CheckpointLoader, vault: RowVault, cipher: Cipher): CheckpointLoader {
  return {
    load(stored) {
      const { ring } = vault
      return checkpoint.load(ring ? new SealedCheckpoints(cipher, ring.id, ring.checkpointKey).open(stored) : stored)
    },
    reset: (error) => checkpoint.reset(error),
    change(change, row) {
      const open = vault.openChange(change)
      if (open !== undefined) checkpoint.change(open, row && vault.openRow(row))
    },
    has: (slot) => checkpoint.has(slot),
  }
}
