// What the encoders of `agidb/transformers` do alike in every runtime.
import type { Encoder, SentenceEncoder } from '../../api/encoder.js'
import { DualEncoder, type WithTexts } from '../dual/encoder.js'
import {
  type AudioOptions,
  type DualOptions,
  type FolderLoading,
  type FolderSense,
  type ImageOptions,
  type Resolve,
  type RunsOn,
  type SentenceOptions,
  toAudioLoading,
  toDualLoadings,
  toImageLoading,
  toSentenceLoading,
  type TransformersOptions,
} from './options.js'

/** What starts encoders over folders in one runtime; their options were checked. */
export interface Runtime {
  readonly resolve: Resolve
  texts(options: Started & Pick<SentenceOptions, 'cueMs'>, loading: FolderLoading): Promise<SentenceEncoder & RunsOn>
  sense<S extends FolderSense>(modality: S, options: Started, loading: FolderLoading): Promise<Encoder<S> & RunsOn>
}

/** The options that say how an encoder is started. */
export type Started = Pick<TransformersOptions, 'worker' | 'cache'>

export async function startSentence(
  { resolve, texts }: Runtime,
  options: SentenceOptions,
): Promise<SentenceEncoder & RunsOn> {
  return texts(options, toSentenceLoading(options, resolve))
}

export async function startImage(
  { resolve, sense }: Runtime,
  options: ImageOptions,
): Promise<Encoder<'image'> & RunsOn> {
  return sense('image', options, toImageLoading(options, resolve))
}

export async function startAudio(
  { resolve, sense }: Runtime,
  options: AudioOptions,
): Promise<Encoder<'audio'> & RunsOn> {
  return sense('audio', options, toAudioLoading(options, resolve))
}

export async function startDual<S extends FolderSense>(
  { resolve, sense, texts }: Runtime,
  options: DualOptions & { readonly modality: S },
): Promise<WithTexts<S>> {
  const loading = toDualLoadings(options, resolve)
  return DualEncoder.of(sense(options.modality, options, loading.inputs), texts(options, loading.text))
}
