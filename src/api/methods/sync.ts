import type { ApplyReport, Changes, ChangesOptions, VersionVector } from '../sync.js'
import type { Registration } from './method.js'

/** How the memories of the devices of one person become one: docs/sync.md. */
export interface SyncMethods {
  /** What the memory has received: give it to `changes` of another device. Empty before anything was exchanged. */
  versionVector(): Promise<VersionVector>
  /**
   * What was observed, updated, superseded, unlearned, aimed at, believed and so on, here and on devices from which it
   * came here, and that a memory with this vector has not received. It notes the changes since it was asked before, so
   * it writes.
   *
   * @param since what the other device has received. Default: nothing.
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`, `AGIDB_READ_ONLY`, `AGIDB_QUOTA`,
   * `AGIDB_STORAGE`
   */
  changes(since?: VersionVector, options?: ChangesOptions): Promise<Changes>
  /**
   * Takes in what another device wrote. Changes that are here already are passed over, so they may come late and
   * twice. Where something is new the memory is built anew beside what is there, with all records in the order on
   * which all devices agree, and then takes its place; whatever is asked for meanwhile waits.
   *
   * @throws AgidbError `AGIDB_FOREIGN_FILE`, `AGIDB_NEWER_FORMAT`, `AGIDB_CORRUPT`, `AGIDB_TOO_LARGE` for bytes that
   * are no changes; `AGIDB_SYNC` for changes of another encoder, of a clock more than a day ahead, of a device that
   * bears the id of this one, or that follow on others which have not come; `AGIDB_INVALID_ARGUMENT`,
   * `AGIDB_READ_ONLY`, `AGIDB_QUOTA`, `AGIDB_STORAGE`. Then nothing has changed, but that unlearnings may have been
   * applied.
   */
  apply(changes: Changes | Uint8Array): Promise<ApplyReport>
}

export const syncMethods: Registration<SyncMethods> = {
  versionVector: { effect: 'reads' },
  changes: { effect: 'writes' },
  apply: { effect: 'writes' },
}
