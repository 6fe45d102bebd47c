import { type Sense, SENSES } from '../../api/encoder.js'
import type { FrameModality, FramePart, SensoryFrame } from '../../api/sensory.js'

/** A latent, and what made it. */
export type Latent = Required<Pick<FramePart, 'modality' | 'latent'>> & Pick<FramePart, 'encoder'>

/** A latent of a picture, sound or video. */
export type SensedLatent = Latent & { readonly modality: Sense }

/** A part of a frame of several senses, judged or not. */
export type Part = Omit<FramePart, 'surprise'>

/** What of a frame has latents. */
type Sensing = Pick<SensoryFrame, keyof Latent> & { readonly parts?: readonly Part[] }

/** The latents of a frame: its own, or those of its parts. */
export function latentsOf({ modality, latent, encoder, parts = [] }: Sensing): Latent[] {
  const all = modality === 'multimodal' ? parts : [{ modality, latent, encoder }]
  return all.flatMap(({ modality, latent, encoder }) => (latent === undefined ? [] : [{ modality, latent, encoder }]))
}

/** Whether memories have signatures of a modality beside those of their texts. */
export function isSense(modality: FrameModality): modality is Sense {
  return SENSES.includes(modality as Sense)
}

/** The latents of which the episode that a frame becomes has signatures, in the order of the senses. */
export function sensedBy(frame: SensoryFrame): SensedLatent[] {
  return latentsOf(frame).filter((one): one is SensedLatent => isSense(one.modality))
}
