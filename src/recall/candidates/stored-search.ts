import type { NearestQuery, SignatureStore } from '../../api/storage.js'
import { countBits } from '../../base/bits.js'
import { mark, MAKER_BYTES } from '../../encoding/latent.js'
import type { Indexes } from '../../indexes/indexes.js'
import { SlotArena } from '../../indexes/slot-arena.js'
import { DIMENSION, type Hits, type Query, SIGNATURE_BYTES } from '../../kernel/port.js'

import { searchArenas, type VectorQuery, type VectorSearch } from './vector-search.js'

/** Searches signatures where they are stored; those of small spaces, and of senses, in this thread. */
export function storedSearch(indexes: Indexes, stored: SignatureStore): VectorSearch {
  /** Spaces in which there is more in the storage than in the indexes. */
  const mixed = new Set<string>()
  const search = async (asked: VectorQuery, k: number, filter: Uint32Array | undefined): Promise<Hits> => {
    const own = indexes.signatures.get(asked.space)
    if (!(own?.arena instanceof SlotArena)) return searchArenas(indexes, [asked], k, filter)[0]
    const { arena, maker } = own
    const nearest = async (allowed: Uint32Array | undefined) =>
      arena.size === 0 ? [] : stored.nearest!(toStored(asked, maker.id), k, allowed)
    // What is no episode, is to be removed or is not yet in the indexes would take the place of others.
    let found = mixed.has(asked.space) ? undefined : await nearest(filter)
    if (found === undefined || found.some(({ slot }) => !arena.has(slot))) {
      mixed.add(asked.space)
      found = await nearest(both(arena.words, filter))
    }
    const there = found.filter(({ slot }) => arena.has(slot))
    const most = weightOf(asked.query)
    return {
      slots: Uint32Array.from(there, ({ slot }) => slot),
      scores: Int32Array.from(there, ({ distance }) => most - 2 * distance),
    }
  }
  return {
    async search(queries, k, filter) {
      const found = await Promise.all(queries.map((query) => search(query, k, filter)))
      // They are scored next, all in one reading.
      await indexes.text.bring?.(Uint32Array.from(new Set(found.flatMap(({ slots }) => [...slots]))))
      return found
    },
  }
}

function toStored({ space, query: { signs, planes } }: VectorQuery, maker: string | undefined): NearestQuery {
  if (maker === undefined) return { kind: space, signs, planes }
  const bytes = new Uint8Array(MAKER_BYTES)
  mark(maker, bytes)
  return { kind: space, signs, planes, mark: bytes }
}

/** The sum of the weights of all dimensions: the score of a signature that is as the query. */
function weightOf({ planes }: Query): number {
  if (planes === undefined) return DIMENSION
  let sum = 0
  for (let plane = 0; plane * SIGNATURE_BYTES < planes.length; plane++) {
    const bits = planes.slice(plane * SIGNATURE_BYTES, (plane + 1) * SIGNATURE_BYTES)
    sum += countBits(new Uint32Array(bits.buffer)) * 2 ** plane
  }
  return sum
}

/** The slots of a bit set that another has, too. */
function both(words: Uint32Array, filter: Uint32Array | undefined): Uint32Array {
  return filter === undefined ? words.slice() : words.map((word, i) => word & (i < filter.length ? filter[i] : 0))
}
