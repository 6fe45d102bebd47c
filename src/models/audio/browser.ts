import type { Encoder } from '../../api/encoder.js'
import { startSense } from '../senses/browser.js'
import { toSenseLoading } from '../senses/options.js'
import { decodeWithWebAudio } from './decode-browser.js'
import { type AudioEncoderOptions, checkAudioManifest } from './options.js'

/**
 * Loads an encoder of sounds over ONNX Runtime Web, in a worker of its own; for `Agidb.open({ encoders: { audio } })`.
 * It needs `onnxruntime-web` to be installed. Files other than WAV are decoded by Web Audio, which pages alone have. It
 * is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when a model cannot be read, is not what `sha256` says, or is none of sounds, or
 * when the worker cannot start; `AGIDB_UNSUPPORTED`; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function audioEncoder(options: AudioEncoderOptions): Promise<Encoder<'audio'>> {
  const resolve = (file: string) => new URL(file, location.href).href
  const files = { required: ['model'], optional: ['frontEnd'] }
  const loading = toSenseLoading('audioEncoder', options, files, checkAudioManifest, resolve)
  const makeWorker = () =>
    new Worker(new URL('../../../workers/audio.js', import.meta.url), { type: 'module', name: 'agidb-audio' })
  return startSense('audio', options, loading, makeWorker, decodeWithWebAudio)
}
