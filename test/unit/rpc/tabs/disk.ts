import { AgidbError } from '../../../../src/base/errors.js'
import type { RowStore, StorageAdapter, StorageChange } from '../../../../src/api/storage.js'
import { MemoryFile } from '../../storage/memory-file.js'
import type { FakePlace } from './origin.js'

/** A disk that outlives the tabs: one at a time can have it open, and one that died has it no more. */
export class Disk {
  readonly rows = new Map<number, { readonly id: string; readonly row: Uint8Array }>()
  /** Where the keys of an encrypted memory are. */
  readonly keys = new MemoryFile()
  #nextSlot = 0
  #holder: FakePlace | undefined
  /** Opening waits for this. */
  ready: Promise<void> = Promise.resolve()
  /** Called when it is in use by another. */
  refused: () => void = () => {}
  /**
   * Called with each commit, and what takes the place of all, before it is written, and after. What dies there never
   * has its answer.
   */
  before: (changes: readonly StorageChange[]) => void = () => {}
  after: (changes: readonly StorageChange[]) => void = () => {}

  storage(place: FakePlace): StorageAdapter {
    const never = new Promise<never>(() => {})
    const rows: RowStore = {
      commit: async (changes) => {
        if (place.isDead) return never
        this.before(changes)
        if (place.isDead) return never
        if (this.#holder !== place) throw new Error('a tab wrote that does not hold the disk')
        for (const change of changes) this.#apply(change)
        this.after(changes)
        if (place.isDead) return never
      },
      get: async (slots) => slots.map((slot) => this.rows.get(slot)?.row),
      slots: async () => [...this.rows.keys()].sort((a, b) => a - b),
      read: async (slots) =>
        slots.flatMap((slot) => (this.rows.has(slot) ? [{ slot, ...this.rows.get(slot)!, signatures: {} }] : [])),
      replace: async (fill) => {
        const others: StorageChange[] = []
        await fill(
          async (episodes) =>
            void others.push(...episodes.map((episode): StorageChange => ({ op: 'put', ...episode }))),
        )
        this.before(others)
        if (place.isDead) return never
        this.rows.clear()
        this.#nextSlot = 0
        for (const change of others) this.#apply(change)
        this.after(others)
        if (place.isDead) return never
      },
    }
    return {
      open: async (visit, _checkpoint, _onDeleted, onKeys) => {
        await this.ready
        if (this.#holder !== undefined && this.#holder !== place && !this.#holder.isDead) {
          this.refused()
          throw new AgidbError('AGIDB_IN_USE', 'another tab has the disk')
        }
        await onKeys?.(this.keys)
        this.#holder = place
        for (const [slot, { id, row }] of [...this.rows].sort(([a], [b]) => a - b))
          visit({ slot, id, row, signatures: {} })
        return {
          databaseId: '0'.repeat(32),
          nextSlot: this.#nextSlot,
          rows,
          flush: async () => {},
          stats: async () => ({
            name: 'disk',
            bytes: 0,
            durability: 'strict',
            durabilityReason: 'a test',
            opening: [],
          }),
          close: async () => {
            if (this.#holder === place) this.#holder = undefined
          },
        }
      },
    }
  }

  #apply(change: StorageChange): void {
    const { op, slot, id } = change
    this.#nextSlot = Math.max(this.#nextSlot, slot + 1)
    if (op === 'put') {
      if (this.rows.has(slot)) throw new Error(`slot ${slot} was put twice`)
      this.rows.set(slot, { id, row: change.row.slice() })
    } else if (op === 'update') this.rows.set(slot, { id, row: change.row.slice() })
    else if (op === 'remove') this.rows.delete(slot)
  }

  /** Whoever writes dies at so many commits from now, before the last is written or after; 0: nobody does. */
  dieIn(commits: number, when: 'before' | 'after'): void {
    let left = commits
    const die = () => {
      if (--left === 0) this.#holder?.die()
    }
    this.before = when === 'before' ? die : () => {}
    this.after = when === 'after' ? die : () => {}
  }

  /** How many rows of a kind there are, by their first byte. */
  count(tag: number): number {
    return [...this.rows.values()].filter(({ row }) => row[0] === tag).length
  }
}
