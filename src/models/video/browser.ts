import type { Encoder } from '../../api/encoder.js'
import { startSense } from '../senses/browser.js'
import type { VideoEncoderOptions } from './options.js'
import { openInPage, smallWithCanvas } from './page.js'
import { startVideo } from './start.js'

/**
 * Makes an encoder of videos; for `Agidb.open({ encoders: { video } })`. Over an encoder of pictures it takes the mean
 * of the scenes; a model of clips runs over ONNX Runtime Web, in a worker of its own. The page decodes files. It is the
 * caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when the model cannot be read, is not what `sha256` says, or is none of clips,
 * or when the worker cannot start; `AGIDB_UNSUPPORTED`; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function videoEncoder(options: VideoEncoderOptions): Promise<Encoder<'video'>> {
  const makeWorker = () =>
    new Worker(new URL('../../../workers/video.js', import.meta.url), { type: 'module', name: 'agidb-video' })
  const opening = { openFile: openInPage, decode: smallWithCanvas }
  const resolve = (file: string) => new URL(file, location.href).href
  return startVideo(options, resolve, opening, (given, loading) => startSense('video', given, loading, makeWorker))
}
