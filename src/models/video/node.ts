import type { Encoder } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { decodeWithSharp } from '../image/decode-node.js'
import { nodeFiles } from '../node-files.js'
import { startSense } from '../senses/node.js'
import { clipHost } from './clip-host.js'
import type { VideoEncoderOptions } from './options.js'
import { startVideo } from './start.js'

/**
 * Makes an encoder of videos; for `Agidb.open({ encoders: { video } })`. Over an encoder of pictures it takes the mean
 * of the scenes; a model of clips runs over ONNX Runtime Web, in a worker thread of its own. Here it takes the pictures
 * of a video, an iterable of `{ image, at }`: only a page decodes files. It is the caller's to close, after the
 * databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when the model cannot be read, is not what `sha256` says, or is none of clips;
 * `AGIDB_UNSUPPORTED` when what it needs is not installed; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function videoEncoder(options: VideoEncoderOptions): Promise<Encoder<'video'>> {
  const opening = { openFile: refuseFile, decode: decodeWithSharp }
  return startVideo(
    options,
    (file) => file,
    opening,
    (given, loading) =>
      startSense(
        'video',
        given,
        loading,
        () => clipHost(nodeFiles, decodeWithSharp),
        new URL('../../../workers/video-node.js', import.meta.url),
      ),
  )
}

async function refuseFile(): Promise<never> {
  throw new AgidbError(
    'AGIDB_UNSUPPORTED',
    'files of videos are decoded in pages only; give the pictures of the video: an iterable of { image, at }',
  )
}
