import type { Bound } from '../api/check-filter.js'
import type { Episode } from '../api/episode.js'
import type { MetadataValue } from '../api/filter.js'
import type { CheckpointParts } from '../base/checkpoint-parts.js'
import { Column } from '../base/column.js'
import { HEAP, sampledBytes } from '../base/heap-size.js'
import { Interner } from '../base/interner.js'
import { entriesOf, type Entry, entryOf, orderOf, presenceOf, tagOf } from './attribute-entries.js'
import { EntryList } from './entry-list.js'
import { Lists } from './lists.js'
import type { Index } from './port.js'
import { SlotSet } from './slot-set.js'
import { type Outside, SortedEntries } from './sorted-entries.js'

/** Indexes tags, the values of metadata, and when an episode expires. */
export function attributeIndex(): Index<Attributes> {
  const attributes = new Attributes()
  return {
    contents: attributes,
    add: (slot, episode) => attributes.add(slot, episode),
    update: (slot, episode) => attributes.update(slot, episode),
    remove: (slot) => attributes.remove(slot),
  }
}

/** The entries of an attribute that have an order: of each type in any order, and in that of their values. */
interface Ordered {
  readonly numbers: EntryList
  readonly strings: EntryList
  readonly ascending: { readonly numbers: SortedEntries; readonly strings: SortedEntries }
}

/**
 * Which episodes have which attributes with which values. Each {@link Entry} has a number, and the set of the slots
 * that have it.
 */
export class Attributes {
  readonly #numbers = new Interner()
  /** By slot the numbers of its entries. */
  readonly #entriesOf = new Lists(Uint32Array)
  /** By entry. Most values that differ from episode to episode, such as ids, have one slot: it stands there alone. */
  readonly #slotsOf: (number | SlotSet | undefined)[] = []
  readonly #ordered = new Map<string, Ordered>()
  /** By entry, of the values that are numbers. */
  readonly #valueOf = new Column(Float64Array, NaN)
  /** By entry, its place in an {@link EntryList}. */
  readonly #placeOf = new Column(Uint32Array, 0)

