import type { Episode } from '../../api/episode.js'
import type { Ordered } from '../../encoding/ontology.js'
import { HEAP } from '../../base/heap-size.js'
import type { MemoryContext } from '../context.js'
import { ReadSlots } from '../read-slots.js'
import type { Voice } from '../voices.js'
import { isBelievable, meetingsOf, type Stated, statementsOf } from './statement.js'

/** Bytes of one statement, about: itself, its words and keys. */
const STATEMENT = 3 * HEAP.object + 12 * HEAP.field + 2 * HEAP.key

/** What episodes say that is so, and by which voices. */
interface SaidBy {
  readonly meant: Ordered<string>
  readonly voices: Map<string, { readonly voice: Voice; uses: number }>
}

/** What episodes state of a relation of something. */
interface Meeting {
  /** Ascending; some may be gone. */
  readonly slots: number[]
  /** By the keys of the statements. */
  readonly said: Map<string, SaidBy>
}

/** What live episodes state, by what it is about. It reads their rows when it is first asked. */
export class StatementTable {
  readonly #context: Pick<MemoryContext, 'fetch' | 'indexes'>
  readonly #bySlot = new Map<number, { readonly stated: readonly Stated[]; readonly voice: Voice }>()
  readonly #meetings = new Map<string, Meeting>()
  readonly #read: ReadSlots
  /** Slots that are to be read again. */
  readonly #doubtful = new Set<number>()
  /** The last slot that was read. */
  #through = -1
  #size = 0

  /** @param voiceOf tells who says what an episode states. */
  constructor(context: Pick<MemoryContext, 'fetch' | 'indexes'>, voiceOf: (episode: Episode) => Voice) {
    this.#context = context
    const { concepts } = context.indexes
    this.#read = new ReadSlots(context, {
      slots: () => this.#bySlot.keys(),
      tells: (slot) => concepts.of(slot).length > 0,
      add: (slot, episode) =>
        this.#add(slot, statementsOf(context.indexes.ontology, episode.triples), voiceOf(episode)),
      remove: (slot) => this.#remove(slot),
    })
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return (
      this.#size * STATEMENT +
      this.#bySlot.size * (HEAP.entry + HEAP.array) +
      this.#meetings.size * (HEAP.key + HEAP.map + HEAP.array)
    )
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

  /**
   * The live slots that state something of the relation of what a statement is about, ascending.
   *
   * @param most of them the last so many. Default: all.
   */
  slots(meant: Ordered<string>, most = Infinity): number[] {
    const { catalog } = this.#context.indexes
    const found = new Set<number>()
    for (const meeting of meetingsOf(meant)) {
      const slots = this.#meetings.get(meeting)?.slots ?? []
      let count = 0
      for (let i = slots.length - 1; i >= 0 && count < most; i--) {
        if (!catalog.has(slots[i])) continue
        found.add(slots[i])
        count++
      }
    }
    const sorted = [...found].sort((a, b) => a - b)
    return sorted.length > most ? sorted.slice(-most) : sorted
  }

  /** What episodes say that is so of the relation of what a statement is about, by the keys of the statements. */
  *believableBeside(meant: Ordered<string>): Generator<[key: string, meant: Ordered<string>]> {
    for (const meeting of meetingsOf(meant))
      for (const [key, { meant }] of this.#meetings.get(meeting)?.said ?? []) yield [key, meant]
  }

  /** The voices by which a statement is made. */
  voices({ meant, key }: Pick<Stated, 'meant' | 'key'>): Voice[] {
    const said = this.#meetings.get(meetingsOf(meant)[0])?.said.get(key)
    return Array.from(said?.voices.values() ?? [], ({ voice }) => voice)
  }

  /** What the episode of a slot states. */
  of(slot: number): readonly Stated[] {
    return this.#bySlot.get(slot)?.stated ?? []
  }

  #add(slot: number, stated: readonly Stated[], voice: Voice): void {
    this.#bySlot.set(slot, { stated, voice })
    this.#size += stated.length
    for (const { meant, key } of stated)
      for (const name of meetingsOf(meant)) {
        const meeting = this.#meetings.get(name) ?? { slots: [], said: new Map() }
        this.#meetings.set(name, meeting)
        const at = firstFrom(meeting.slots, slot)
        if (meeting.slots[at] !== slot) meeting.slots.splice(at, 0, slot)
        if (!isBelievable(meant)) continue
        const said = meeting.said.get(key) ?? { meant, voices: new Map() }
        const uses = said.voices.get(voice.name)?.uses ?? 0
        said.voices.set(voice.name, { voice, uses: uses + 1 })
        meeting.said.set(key, said)
      }
  }

  #remove(slot: number): void {
    const { stated, voice } = this.#bySlot.get(slot) ?? { stated: [] }
    this.#size -= stated.length
    for (const { meant, key } of stated)
      for (const name of meetingsOf(meant)) {
        const meeting = this.#meetings.get(name)
        if (meeting === undefined) continue
        const at = firstFrom(meeting.slots, slot)
        if (meeting.slots[at] === slot) meeting.slots.splice(at, 1)
        const said = isBelievable(meant) ? meeting.said.get(key) : undefined
        const by = said?.voices.get(voice!.name)
        if (by !== undefined && --by.uses === 0) said!.voices.delete(voice!.name)
        if (said?.voices.size === 0) meeting.said.delete(key)
        if (meeting.slots.length + meeting.said.size === 0) this.#meetings.delete(name)
      }
    this.#bySlot.delete(slot)
  }
}

/** The place of the first of some slots, which are ascending, that is not before one. */
function firstFrom(slots: readonly number[], slot: number): number {
  let [low, high] = [0, slots.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (slots[middle] < slot) low = middle + 1
    else high = middle
  }
  return low
}
