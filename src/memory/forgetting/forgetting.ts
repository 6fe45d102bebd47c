import type { Caller } from '../../api/caller.js'
import { checkFlag, checkId, checkKeys, checkText, invalid } from '../../api/check.js'
import type { Episode, EpisodeId, TimeInput } from '../../api/episode.js'
import type { Filter } from '../../api/filter.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type {
  AuditId,
  ExpireReport,
  RestoreReport,
  UnlearnOptions,
  UnlearnRecord,
  UnlearnReport,
  UnlearnState,
  UnlearnTarget,
} from '../../api/forgetting.js'
import type { ForgettingMethods } from '../../api/methods/forgetting.js'
import { toMillis } from '../../api/time.js'
import { AgidbError } from '../../base/errors.js'
import { auditKeyKind } from '../../records/kinds/audit-key.js'
import { erasureKind } from '../../records/kinds/erasure.js'
import { tombstoneKind } from '../../records/kinds/tombstone.js'
import type { MemoryContext } from '../context.js'
import type { leaveDocuments } from '../documents/leave.js'
import { projectionOf, type Service } from '../projection.js'
import { AuditKey } from './audit-key.js'
import { type Audits, recordOf } from './audits.js'
import { ErasureDue } from './erasure-due.js'
import type { draftExpiry } from './expire.js'
import type { Forgetful, OtherFloors, Parts } from './floors.js'
import type { draftRestore } from './restore.js'
import { Retention } from './retention.js'
import type { checkTarget } from './target.js'
import { Tombstones } from './tombstones.js'
import type { draftUnlearn } from './unlearn.js'

const DAY_MS = 86_400_000
/** The last time that there is, ECMA-262. */
const LAST_TIME = 8.64e15
const DEFAULT_DAYS = 30
/** Episodes that retention forgets in one commit. */
const EPISODES_AT_ONCE = 1_000

/** What makes the commits of forgetting. It is large, so it is loaded when something is first forgotten. */
export interface Drafts {
  readonly checkTarget: typeof checkTarget
  readonly draftUnlearn: typeof draftUnlearn
  readonly draftRestore: typeof draftRestore
  readonly draftExpiry: typeof draftExpiry
  readonly leaveDocuments: typeof leaveDocuments
}

