import { EXPIRES_AT } from '../../api/attribute.js'
import { checkFilter, type FilterTree } from '../../api/check-filter.js'
import type { EpisodeId } from '../../api/episode.js'
import type { RetentionRule } from '../../api/open-options.js'
import { slotsOf } from '../../base/bits.js'
import { slotsOfFilter } from '../../indexes/filter.js'
import type { MemoryContext } from '../context.js'

const DAY_MS = 86_400_000
/** How long after a look nothing is looked for again: what is over is forgotten so much later at most. */
const LOOK_AGAIN_MS = 1_000

/** A rule of the option `retention`, which was checked when the memory was opened. */
interface Rule {
  readonly filter: FilterTree
  readonly days: number
}

/** Why episodes are kept no longer, and which. */
export interface Overdue {
  readonly reason: string
  readonly episodes: readonly EpisodeId[]
}

/**
 * Which episodes are kept no longer: those whose own `expiresAt` has come, and those that a rule of the option
 * `retention` keeps for a number of days only.
 */
export class Retention {
  readonly #context: Pick<MemoryContext, 'indexes'>
  readonly #rules: readonly Rule[]
  /** When it was last looked, epoch milliseconds. */
  #lookedAt = -Infinity

  constructor(context: Pick<MemoryContext, 'indexes' | 'limits' | 'options'>) {
    const { options, limits } = context
    this.#context = context
    this.#rules = (options.retention ?? []).map(({ filter, days }: RetentionRule) => ({
      filter: checkFilter('retention.filter', filter, limits),
      days,
    }))
  }

  /** Whether some episodes may be over that were not when this was last asked. Cheap: it is asked after each commit. */
  isDue(now: number): boolean {
    // A clock may go back.
    if (now >= this.#lookedAt && now < this.#lookedAt + LOOK_AGAIN_MS) return false
    this.#lookedAt = now
    return this.overdue(now).length > 0
  }

  /** When the first episode is kept no longer, epoch milliseconds; `Infinity` where all are kept for good. */
  next(): number {
    const { catalog, attributes } = this.#context.indexes
    let next = attributes.least(EXPIRES_AT)
    for (const { filter, days } of this.#rules)
      for (const slot of slotsOf(slotsOfFilter(this.#context.indexes, filter)))
        next = Math.min(next, catalog.recordedAt(slot) + days * DAY_MS)
    return next
  }

  /**
   * The episodes that are kept no longer at a time, by the reason; each once.
   *
   * @param among only some of these, where given.
   */
  overdue(now: number, among?: readonly EpisodeId[]): Overdue[] {
    const { indexes } = this.#context
    const seen = new Set<number>()
    const found = (reason: string, over: FilterTree): Overdue => {
      const filter: FilterTree = among ? { kind: 'and', parts: [over, { kind: 'id', ids: among }] } : over
      const slots = [...slotsOf(slotsOfFilter(indexes, filter))].filter((slot) => !seen.has(slot))
      for (const slot of slots) seen.add(slot)
      return { reason, episodes: slots.map((slot) => indexes.catalog.id(slot)!) }
    }
    const all = [found('expired', expiredBy(now))]
    for (const { filter, days } of this.#rules) {
      const recorded = { from: -Infinity, to: now - days * DAY_MS + 1 }
      const old: FilterTree = { kind: 'time', field: 'recordedAt', span: recorded }
      all.push(found(`kept for ${days} ${days === 1 ? 'day' : 'days'}`, { kind: 'and', parts: [filter, old] }))
    }
    return all.filter(({ episodes }) => episodes.length > 0)
  }
}

/** What has an `expiresAt` that is not after a time. */
function expiredBy(now: number): FilterTree {
  return { kind: 'range', attribute: EXPIRES_AT, high: { value: now, open: false } }
}
