import type { Agidb } from '../../api/agidb.js'
import type { Encryption } from '../../api/encryption.js'

/** What a tab was opened with that the owner must have, too. */
export interface Admission {
  readonly encryption: Encryption | undefined
  /** Loads what compares, which is needed where something is encrypted, or is to be. */
  readonly load: () => Promise<Admitting>
}

/** The two sides of the question whether a tab may use a memory that another one has open. */
export interface Admitting {
  /**
   * A tab's side.
   *
   * @param send asks the owner.
   * @throws AgidbError what the owner refuses it with
   */
  askAdmission(encryption: Encryption | undefined, send: (asked: unknown) => Promise<unknown>): Promise<void>
  /**
   * The owner's side.
   *
   * @param encryption what it was opened with.
   * @throws AgidbError `AGIDB_PASSPHRASE` for a wrong or missing secret; `AGIDB_IN_USE` for what would change how the
   * memory is encrypted; `AGIDB_INVALID_ARGUMENT` for what no opening could do
   */
  admit(engine: Pick<Agidb, 'stats'>, encryption: Encryption | undefined, asked: unknown): Promise<void>
}