/** Forgets, restores and erases: what holds all floors to what the live episodes say. */
export class Forgetting implements Service {
  readonly #context: MemoryContext
  readonly #floors: OtherFloors
  readonly #audits: Audits
  readonly #drafts: () => Promise<Drafts>
  readonly #tombstones = new Tombstones()
  readonly #key = new AuditKey()
  readonly #pending = new Map<number, Episode>()
  readonly #retention: Retention
  readonly #erasure = new ErasureDue()
  /** Whether what a crash left of an erasure was begun again. It is tried once an opening, and at each expiry. */
  #isErasureBegun = false
  /** How many times something was removed for good. */
  #removals = 0
  readonly projections = [
    projectionOf(tombstoneKind, this.#tombstones),
    projectionOf(auditKeyKind, this.#key),
    projectionOf(erasureKind, this.#erasure),
  ]

  constructor(context: MemoryContext, floors: OtherFloors, audits: Audits, drafts: () => Promise<Drafts>) {
    this.#context = context
    this.#drafts = drafts
    this.#floors = floors
    this.#audits = audits
    this.#retention = new Retention(context)
  }

  /** Records that can be restored. */
  get size(): number {
    return this.#tombstones.size
  }

  /** An episode that comes back, while the storage still has its tombstone. */
  pending(slot: number): Episode | undefined {
    return this.#pending.get(slot)
  }

  /** Whether a slot holds what is no part of an export: what is forgotten, the key of the audit, or an erasure. */
  isKeptBack(slot: number): boolean {
    return this.#tombstones.at(slot) !== undefined || this.#key.slot === slot || this.#erasure.slot === slot
  }

  /** The public methods of forgetting on behalf of a caller. */
  methods(caller: Caller): ForgettingMethods {
    return {
      unlearn: (target, reason, options) => this.unlearn(target, reason, options, caller),
      remove: (which, reason) => this.remove(which, reason, caller),
      unlearnReport: (auditId) => this.report(auditId),
      unlearnHistory: (since) => this.history(since),
      restoreWithinWindow: (auditId) => this.restore(auditId, caller),
      expire: (now) => this.expire(now, caller),
    }
  }

  async unlearn(
    target: UnlearnTarget,
    reason: string,
    options: UnlearnOptions | undefined,
    caller: Caller,
  ): Promise<UnlearnReport> {
    const { limits } = this.#context
    checkText('reason', reason, limits, FIELD_LIMITS.unlearning.reason)
    checkKeys('options', options, ['dryRun'])
    const { dryRun = false } = options ?? {}
    checkFlag('dryRun', dryRun)
    // Of a target that is not checked yet.
    const { source, session = source } = (target ?? {}) as Partial<Record<string, string | readonly string[]>>
    const names = dryRun ? [] : [session ?? []].flat()
    if (this.#context.indexes.documents.shared(new Set(names)).length > 0) {
      const { checkTarget, leaveDocuments } = await this.#drafts()
      checkTarget(target, limits)
      await leaveDocuments(this.#context, names, caller)
    }
    // In the turn of the writer, so that calls stay in their order.
    return this.#forget(caller, async (now) => {
      const { checkTarget, draftUnlearn } = await this.#drafts()
      const checked = checkTarget(target, limits)
      const unlearning = { target: checked, reason, isDry: dryRun, now, expiry: this.#expiry(now), caller }
      return draftUnlearn(this.#parts, unlearning)
    })
  }

  async remove(
    which: EpisodeId | readonly EpisodeId[] | Filter,
    reason: string | undefined,
    caller: Caller,
  ): Promise<UnlearnReport> {
    const isFilter = typeof which === 'object' && which !== null && !Array.isArray(which)
    if (!isFilter && !Array.isArray(which)) checkId('id', which, this.#context.limits)
    const target = isFilter ? { filter: which as Filter } : { episode: which as EpisodeId | readonly EpisodeId[] }
    return this.unlearn(target, reason ?? 'removed', undefined, caller)
  }

  async report(auditId: AuditId): Promise<UnlearnRecord> {
    checkId('auditId', auditId, this.#context.limits)
    return recordOf(this.#find(auditId), this.#stateOf(auditId, this.#context.clock()))
  }

  async history(since: TimeInput): Promise<UnlearnRecord[]> {
    const from = toMillis(since, 'since')
    const now = this.#context.clock()
    return this.#audits
      .all()
      .filter(({ event }) => Date.parse(event.at) >= from)
      .map((audit) => recordOf(audit, this.#stateOf(audit.event.audit, now)))
  }

  async restore(auditId: AuditId, caller: Caller): Promise<RestoreReport> {
    const { limits, loaded } = this.#context
    checkId('auditId', auditId, limits)
    await loaded()
    return this.#forget(caller, async (now) => {
      const { draftRestore } = await this.#drafts()
      const { event } = this.#find(auditId)
      const state = this.#stateOf(auditId, now)
      if (state === 'restored') throw invalid(`the unlearning ${auditId} is restored already`, { auditId, state })
      if (state === 'expired') {
        throw new AgidbError(
          'AGIDB_RESTORE_EXPIRED',
          `the unlearning ${auditId} could be restored until ${event.tombstoneExpiry}; what it forgot is erased`,
          { auditId, tombstoneExpiry: event.tombstoneExpiry },
        )
      }
      return draftRestore(this.#parts, { audit: auditId, now, caller })
    })
  }

  async expire(now: TimeInput | undefined, caller: Caller): Promise<ExpireReport> {
    const time = now === undefined ? this.#context.clock() : toMillis(now, 'now')
    const report = await this.#forget(caller, async () => (await this.#drafts()).draftExpiry(this.#parts, time))
    // What a crash or a failure left of an earlier one.
    if (report.records === 0 && this.#erasure.slot !== undefined) await this.#erase(caller)
    return report
  }

  /** Whether something is to be erased, or kept no longer. Cheap: it is asked after each commit. */
  get isDue(): boolean {
    const now = this.#context.clock()
    const isOver = this.#tombstones.size > 0 && this.#tombstones.firstExpiry(this.#audits) <= now
    const isLeft = this.#erasure.slot !== undefined && !this.#isErasureBegun
    return isOver || isLeft || this.#retention.isDue(now)
  }

  /** Forgets what is kept no longer, and erases what was forgotten longer ago than the window. */
  async applyRetention(caller: Caller): Promise<void> {
    for (const { reason, episodes } of this.#retention.overdue(this.#context.clock())) {
      for (let from = 0; from < episodes.length; from += EPISODES_AT_ONCE) {
        const some = episodes.slice(from, from + EPISODES_AT_ONCE)
        await this.#forget(caller, async (now) => {
          const { draftUnlearn } = await this.#drafts()
          // In the turn of the writer: meanwhile some may have been forgotten, or been given a later time.
          const still = this.#retention.overdue(now, some).filter((one) => one.reason === reason)
          const target = { kind: 'episode', ids: still.flatMap((one) => one.episodes) } as const
          const unlearning = { target, reason, isDry: false, now, expiry: this.#expiry(now), caller }
          return draftUnlearn(this.#parts, unlearning)
        })
      }
    }
    await this.expire(undefined, caller)
  }

  /**
   * Forgets and erases what is due, where no timer does.
   *
   * @returns in how many milliseconds more will be due, 0 where that is now; `Infinity` where nothing will.
   */
  async forgetDue(caller: Caller): Promise<number> {
    if (this.#untilDue() <= 0 || this.#erasure.slot !== undefined) await this.applyRetention(caller)
    return Math.max(0, this.#untilDue())
  }

  #untilDue(): number {
    const firstEnd = this.#tombstones.size > 0 ? this.#tombstones.firstExpiry(this.#audits) : Infinity
    return Math.min(firstEnd, this.#retention.next()) - this.#context.clock()
  }

  get #parts(): Parts {
    return {
      context: this.#context,
      floors: this.#floors,
      audits: this.#audits,
      tombstones: this.#tombstones,
      key: this.#key,
      pending: this.#pending,
    }
  }

  #expiry(now: number): number {
    const { tombstoneDays = DEFAULT_DAYS } = this.#context.options
    return Math.min(LAST_TIME, now + tombstoneDays * DAY_MS)
  }

  /** @throws AgidbError `AGIDB_NOT_FOUND` */
  #find(auditId: AuditId) {
    const found = this.#audits.find(auditId)
    if (found !== undefined) return found
    throw new AgidbError('AGIDB_NOT_FOUND', `there is no unlearning with the id ${JSON.stringify(auditId)}`, {
      auditId,
    })
  }

  #stateOf(auditId: AuditId, now: number): UnlearnState {
    const { event, restored } = this.#find(auditId)
    if (restored) return 'restored'
    const isOver = Date.parse(event.tombstoneExpiry) <= now || !this.#tombstones.has(auditId)
    return isOver ? 'expired' : 'restorable'
  }

  /** Writes what a draft makes, and has the floors take it in. */
  async #forget<T>(caller: Caller, draft: (now: number) => Forgetful<T> | Promise<Forgetful<T>>): Promise<T> {
    let isErased = false
    const committing = this.#context.transact(async () => {
      const drafted = await draft(this.#context.clock())
      const { records, undo, done, answer } = drafted
      if (drafted.isErased) {
        try {
          await this.#context.retire(records.flatMap((record) => (record.op === 'remove' ? [record.slot] : [])))
        } catch (error) {
          await undo?.()
          throw error
        }
      }
      const due = drafted.isErased ? this.#erasure.begin() : []
      return {
        records: [...records, ...due],
        undo,
        receipt: { caller, answer },
        done: (slots) => {
          this.#floors.replace(done(slots), caller)
          isErased = drafted.isErased
          if (isErased) this.#removals++
          if (due.length > 0) this.#erasure.apply(true, slots.at(-1)!)
          return answer
        },
      }
    })
    const answer = await committing.finally(() => this.#pending.clear())
    if (isErased) await this.#erase(caller)
    return answer
  }

  /** Overwrites what was removed for good. It stays due where more was removed since: that is overwritten later. */
  async #erase({ writer, from }: Caller): Promise<void> {
    this.#isErasureBegun = true
    this.#floors.forgetGone()
    const removals = this.#removals
    await this.#context.compact()
    await this.#context.transact(() => {
      const isLast = removals === this.#removals
      return {
        records: isLast ? this.#erasure.end() : [],
        receipt: { caller: { writer, from } },
        done: () => isLast && this.#erasure.ended(),
      }
    })
  }
}
