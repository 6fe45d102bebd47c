import { SerialQueue } from '../base/serial-queue.js'
import type { Episode } from '../api/episode.js'
import { Bits } from '../base/bits.js'
import type { MemoryContext } from './context.js'

/** Episodes that are read at once. */
const READ = 64

/** What a table makes of the texts of episodes. */
export interface TextTable {
  /** The slots of which it holds something. */
  readonly slots: () => Iterable<number>
  /** Whether there may be something for it in the episode of a slot; else the episode is not read. */
  readonly tells: (slot: number) => boolean
  /** Called before episodes are read. */
  readonly prepare?: () => Promise<void>
  readonly add: (slot: number, episode: Episode) => void
  /** Takes out all of a slot; one of which it holds nothing may be given, too. */
  readonly remove: (slot: number) => void
}

/** Which episodes a table of texts has read. It reads the others when they are first asked for. */
export class ReadSlots {
  readonly #context: Pick<MemoryContext, 'fetch' | 'indexes'>
  readonly #table: TextTable
  readonly #known = new Bits()
  /** Slots whose texts may be others than they were when they were read. */
  readonly #doubtful = new Set<number>()
  /** One reading after the other, so that what was read first is not taken in last. */
  readonly #readings = new SerialQueue()

  constructor(context: Pick<MemoryContext, 'fetch' | 'indexes'>, table: TextTable) {
    this.#context = context
    this.#table = table
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return this.#known.bytes
  }

  /** Has the texts of slots be read anew before they are next asked for. */
  doubt(slots: Iterable<number>): void {
    for (const slot of slots) this.#doubtful.add(slot)
  }

  isDoubtful(slot: number): boolean {
    return this.#doubtful.has(slot)
  }

  /** Takes in all that is there up to a slot, and out what went. */
  readThrough(last: number, breathe: () => Promise<void>): Promise<void> {
    return this.#readings.run(() => {
      const { catalog } = this.#context.indexes
      for (const slot of [...this.#table.slots()]) if (!catalog.has(slot)) this.#remove(slot)
      const there: number[] = []
      for (const slot of catalog.slots()) {
        if (slot > last) break
        there.push(slot)
      }
      return this.#read(there, breathe)
    })
  }

  /** Takes in the episodes of slots. */
  read(slots: readonly number[], breathe: () => Promise<void>): Promise<void> {
    return this.#readings.run(() => this.#read(slots, breathe))
  }

  async #read(slots: readonly number[], breathe: () => Promise<void>): Promise<void> {
    const { fetch, indexes } = this.#context
    const unknown = slots.filter((slot) => this.#doubtful.has(slot) || !this.#known.has(slot))
    for (const slot of unknown) if (this.#doubtful.delete(slot)) this.#remove(slot)
    const telling = unknown.filter((slot) => {
      if (this.#table.tells(slot)) return true
      this.#known.add(slot)
      return false
    })
    if (telling.length === 0) return
    try {
      await this.#table.prepare?.()
      for (let i = 0; i < telling.length; i += READ) {
        const part = telling.slice(i, i + READ)
        for (const [j, episode] of (await fetch(part)).entries()) {
          if (episode === undefined || indexes.catalog.slot(episode.id) !== part[j]) continue
          this.#table.add(part[j], episode)
          this.#known.add(part[j])
        }
        await breathe()
      }
    } catch (error) {
      this.doubt(unknown)
      throw error
    }
  }

  #remove(slot: number): void {
    this.#table.remove(slot)
    this.#known.remove(slot)
  }
}