  /** Different entries. */
  get size(): number {
    return this.#numbers.size
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    const sets = sampledBytes(
      this.#slotsOf,
      this.#slotsOf.length,
      (slots) => HEAP.field + (slots instanceof SlotSet ? slots.bytes : 0),
    )
    let lists = 0
    for (const { numbers, strings, ascending } of this.#ordered.values())
      lists += HEAP.map + numbers.bytes + strings.bytes + ascending.numbers.bytes + ascending.strings.bytes
    return this.#numbers.bytes + this.#entriesOf.bytes + this.#valueOf.bytes + this.#placeOf.bytes + sets + lists
  }

  add(slot: number, episode: Episode): void {
    const entries = entriesOf(episode)
    if (entries !== undefined) this.#enter(slot, entries)
  }

  /** Takes over the attributes of an episode as they are now. */
  update(slot: number, episode: Episode): void {
    const entries = entriesOf(episode)
    const before = this.#entriesOf.get(slot)
    if (before.length === (entries?.size ?? 0) && before.every((entry) => entries!.has(this.#numbers.name(entry)!)))
      return
    this.remove(slot)
    if (entries !== undefined) this.#enter(slot, entries)
  }

  /** The tags of an episode, sorted. */
  tags(slot: number): string[] {
    const tags: string[] = []
    const list = this.#entriesOf.get(slot)
    for (const entry of list) {
      const tag = tagOf(this.#numbers.name(entry)!)
      if (tag !== undefined) tags.push(tag)
    }
    return tags.length > 1 ? tags.sort() : tags
  }

  remove(slot: number): void {
    for (const entry of this.#entriesOf.get(slot)) {
      const slots = this.#slotsOf[entry]
      if (slots instanceof SlotSet) slots.remove(slot)
      if (this.#numbers.uses(entry) === 1) this.#end(entry)
      this.#numbers.remove(entry)
    }
    this.#entriesOf.remove(slot)
  }

  /** Whether any episode has a value of the attribute that has an order. */
  hasOrdered(attribute: string): boolean {
    return this.#ordered.has(attribute)
  }

  /** The least number that any episode has as a value of the attribute; `Infinity` where none has one. */
  least(attribute: string): number {
    let least = Infinity
    for (const entry of this.#ordered.get(attribute)?.numbers.entries ?? [])
      least = Math.min(least, this.#valueOf.get(entry))
    return least
  }

  /** Adds the slots to a bit set whose attribute has one of some values. */
  addEqual(attribute: string, values: readonly MetadataValue[], words: Uint32Array): void {
    for (const value of values) this.#addEntry(entryOf(attribute, value), words)
  }

  /** Adds the slots to a bit set that have the attribute. */
  addPresent(attribute: string, words: Uint32Array): void {
    this.#addEntry(presenceOf(attribute), words)
  }

  /** Adds the slots to a bit set whose attribute lies between two numbers, or between two strings. */
  addWithin(attribute: string, low: Bound | undefined, high: Bound | undefined, words: Uint32Array): void {
    const ordered = this.#ordered.get(attribute)
    if (ordered === undefined) return
    const { numbers, strings, ascending } = ordered
    if (typeof (low ?? high)?.value === 'number') {
      const range = new Range(low as Limit<number>, high as Limit<number>, (entry) => this.#valueOf.get(entry))
      for (const entry of ascending.numbers.within(numbers.entries, range)) this.#addSlots(entry, words)
      return
    }
    // Entries of one attribute and type begin alike, so they stand to each other as their values do.
    const [from, to] = [low, high].map((bound) => bound && { ...bound, value: entryOf(attribute, bound.value) })
    const range = new Range(from, to, (entry) => this.#numbers.name(entry)!)
    for (const entry of ascending.strings.within(strings.entries, range)) this.#addSlots(entry, words)
  }

  save(parts: CheckpointParts, name: string): void {
    this.#numbers.save(parts, `${name}.entries`)
    this.#entriesOf.save(parts, `${name}.entriesOf`)
  }

  load(parts: CheckpointParts, name: string): void {
    this.#numbers.load(parts, `${name}.entries`)
    this.#entriesOf.load(parts, `${name}.entriesOf`)
    for (const slot of this.#entriesOf.slots()) for (const entry of this.#entriesOf.get(slot)) this.#put(entry, slot)
  }

  #enter(slot: number, entries: ReadonlySet<Entry>): void {
    const numbers = Array.from(entries, (entry) => this.#numbers.add(entry))
    for (const entry of numbers) this.#put(entry, slot)
    this.#entriesOf.set(slot, numbers)
  }

  /** Adds a slot to those of an entry, which begins with the first. */
  #put(entry: number, slot: number): void {
    const slots = this.#slotsOf[entry]
    if (slots === undefined) {
      while (this.#slotsOf.length < entry) this.#slotsOf.push(undefined) // an array with holes is a slow one
      this.#slotsOf[entry] = slot
      this.#begin(entry)
    } else if (slots instanceof SlotSet) slots.add(slot)
    else {
      const both = new SlotSet()
      both.add(slots)
      both.add(slot)
      this.#slotsOf[entry] = both
    }
  }

  #begin(entry: number): void {
    const { attribute, value } = orderOf(this.#numbers.name(entry)!)
    if (value === undefined) return
    let ordered = this.#ordered.get(attribute)
    if (ordered === undefined) {
      ordered = {
        numbers: new EntryList(this.#placeOf),
        strings: new EntryList(this.#placeOf),
        ascending: {
          numbers: new SortedEntries((a, b) => this.#valueOf.get(a) - this.#valueOf.get(b)),
          strings: new SortedEntries((a, b) => (this.#numbers.name(a)! < this.#numbers.name(b)! ? -1 : 1)),
        },
      }
      this.#ordered.set(attribute, ordered)
    }
    if (value !== 'string') this.#valueOf.set(entry, value)
    const type = value === 'string' ? 'strings' : 'numbers'
    ordered[type].add(entry)
    ordered.ascending[type].add(entry)
  }

  /** Takes an entry out that no slot has any more. */
  #end(entry: number): void {
    this.#slotsOf[entry] = undefined
    const { attribute, value } = orderOf(this.#numbers.name(entry)!)
    if (value === undefined) return
    const ordered = this.#ordered.get(attribute)!
    const { numbers, strings } = ordered
    const type = value === 'string' ? 'strings' : 'numbers'
    ordered[type].remove(entry)
    ordered.ascending[type].remove(entry)
    if (value !== 'string') this.#valueOf.set(entry, NaN)
    if (numbers.size + strings.size === 0) this.#ordered.delete(attribute)
  }

  #addEntry(text: Entry, words: Uint32Array): void {
    const entry = this.#numbers.find(text)
    if (entry !== undefined) this.#addSlots(entry, words)
  }

  #addSlots(entry: number, words: Uint32Array): void {
    const slots = this.#slotsOf[entry]!
    if (slots instanceof SlotSet) slots.addTo(words)
    else if (slots >> 5 < words.length) words[slots >> 5] |= 1 << (slots & 31)
  }
}

type Limit<V> = { readonly value: V; readonly open: boolean } | undefined

/** Tells of entries whether they lie outside of a range, and on which side. */
class Range<V extends number | string> implements Outside {
  readonly #low: Limit<V>
  readonly #high: Limit<V>
  readonly #valueOf: (entry: number) => V

  constructor(low: Limit<V>, high: Limit<V>, valueOf: (entry: number) => V) {
    this.#low = low
    this.#high = high
    this.#valueOf = valueOf
  }

  isBefore(entry: number): boolean {
    if (this.#low === undefined) return false
    const value = this.#valueOf(entry)
    return value < this.#low.value || (this.#low.open && value === this.#low.value)
  }

  isBehind(entry: number): boolean {
    if (this.#high === undefined) return false
    const value = this.#valueOf(entry)
    return value > this.#high.value || (this.#high.open && value === this.#high.value)
  }
}
