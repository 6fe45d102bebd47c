import { ENCODER_VERSION } from '../encoding/encoder.js'
import type { SpaceKind } from '../encoding/spaces/spaces.js'
import { decodeEpisode } from '../records/kinds/episode.js'
import type { SignatureStore } from '../api/storage.js'
import type { Indexes } from './indexes.js'

/**
 * Is given a signature of a large space as its arena has it: the bytes of one from `at` on, valid only during the call.
 */
export type VisitSignature = (slot: number, kind: SpaceKind, bytes: Uint8Array, at: number) => void

/** Gives the signatures of live slots in the large spaces, in any order. */
export type FetchSignatures = (slots: Uint32Array, visit: VisitSignature) => Promise<void>

/**
 * Reads signatures from the storage. Those that the indexes made again because they could not be used are made again
 * here, too. `undefined` where the storage keeps no signatures.
 */
export function signaturesFrom(stored: SignatureStore | undefined, indexes: Indexes): FetchSignatures | undefined {
  if (stored === undefined) return undefined
  return async (slots, visit) => {
    const large = indexes.signatures.arenas.filter(({ space }) => space.search.isLarge)
    const starts = new Int32Array(large.length)
    const others: number[] = []
    await stored.visitPacked(slots, (slot, packed) => {
      let isUsable = packed.encoder === ENCODER_VERSION
      for (let i = 0; i < large.length; i++) {
        starts[i] = large[i].startIn(packed)
        if (starts[i] < 0 && large[i].canMakeAgain && large[i].arena.has(slot)) isUsable = false
      }
      if (!isUsable) return void others.push(slot)
      for (let i = 0; i < large.length; i++) if (starts[i] >= 0) visit(slot, large[i].kind, packed.bytes, starts[i])
    })
    if (others.length === 0) return
    await stored.visitEpisodes(others, ({ slot, row, signatures, encoder }) => {
      const made = indexes.unmarked(decodeEpisode(row), { signatures, encoder })
      for (const { kind } of large) if (made[kind] !== undefined) visit(slot, kind, made[kind], 0)
    })
  }
}
