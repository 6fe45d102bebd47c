import { fileURLToPath } from 'node:url'
import { invalid } from '../../api/check.js'
import type { Encoder, SentenceEncoder } from '../../api/encoder.js'
import { decodeWithAudioDecode } from '../audio/decode-node.js'
import type { DecodeAudio } from '../audio/samples.js'
import type { WithTexts } from '../dual/encoder.js'
import type { Loaded } from '../host.js'
import { decodeWithSharp, encodeWithSharp } from '../image/decode-node.js'
import { startTextHost } from '../sentence/start-node.js'
import { startSense } from '../senses/node.js'
import { openNodeFolder } from './folder-node.js'
import { type FolderHost, folderHost } from './host.js'
import type {
  AudioOptions,
  DualOptions,
  FolderLoading,
  FolderSense,
  ImageOptions,
  RunsOn,
  SentenceOptions,
} from './options.js'
import { type Runtime, startAudio, startDual, type Started, startImage, startSentence } from './start.js'

export type * from './public.js'

const script = new URL('../../../workers/transformers-node.js', import.meta.url)

const hostHere = (): FolderHost =>
  folderHost(openNodeFolder, {
    decodeImage: decodeWithSharp,
    encodeImage: encodeWithSharp,
    decodeAudio: decodeWithAudioDecode,
  })

const runtime: Runtime = {
  /** The folder that a text or a `file:` URL names. */
  resolve(folder) {
    if (/^file:/i.test(folder)) return fileURLToPath(folder)
    if (/^https?:/i.test(folder))
      throw invalid(`model is ${folder}; outside a browser it must be a folder of this machine`, { option: 'model' })
    return folder
  },
  texts: (options, loading) => startTextHost<FolderLoading, Loaded & RunsOn>(options, loading, hostHere, script),
  sense: async <S extends FolderSense>(modality: S, options: Started, loading: FolderLoading) =>
    startSense<S, FolderLoading, DecodeAudio, Loaded & RunsOn>(modality, options, loading, hostHere, script),
}

/**
 * Loads a sentence encoder over transformers.js, in a worker thread of its own; for `Agidb.open({ encoder })`. With the
 * mean over all tokens it gives what `agidb/onnx` gives of the same model, and has the same id. It needs
 * `@huggingface/transformers` to be installed. It is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when a file of the folder cannot be read, is not what `sha256` says, or is no
 * sentence encoder; `AGIDB_UNSUPPORTED` when transformers.js is not installed; `AGIDB_INVALID_ARGUMENT`;
 * `AGIDB_UNKNOWN_OPTION`
 */
export async function sentenceEncoder(options: SentenceOptions): Promise<SentenceEncoder & RunsOn> {
  return startSentence(runtime, options)
}

/**
 * Loads an encoder of pictures over transformers.js, in a worker thread of its own; for
 * `Agidb.open({ encoders: { image } })`. It needs `@huggingface/transformers` to be installed, and `sharp` for files
 * of pictures. It is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when a file of the folder cannot be read, is not what `sha256` says, or is no
 * encoder of pictures; `AGIDB_UNSUPPORTED`; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function imageEncoder(options: ImageOptions): Promise<Encoder<'image'> & RunsOn> {
  return startImage(runtime, options)
}

/**
 * Loads an encoder of sounds over transformers.js, in a worker thread of its own; for `Agidb.open({ encoders: { audio }
 * })`. It needs `@huggingface/transformers` to be installed, and `audio-decode` for files other than WAV. It is
 * the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when a file of the folder cannot be read, is not what `sha256` says, or is no
 * encoder of sounds; `AGIDB_UNSUPPORTED`; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function audioEncoder(options: AudioOptions): Promise<Encoder<'audio'> & RunsOn> {
  return startAudio(runtime, options)
}

/**
 * Loads the two towers of a model with one space, of texts and of pictures or sounds (CLIP, SigLIP, CLAP), over
 * transformers.js, in a worker thread for each: `onnx/text_model.onnx`, and `onnx/vision_model.onnx` or
 * `onnx/audio_model.onnx`. For `Agidb.open({ encoders: { image } })` or `{ audio }`. Words then find pictures or
 * sounds, as by `recall('a red square', { modality: 'image' })`. It needs `@huggingface/transformers` to be installed.
 * It is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when a file of the folder cannot be read, is not what `sha256` says, lacks the
 * output, or when the latents of the two differ in length; `AGIDB_UNSUPPORTED`; `AGIDB_INVALID_ARGUMENT`;
 * `AGIDB_UNKNOWN_OPTION`
 */
export async function dualEncoder<S extends FolderSense>(
  options: DualOptions & { readonly modality: S },
): Promise<WithTexts<S>> {
  return startDual(runtime, options)
}
