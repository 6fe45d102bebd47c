import type { SignatureKind, SignatureStore } from '../../../api/storage.js'
import { PackedView, packSignatures } from '../../packed-signatures.js'
import type { Reader } from './reader.js'

/**
 * The signatures as they are stored.
 *
 * @param content answers the content that is valid.
 * @param reading refuses what is closed, and tells what is deleted.
 */
export function signatureStore(
  reader: Reader,
  content: () => number,
  reading: <T>(work: () => Promise<T>) => Promise<T>,
): SignatureStore {
  return {
    visitEpisodes: (slots, visit) =>
      reading(async () => {
        for await (const episode of reader.some(content(), slots)) visit(episode)
      }),
    visitPacked: (slots, visit) =>
      reading(async () => {
        const kinds: SignatureKind[] = []
        const view = new PackedView(kinds)
        const numberOf = (kind: SignatureKind): number => {
          const known = kinds.indexOf(kind)
          return known >= 0 ? known : kinds.push(kind) - 1
        }
        await reader.signatures(content(), slots, (slot, { signatures, encoder }) => {
          view.take(packSignatures(signatures, numberOf), encoder)
          visit(slot, view)
        })
      }),
  }
}
