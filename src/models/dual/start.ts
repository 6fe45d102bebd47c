import type { Encoder, SentenceEncoder } from '../../api/encoder.js'
import type { AudioEncoderOptions } from '../audio/options.js'
import type { ImageEncoderOptions } from '../image/options.js'
import type { EncoderOptions, Loading } from '../options.js'
import { DualEncoder, type WithTexts } from './encoder.js'
import { type DualEncoderOptions, toTextLoading } from './options.js'

/** What starts each tower in a runtime. */
export interface Towers {
  startTexts(options: Pick<EncoderOptions, 'worker' | 'cache'>, loading: Loading): Promise<SentenceEncoder>
  imageEncoder(options: ImageEncoderOptions): Promise<Encoder<'image'>>
  audioEncoder(options: AudioEncoderOptions): Promise<Encoder<'audio'>>
}

/**
 * Starts the tower of texts and that of pictures or sounds.
 *
 * @param resolve makes a text that names a file into what the reader of files understands
 */
export async function startDual(
  options: DualEncoderOptions,
  resolve: (file: string) => string,
  { startTexts, imageEncoder, audioEncoder }: Towers,
): Promise<WithTexts<'image'> | WithTexts<'audio'>> {
  const loading = toTextLoading(options, resolve)
  const { cache, wasm, image, audio, text } = options
  const common = { ...(cache !== undefined && { cache }), ...(wasm !== undefined && { wasm }) }
  const texts = startTexts({ ...common, ...(text.worker !== undefined && { worker: text.worker }) }, loading)
  if (image !== undefined) return DualEncoder.of(imageEncoder({ ...image, ...common }), texts)
  return DualEncoder.of(audioEncoder({ ...audio!, ...common }), texts)
}
