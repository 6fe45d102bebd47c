import { ENCODER_VERSION } from '../hdc/encoder.js'
import { decodeRow } from '../floors/episodic.js'
import type { Signatures, Storage } from '../storage/port.js'
import type { Indexes } from './indexes.js'

/** Gives the signatures of live slots, in any order, as the arenas have them. They may be views that are valid only during the call. */
export type FetchSignatures = (slots: Uint32Array, visit: (slot: number, signatures: Signatures) => void) => Promise<void>

/**
 * Reads signatures from the storage. Those that the indexes made again because they did not fit are made again here, too.
 * `undefined` where the storage keeps no signatures.
 */
export function signaturesFrom(storage: Storage, indexes: Indexes): FetchSignatures | undefined {
  const { latents, sentences } = indexes
  if (storage.signatures === undefined) return undefined
  return async (slots, each) => {
    const hand = (slot: number, { text, structured, latent, sentence }: Signatures) =>
      each(slot, { text, structured, latent: latents?.stored(latent), sentence: sentences?.stored(sentence) })
    const others: number[] = []
    await storage.signatures!(Array.from(slots), (slot, { signatures, encoder }) => {
      const fits = encoder === ENCODER_VERSION && (latents === undefined || latents.stored(signatures.latent) !== undefined)
      if (fits) hand(slot, signatures)
      else others.push(slot)
    })
    if (others.length === 0) return
    await storage.visit!(others, ({ slot, row, signatures, encoder }) => {
      hand(slot, { ...indexes.current(decodeRow(row), { signatures, encoder }), sentence: signatures.sentence })
    })
  }
}
