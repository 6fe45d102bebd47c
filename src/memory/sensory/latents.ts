import { isModality } from '../../api/encoder.js'
import type { Sensed } from '../../encoding/perceived-signatures.js'
import type { FramePart, SensoryFrame } from '../../api/sensory.js'

/** A latent, and what made it. */
export type Latent = Required<Pick<FramePart, 'modality' | 'latent'>> & Pick<FramePart, 'encoder'>

/** A part of a frame of several senses, judged or not. */
export type Part = Omit<FramePart, 'surprise'>

/** What of a frame has latents. */
type Sensing = Pick<SensoryFrame, keyof Latent> & { readonly parts?: readonly Part[] }

/** The latents of a frame: its own, or those of its parts. */
export function latentsOf({ modality, latent, encoder, parts = [] }: Sensing): Latent[] {
  const all = modality === 'multimodal' ? parts : [{ modality, latent, encoder }]
  return all.flatMap(({ modality, latent, encoder }) => (latent === undefined ? [] : [{ modality, latent, encoder }]))
}

/** The latents of which the episode that a frame becomes has signatures, in the order of the senses. */
export function sensedBy(frame: SensoryFrame): Sensed[] {
  return latentsOf(frame).flatMap(({ modality, latent, encoder = '' }) => {
    return isModality(modality) ? [{ modality, latent, encoder }] : []
  })
}
