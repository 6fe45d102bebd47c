import type { EpisodeId, TimeInput } from '../episode.js'
import type { Filter } from '../filter.js'
import type {
  AuditId,
  ExpireReport,
  RestoreReport,
  UnlearnOptions,
  UnlearnRecord,
  UnlearnReport,
  UnlearnTarget,
} from '../forgetting.js'
import type { Registration } from './method.js'

/** The methods by which a memory forgets. */
export interface ForgettingMethods {
  /**
   * Forgets a target with all that follows from it, all or nothing: afterwards the memory answers as one that never had
   * it, the record of the unlearning aside. It can be restored for as many days as the option `tombstoneDays` says. A
   * target that nothing is of gives zeros, and no record. A dry run writes nothing, so a memory that is open for
   * reading takes it, too.
   *
   * @param reason is kept for good as it is given, so name nothing in it that is to be forgotten.
   * @throws AgidbError `AGIDB_NOT_FOUND` for an id of an episode or a belief that is not there;
   * `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`, `AGIDB_INVALID_TEXT`, `AGIDB_TOO_LARGE`; `AGIDB_QUOTA`,
   * `AGIDB_STORAGE`: then nothing was forgotten.
   */
  unlearn(target: UnlearnTarget, reason: string, options?: UnlearnOptions): Promise<UnlearnReport>
  /**
   * Forgets episodes by their ids, or those that a filter lets pass: `unlearn({ episode })` or `unlearn({ filter })` by
   * a shorter name. Default reason: `removed`.
   */
  remove(which: EpisodeId | readonly EpisodeId[] | Filter, reason?: string): Promise<UnlearnReport>
  /**
   * What an unlearning did.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND`
   */
  unlearnReport(auditId: AuditId): Promise<UnlearnRecord>
  /** The unlearnings since a time, in their order. */
  unlearnHistory(since: TimeInput): Promise<UnlearnRecord[]>
  /**
   * Takes an unlearning back: all that was forgotten is there as before, and what was learned since stays.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND`; `AGIDB_RESTORE_EXPIRED` after its window; `AGIDB_INVALID_ARGUMENT` when it is
   * restored already; `AGIDB_DUPLICATE_ID` when another episode has taken the id of one since.
   */
  restoreWithinWindow(auditId: AuditId): Promise<RestoreReport>
  /**
   * Erases what was forgotten longer ago than the window, and compacts the storage if there was anything. The memory
   * does so by itself when it is opened and while it is written to.
   *
   * @param now default: the time of the memory's clock.
   */
  expire(now?: TimeInput): Promise<ExpireReport>
}

export const forgettingMethods: Registration<ForgettingMethods> = {
  unlearn: { effect: ([, , options]) => ((options as UnlearnOptions | null)?.dryRun === true ? 'reads' : 'writes') },
  remove: { effect: 'writes' },
  unlearnReport: { effect: 'reads' },
  unlearnHistory: { effect: 'reads' },
  restoreWithinWindow: { effect: 'writes' },
  expire: { effect: 'writes' },
}
