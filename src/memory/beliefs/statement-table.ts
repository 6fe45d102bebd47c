import type { Ordered } from '../../encoding/ontology.js'
import { HEAP } from '../../base/heap-size.js'
import { enter, leave } from '../../base/set-map.js'
import type { MemoryContext } from '../context.js'
import { ReadSlots } from '../read-slots.js'
import { isBelievable, meetingsOf, type Stated, statementKey, statementsOf } from './statement.js'

/** Bytes of one statement, about: itself, its words and keys. */
const STATEMENT = 3 * HEAP.object + 12 * HEAP.field + 2 * HEAP.key

/** What live episodes state, by what it is about. It reads their rows when it is first asked. */
export class StatementTable {
  readonly #context: Pick<MemoryContext, 'fetch' | 'indexes'>
  readonly #bySlot = new Map<number, readonly Stated[]>()
  readonly #slots = new Map<string, Set<number>>()
  readonly #read: ReadSlots
  /** Slots that are to be read again. */
  readonly #doubtful = new Set<number>()
  /** The last slot that was read. */
  #through = -1
  #size = 0

  constructor(context: Pick<MemoryContext, 'fetch' | 'indexes'>) {
    this.#context = context
    const { concepts } = context.indexes
    this.#read = new ReadSlots(context, {
      slots: () => this.#bySlot.keys(),
      tells: (slot) => concepts.of(slot).length > 0,
      add: (slot, { triples }) => this.#add(slot, statementsOf(context.indexes.ontology, triples)),
      remove: (slot) => this.#remove(slot),
    })
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return this.#size * STATEMENT + this.#bySlot.size * (HEAP.entry + HEAP.array) + this.#slots.size * HEAP.set
  }

  /** Has the statements of slots be read anew before they are next asked for. */
  doubt(slots: Iterable<number>): void {
    const all = [...slots]
    this.#read.doubt(all)
    for (const slot of all) this.#doubtful.add(slot)
  }

  /** Takes in what is there now. */
  async read(breathe: () => Promise<void>): Promise<void> {
    const { catalog } = this.#context.indexes
    const doubtful = [...this.#doubtful].filter((slot) => slot <= this.#through)
    const fresh = [...catalog.slots(this.#through + 1)]
    await this.#read.read([...doubtful, ...fresh], breathe)
    this.#doubtful.clear()
    this.#through = fresh.at(-1) ?? this.#through
  }

  /** The live slots that state something of the relation of what a statement is about, ascending. */
  slots(meant: Ordered<string>): number[] {
    const { catalog } = this.#context.indexes
    const slots = new Set(meetingsOf(meant).flatMap((meeting) => [...(this.#slots.get(meeting) ?? [])]))
    return [...slots].filter((slot) => catalog.has(slot)).sort((a, b) => a - b)
  }

  /** What live episodes say that is so of the relation of what a statement is about, each once. */
  believableBeside(meant: Ordered<string>): Map<string, Ordered<string>> {
    const found = new Map<string, Ordered<string>>()
    for (const slot of this.slots(meant))
      for (const { meant: other } of this.of(slot))
        if (other.relation === meant.relation && isBelievable(other)) found.set(statementKey(other), other)
    return found
  }

  /** What the episode of a slot states. */
  of(slot: number): readonly Stated[] {
    return this.#bySlot.get(slot) ?? []
  }

  #add(slot: number, stated: readonly Stated[]): void {
    this.#bySlot.set(slot, stated)
    this.#size += stated.length
    for (const { meant } of stated) for (const meeting of meetingsOf(meant)) enter(this.#slots, meeting, slot)
  }

  #remove(slot: number): void {
    const stated = this.of(slot)
    this.#size -= stated.length
    for (const { meant } of stated) for (const meeting of meetingsOf(meant)) leave(this.#slots, meeting, slot)
    this.#bySlot.delete(slot)
  }
}
