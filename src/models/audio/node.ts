import type { Encoder } from '../../api/encoder.js'
import { nodeFiles } from '../node-files.js'
import { startSense } from '../senses/node.js'
import { toSenseLoading } from '../senses/options.js'
import { decodeWithAudioDecode } from './decode-node.js'
import { audioHost } from './host.js'
import { type AudioEncoderOptions, checkAudioManifest } from './options.js'

/**
 * Loads an encoder of sounds over ONNX Runtime Web, in a worker thread of its own; for
 * `Agidb.open({ encoders: { audio } })`. It needs `onnxruntime-web` to be installed, and `audio-decode` for files other
 * than WAV. It is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when a model cannot be read, is not what `sha256` says, or is none of sounds;
 * `AGIDB_UNSUPPORTED` when what it needs is not installed; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function audioEncoder(options: AudioEncoderOptions): Promise<Encoder<'audio'>> {
  const files = { required: ['model'], optional: ['frontEnd'] }
  const loading = toSenseLoading('audioEncoder', options, files, checkAudioManifest, (file) => file)
  const hostHere = () => audioHost(nodeFiles, decodeWithAudioDecode)
  return startSense('audio', options, loading, hostHere, new URL('../../../workers/audio-node.js', import.meta.url))
}
