import type {
  CheckpointLoader,
  OpenedStorage,
  SignatureStore,
  StorageAdapter,
  VisitEpisode,
} from '../../api/storage.js'
import { BucketObjects } from './bucket-objects.js'
import type { LooseKeys } from './loose-keys.js'
import type { MediaBucket } from './media-bucket.js'
import { aboutRow } from './media-row.js'
import { MediaRows } from './media-rows.js'

/** Where the lists of loose keys are: that of a memory, and of each scope by its key. */
export type LooseKeysOf = (scope?: string) => LooseKeys

/**
 * A storage whose pieces of pictures and sounds have their bytes in a bucket; all else is in another storage, and so
 * are pieces that were there before. Opening reads nothing of the bucket. Where the other storage is encrypted, pieces
 * stay in it: what comes from above is ciphertext then.
 */
export class MediaStorage implements StorageAdapter {
  /** Absent where the other storage has none. */
  readonly scope?: (key: string) => MediaStorage
  readonly #storage: StorageAdapter
  readonly #bucket: MediaBucket
  readonly #looseKeys: LooseKeysOf
  readonly #clock: () => number
  readonly #scopes = new Map<string, MediaStorage>()
  #rows: MediaRows | undefined

  /** @param clock Milliseconds since 1970. */
  constructor(storage: StorageAdapter, bucket: MediaBucket, looseKeys: LooseKeysOf, clock: () => number = Date.now) {
    this.#storage = storage
    this.#bucket = bucket
    this.#looseKeys = looseKeys
    this.#clock = clock
    if (storage.scope !== undefined)
      this.scope = (key) => {
        const place =
          this.#scopes.get(key) ?? new MediaStorage(storage.scope!(key), bucket, () => looseKeys(key), clock)
        this.#scopes.set(key, place)
        return place
      }
  }

  readonly open: StorageAdapter['open'] = async (visit, checkpoint, ...others) => {
    const opened = await this.#storage.open(aboutOnly(visit), checkpoint && followed(checkpoint), ...others)
    const { signatures, maintenance } = opened
    const rows = new MediaRows(
      opened,
      new BucketObjects(this.#bucket, opened.databaseId),
      this.#looseKeys(),
      this.#clock,
    )
    this.#rows = rows
    void rows.sweep() // What a crash left is deleted now, or by the next sweep where the bucket cannot be reached.
    return {
      ...opened,
      rows,
      ...(signatures && { signatures: aboutOnlySigned(signatures) }),
      ...(maintenance && {
        maintenance: {
          compact: () => maintenance.compact(),
          garbage: () => maintenance.garbage(),
          repair: (codes) => maintenance.repair(codes),
          verify: (visitor) => maintenance.verify({ ...visitor, visit: aboutOnly((stored) => visitor.visit(stored)) }),
        },
      }),
      async stats() {
        const stats = await opened.stats()
        return { ...stats, name: `${stats.name}, with media in a bucket` }
      },
      close: () => this.#close(opened),
    }
  }

  /**
   * Deletes the objects that are not needed any more of the memory, or of that of a scope, where it is open.
   *
   * @returns whether none is left to delete.
   */
  async sweep(scope?: string): Promise<boolean> {
    const place = scope === undefined ? this : this.#scopes.get(scope)
    const rows = place === undefined ? undefined : place.#rows
    await rows?.sweep()
    return (await this.#looseKeys(scope).all()).length === 0
  }

  async #close(opened: OpenedStorage): Promise<void> {
    const rows = this.#rows
    this.#rows = undefined
    await rows?.swept()
    await opened.close()
  }
}

function aboutOnly(visit: VisitEpisode): VisitEpisode {
  return (stored) => {
    const { slot, id, row, signatures, encoder, units } = stored
    const about = aboutRow(row)
    visit(about === row ? stored : { slot, id, row: about, signatures, encoder, units })
  }
}

function aboutOnlySigned(signatures: SignatureStore): SignatureStore {
  return {
    visitEpisodes: (slots, visit) => signatures.visitEpisodes(slots, aboutOnly(visit)),
    visitPacked: (slots, visit) => signatures.visitPacked(slots, visit),
  }
}

/** A loader of checkpoints that gets what changed after them without the bytes of pieces. */
function followed(loader: CheckpointLoader): CheckpointLoader {
  return {
    load: (stored) => loader.load(stored),
    reset: (error) => loader.reset(error),
    has: (slot) => loader.has(slot),
    change(change, row) {
      loader.change('row' in change ? { ...change, row: aboutRow(change.row) } : change, row && aboutRow(row))
    },
  }
}
