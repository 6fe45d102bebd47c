import type { RowStore, StorageChange, StoredEpisode } from '../api/storage.js'

/**
 * All that was stored at one moment, read little by little while the writing goes on: what a commit changes of the part
 * that is not read yet is set aside before, so each row comes as it was.
 */
export class Snapshot {
  readonly #rowStore: Pick<RowStore, 'read'>
  /** The slots that were live, ascending. */
  readonly slots: readonly number[]
  readonly #unread: Set<number>
  /** What has changed since. */
  readonly #before = new Map<number, StoredEpisode>()
  #next = 0
  /** Why a row could not be set aside. */
  #failure: unknown

  constructor(rowStore: Pick<RowStore, 'read'>, slots: readonly number[]) {
    this.#rowStore = rowStore
    this.slots = slots
    this.#unread = new Set(slots)
  }

  /**
   * To be called before changes are committed. Where a row that changes cannot be read, the snapshot fails and not the
   * change.
   */
  async changing(changes: readonly StorageChange[]): Promise<void> {
    const slots = new Set(
      changes.flatMap(({ op, slot }) =>
        op !== 'put' && this.#unread.has(slot) && !this.#before.has(slot) ? [slot] : [],
      ),
    )
    try {
      for (const row of slots.size === 0 ? [] : await this.#rowStore.read([...slots])) this.#before.set(row.slot, row)
    } catch (error) {
      this.#failure ??= error
    }
  }

  /**
   * The next rows, in order, `count` of them; none at the end. Must not overlap with a commit. Rejects with what {@link
   * changing} failed with.
   */
  async read(count: number): Promise<StoredEpisode[]> {
    if (this.#failure !== undefined) throw this.#failure
    const slots = this.slots.slice(this.#next, (this.#next += count))
    const rows = new Map<number, StoredEpisode>()
    for (const row of await this.#rowStore.read(slots.filter((slot) => !this.#before.has(slot))))
      rows.set(row.slot, row)
    return slots.map((slot) => {
      const row = this.#before.get(slot) ?? rows.get(slot)!
      this.#before.delete(slot)
      this.#unread.delete(slot)
      return row
    })
  }
}
