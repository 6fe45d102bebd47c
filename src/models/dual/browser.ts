import { audioEncoder } from '../audio/browser.js'
import { imageEncoder } from '../image/browser.js'
import { startTexts } from '../sentence/browser.js'
import type { WithTexts } from './encoder.js'
import type { DualAudioOptions, DualEncoderOptions, DualImageOptions } from './options.js'
import { startDual } from './start.js'

/**
 * Loads two models with one space, one of texts and one of pictures or sounds (CLIP, SigLIP, CLAP), over ONNX Runtime
 * Web, in a worker for each; for `Agidb.open({ encoders: { image } })` or `{ audio }`. Words then find pictures
 * or sounds: `recall('a red square', { modality: 'image' })`. It needs `onnxruntime-web` and `@huggingface/tokenizers`
 * to be installed. It is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when a model cannot be read, is not what `sha256` says, lacks the output, or when
 * the latents of the two differ in length; `AGIDB_UNSUPPORTED`; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function dualEncoder(options: DualImageOptions): Promise<WithTexts<'image'>>
export async function dualEncoder(options: DualAudioOptions): Promise<WithTexts<'audio'>>
export async function dualEncoder(options: DualEncoderOptions): Promise<WithTexts<'image'> | WithTexts<'audio'>> {
  return startDual(options, (file) => new URL(file, location.href).href, { startTexts, imageEncoder, audioEncoder })
}
