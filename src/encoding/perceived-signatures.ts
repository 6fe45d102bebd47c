import { toHex } from '../base/hex.js'
import { isSense, type SenseName } from '../api/encoder.js'
import type { Signatures } from '../api/storage.js'
import type { Kernel } from '../kernel/port.js'
import { latentSignature, MAKER_BYTES, marked } from './latent.js'
import { makerOf } from './spaces/perceived.js'

/** What an encoder made of a picture, a sound or something else that was perceived beside text. */
export interface Sensed {
  readonly modality: SenseName
  readonly latent: Float32Array
  /** The id of the encoder. */
  readonly encoder: string
}

/**
 * The signatures of what was perceived at once, as they are stored: those of the application's own modalities stand
 * behind that of the video, since the kinds of signatures are the storage's.
 *
 * @param sensed each sense once, the video before the application's own
 */
export function perceivedSignatures(kernel: Kernel, sensed: readonly Sensed[]): Signatures {
  const signatures: Signatures = {}
  for (const { modality, latent, encoder } of sensed) {
    const place = isSense(modality) ? modality : 'video'
    const own = marked(makerOf(modality, idOf(kernel, encoder)), latentSignature(kernel, latent))
    signatures[place] = Uint8Array.from([...(signatures[place] ?? []), ...own])
  }
  return signatures
}

/** The id of an encoder; of a name that is none, hexadecimal digits that stand for it, so that none is taken for it. */
function idOf(kernel: Kernel, encoder: string): string {
  if (/^[0-9a-f]{64}$/.test(encoder)) return encoder
  return toHex(kernel.fromName(`agidb/encoder/${encoder}`).subarray(0, MAKER_BYTES))
}
