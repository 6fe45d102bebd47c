import { EXPIRES_AT } from '../api/attribute.js'
import type { FilterTree } from '../api/check-filter.js'
import { bitsOf } from '../base/bits.js'
import type { Indexes } from './indexes.js'

/**
 * The live slots that pass a filter, as a bit set: worked out once, with no row read. Valid for what is indexed now: an
 * episode that comes later is not in it, and one that goes stays in it.
 */
export function slotsOfFilter(indexes: Indexes, filter: FilterTree): Uint32Array {
  const words = indexes.catalog.live.slice()
  narrow(indexes, filter, words)
  return words
}

/**
 * The live slots that pass a filter and have not expired by a time (epoch milliseconds), as a bit set; `undefined`
 * where that is all of them. What has expired is forgotten a little later; until then no answer shows it.
 */
export function unexpiredSlots(indexes: Indexes, filter: FilterTree | undefined, now: number): Uint32Array | undefined {
  const { catalog, attributes } = indexes
  const words = filter && slotsOfFilter(indexes, filter)
  if (!attributes.hasOrdered(EXPIRES_AT)) return words
  const expired = new Uint32Array(catalog.live.length)
  attributes.addWithin(EXPIRES_AT, undefined, { value: now, open: false }, expired)
  if (expired.every((word) => word === 0)) return words
  const left = words ?? catalog.live.slice()
  for (let word = 0; word < left.length; word++) left[word] &= ~expired[word]
  return left
}

/** Leaves in a bit set of live slots those that pass. */
function narrow(indexes: Indexes, filter: FilterTree, words: Uint32Array): void {
  const { catalog, timeline, attributes } = indexes
  const keep = (add: (found: Uint32Array) => void) => {
    const found = new Uint32Array(words.length)
    add(found)
    for (let word = 0; word < words.length; word++) words[word] &= found[word]
  }
  switch (filter.kind) {
    case 'and': {
      // What is looked up leaves few slots, which is all that a column is then read for.
      const parts = [...filter.parts].sort((a, b) => COST[a.kind] - COST[b.kind])
      for (const part of parts) narrow(indexes, part, words)
      return
    }
    case 'or':
      return keep((found) => {
        for (const part of filter.parts) {
          const passed = words.slice()
          narrow(indexes, part, passed)
          for (let word = 0; word < words.length; word++) found[word] |= passed[word]
        }
      })
    case 'not': {
      const passed = words.slice()
      narrow(indexes, filter.part, passed)
      for (let word = 0; word < words.length; word++) words[word] &= ~passed[word]
      return
    }
    case 'id': {
      const slots = filter.ids.map((id) => catalog.slot(id)).filter((slot) => slot !== undefined)
      return keep((found) => found.set(bitsOf(slots, words.length)))
    }
    case 'named': {
      const { field, names } = filter
      if (field !== 'session') return catalog.named(field, names).narrow(words)
      return keep((found) => {
        for (const name of names) for (const slot of timeline.of(name)) found[slot >> 5] |= 1 << (slot & 31)
      })
    }
    case 'time':
      return catalog.within(filter.field, filter.span).narrow(words)
    case 'value':
      return keep((found) => attributes.addEqual(filter.attribute, filter.values, found))
    case 'range':
      return keep((found) => attributes.addWithin(filter.attribute, filter.low, filter.high, found))
    case 'exists':
      return keep((found) => attributes.addPresent(filter.attribute, found))
  }
}

/** In which order the parts of a filter are applied: what leaves fewest and reads least comes first. */
const COST: Readonly<Record<FilterTree['kind'], number>> = {
  id: 0,
  value: 1,
  range: 2,
  exists: 2,
  named: 3,
  time: 3,
  and: 4,
  or: 5,
  not: 5,
}
