import { checkKeys, checkWhole, invalid } from '../../api/check.js'
import type { AudioEncoderOptions } from '../audio/options.js'
import { toLoading } from '../check.js'
import type { ImageEncoderOptions } from '../image/options.js'
import type { EncoderOptions, Loading, Padding } from '../options.js'

/** The tower of texts. */
export interface DualTextOptions extends Pick<EncoderOptions, 'model' | 'tokenizer' | 'sha256' | 'worker'> {
  /**
   * The output that is in the space of the other tower, such as `text_embeds` of CLIP and `pooler_output` of SigLIP.
   * One vector for the text, or one for each token, of which the mean is taken.
   */
  readonly output: string
  /** Tokens of a text that count: 77 for CLIP. Default: what the tokenizer says, or else 256. */
  readonly maxTokens?: number
  /** For a model that takes so many tokens and no fewer, as SigLIP does. Default: texts are not filled up. */
  readonly padding?: Padding
}

/** What both kinds of options of `dualEncoder` have. */
interface DualOptions extends Pick<EncoderOptions, 'cache' | 'wasm'> {
  /** The model and the tokenizer of texts, and which output is taken. */
  readonly text: DualTextOptions
}

/** Options of `dualEncoder` for texts and pictures. */
export interface DualImageOptions extends DualOptions {
  /** The tower of pictures, as `imageEncoder` takes it. */
  readonly image: Omit<ImageEncoderOptions, 'cache' | 'wasm'>
  readonly audio?: undefined
}

/** Options of `dualEncoder` for texts and sounds. */
export interface DualAudioOptions extends DualOptions {
  /** The tower of sounds, as `audioEncoder` takes it. */
  readonly audio: Omit<AudioEncoderOptions, 'cache' | 'wasm'>
  readonly image?: undefined
}

/** Options of `dualEncoder`: a tower of texts, and one of pictures or of sounds. */
export type DualEncoderOptions = DualImageOptions | DualAudioOptions

/**
 * Checks what is of both towers, and brings the options of the tower of texts into the form in which they cross.
 *
 * @param resolve makes a text that names a file into what the reader of files understands
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`
 */
export function toTextLoading(options: DualEncoderOptions, resolve: (file: string) => string): Loading {
  checkKeys('dualEncoder', options, ['text', 'image', 'audio', 'cache', 'wasm'])
  const { text, image, audio, cache, wasm } = options ?? {}
  if ((image === undefined) === (audio === undefined))
    throw invalid('dualEncoder takes image or audio beside text, one of them', { option: 'image' })
  checkKeys('text', text, ['model', 'tokenizer', 'sha256', 'worker', 'output', 'maxTokens', 'padding'])
  const { output, padding, ...files } = text ?? {}
  if (typeof output !== 'string' || output === '')
    throw invalid('text.output must be the name of an output, such as text_embeds', { option: 'text.output' })
  if (padding !== undefined) {
    checkKeys('text.padding', padding, ['length', 'token'])
    checkWhole('text.padding.length', padding.length, 8, 65_536)
    checkWhole('text.padding.token', padding.token, 0, 2 ** 31 - 1)
  }
  const common = { ...(cache !== undefined && { cache }), ...(wasm !== undefined && { wasm }) }
  const loading = toLoading({ ...files, ...common } as EncoderOptions, resolve)
  return { ...loading, output, ...(padding !== undefined && { padding }) }
}
