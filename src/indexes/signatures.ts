import { ENCODER_VERSION } from '../encoding/encoder.js'
import { isMarked, MAKER_BYTES } from '../encoding/latent.js'
import { decodeEpisode } from '../records/kinds/episode.js'
import { SIGNATURE_BYTES } from '../kernel/port.js'
import type { PackedSignatures, SignatureKind, SignatureStore } from '../api/storage.js'
import type { Indexes } from './indexes.js'

/** The signatures that are read from the storage: those of large arenas. */
export type ReadKind = Exclude<SignatureKind, 'structured'>

/** Is given a signature as its arena has it: the {@link SIGNATURE_BYTES} from `at` on, valid only during the call. */
export type VisitSignature = (slot: number, kind: ReadKind, bytes: Uint8Array, at: number) => void

/** Gives the signatures of live slots, in any order. */
export type FetchSignatures = (slots: Uint32Array, visit: VisitSignature) => Promise<void>

/**
 * Reads signatures from the storage. Those that the indexes made again because they did not fit are made again here,
 * too. `undefined` where the storage keeps no signatures.
 */
export function signaturesFrom(stored: SignatureStore | undefined, indexes: Indexes): FetchSignatures | undefined {
  if (stored === undefined) return undefined
  /** Where a signature begins, after the mark of its maker; −1 where there is none of this maker. */
  const startOf = (packed: PackedSignatures, kind: 'latent' | 'sentence') => {
    const start = packed.start(kind)
    const maker = kind === 'latent' ? indexes.latents?.codebook.id : indexes.sentences?.maker
    return start >= 0 && maker !== undefined && isMarked(maker, packed.bytes, start) ? start + MAKER_BYTES : -1
  }
  return async (slots, visit) => {
    const others: number[] = []
    await stored.visitPacked(slots, (slot, packed) => {
      const [text, latent, sentence] = [packed.start('text'), startOf(packed, 'latent'), startOf(packed, 'sentence')]
      if (packed.encoder !== ENCODER_VERSION || (latent < 0 && indexes.latents?.arena.has(slot)))
        return void others.push(slot)
      if (text >= 0) visit(slot, 'text', packed.bytes, text)
      if (latent >= 0) visit(slot, 'latent', packed.bytes, latent)
      if (sentence >= 0) visit(slot, 'sentence', packed.bytes, sentence)
    })
    if (others.length === 0) return
    await stored.visitEpisodes(others, ({ slot, row, signatures, encoder }) => {
      const made = indexes.unmarked(decodeEpisode(row), { signatures, encoder })
      for (const kind of ['text', 'latent', 'sentence'] as const)
        if (made[kind] !== undefined) visit(slot, kind, made[kind], 0)
    })
  }
}
