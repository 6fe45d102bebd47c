import { HEAP, heapBytes, sampledBytes } from '../base/heap-size.js'
import type { MemoryContext } from './context.js'
import type { FoundItem, IndexedItem, ItemIndex, ItemQuery } from './item-index.js'

/** A time in which a goal or procedure was in use and said one thing. */
interface Period {
  readonly owner: string
  readonly item: IndexedItem
}

/** What an owner says: the text that it is found by, and short phrases; see `IndexedItem`. */
export interface Saying {
  readonly text: string
  readonly phrases?: readonly string[]
}

/** What takes in that an owner says something from a time on; see {@link Periods.say}. */
export interface FillsPeriods {
  say(owner: string, saying: Saying | undefined, at: string): unknown
}

/**
 * The periods in which each owner said one thing, in the order in which they began: what makes goals and procedures
 * found as they were at any time.
 */
export class Periods implements FillsPeriods {
  readonly #all = new Map<string, Period>()
  /** The period of each owner that has not ended. */
  readonly #current = new Map<string, Period>()
  #next = 0

  get size(): number {
    return this.#all.size
  }

  /** Bytes of main memory, about. */
  get bytes(): number {
    const periods = sampledBytes(this.#all.values(), this.#all.size, (one) => HEAP.entry + heapBytes(one, false))
    return periods + this.#current.size * HEAP.entry
  }

  /** By its id. */
  find(id: string): Period | undefined {
    return this.#all.get(id)
  }

  /** The ids in order. */
  ids(): Iterable<string> {
    return this.#all.keys()
  }

  /**
   * Ends the period of an owner and begins another, if it says something else from a time on. Answers the ids of what
   * changed.
   *
   * @param saying what it says; `undefined` where it is not in use.
   */
  say(owner: string, saying: Saying | undefined, at: string): string[] {
    const current = this.#current.get(owner)
    if (saying?.text === current?.item.text) return []
    const changed: string[] = []
    if (current !== undefined) {
      this.#all.set(current.item.id, { owner, item: { ...current.item, ended: { at, recordedAt: at } } })
      this.#current.delete(owner)
      changed.push(current.item.id)
    }
    if (saying !== undefined) {
      const period: Period = { owner, item: { id: `pe_${this.#next++}`, ...saying, at, recordedAt: at } }
      this.#all.set(period.item.id, period)
      this.#current.set(owner, period)
      changed.push(period.item.id)
    }
    return changed
  }

  /**
   * Takes other periods in place of these. Those that began at the same time keep their ids, so that an index has to
   * learn only what differs.
   */
  replace(others: Periods): void {
    const old = [...this.#all.values()]
    const ongoing = new Set(others.#current.values())
    this.#all.clear()
    this.#current.clear()
    let next = 0
    for (const period of others.#all.values()) {
      const { owner, item } = period
      while (next < old.length && (old[next].owner !== owner || old[next].item.at !== item.at)) next++
      // Where none is found all that follow are new, too: something came between, so they cannot keep their order.
      const id = next < old.length ? old[next++].item.id : `pe_${this.#next++}`
      const own: Period = { owner, item: { ...item, id } }
      this.#all.set(id, own)
      if (ongoing.has(period)) this.#current.set(owner, own)
    }
  }
}

/** The periods of a floor, and the index that finds them. */
export class PeriodIndex implements FillsPeriods {
  readonly #periods = new Periods()
  readonly #items: ItemIndex

  constructor({ itemIndex }: Pick<MemoryContext, 'itemIndex'>) {
    this.#items = itemIndex((id) => this.#periods.find(id)?.item)
  }

  /** Periods that there ever were. */
  get size(): number {
    return this.#periods.size
  }

  /** Bytes of main memory beside the kernel's, about. */
  get bytes(): number {
    return this.#periods.bytes + this.#items.bytes
  }

  /** See {@link Periods.say}. */
  say(owner: string, saying: Saying | undefined, at: string): void {
    for (const id of this.#periods.say(owner, saying, at)) this.#items.touch(id)
  }

  /** Takes other periods in place of these; what is the same is not indexed again. */
  replace(periods: Periods): void {
    this.#periods.replace(periods)
    this.#items.retain(this.#periods.ids())
  }

  /** What answers a cue, best first, each with its owner. */
  async find(cue: string, asking: ItemQuery): Promise<(FoundItem & { readonly owner: string })[]> {
    const found = await this.#items.find(cue, asking)
    return found.flatMap((one) => {
      const period = this.#periods.find(one.id)
      return period === undefined ? [] : [{ ...one, owner: period.owner }]
    })
  }

  free(): void {
    this.#items.free()
  }
}
