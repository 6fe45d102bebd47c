import type { SentenceEncoder } from '../api/encoder.js'
import { toLoading } from './check.js'
import type { EncoderOptions } from './options.js'
import { startTexts } from './sentence/browser.js'

export type {
  AudioInput,
  Encoder,
  ImageInput,
  Pixels,
  Samples,
  SentenceEncoder,
  SoundChannels,
  VideoElement,
  VideoInput,
  VideoPicture,
} from '../api/encoder.js'
export { audioEncoder } from './audio/browser.js'
export type { AudioEncoderOptions, AudioLayout, AudioManifest } from './audio/options.js'
export { dualEncoder } from './dual/browser.js'
export type { DualAudioOptions, DualEncoderOptions, DualImageOptions, DualTextOptions } from './dual/options.js'
export { imageEncoder } from './image/browser.js'
export type { ImageEncoderOptions, ImageManifest } from './image/options.js'
export type { EncoderOptions, FileSource, Padding } from './options.js'
export type { SenseEncoderOptions } from './senses/options.js'
export { videoEncoder } from './video/browser.js'
export type { ClipManifest, ClipVideoOptions, SceneVideoOptions, VideoEncoderOptions } from './video/options.js'

/**
 * Loads a sentence encoder over ONNX Runtime Web, in a worker of its own; for `Agidb.open({ encoder })`. It needs
 * `onnxruntime-web` and `@huggingface/tokenizers` to be installed. It is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when a file cannot be read, is not what `sha256` says, or is no sentence encoder,
 * or when the worker cannot start; `AGIDB_UNSUPPORTED` when what it needs is not there; `AGIDB_INVALID_ARGUMENT`;
 * `AGIDB_UNKNOWN_OPTION`
 */
export async function sentenceEncoder(options: EncoderOptions): Promise<SentenceEncoder> {
  return startTexts(
    options,
    toLoading(options, (file) => new URL(file, location.href).href),
  )
}
