import type { Encoder } from '../../api/encoder.js'
import { type SenseLoading, toSenseLoading } from '../senses/options.js'
import { type Opening, sceneWatcher, VideoEncoder, type Watcher } from './encoder.js'
import { checkClipManifest, checkVideoOptions, type ClipPreparation, type ClipVideoOptions } from './options.js'
import type { VideoEncoderOptions } from './options.js'
import { clipOf } from './scenes.js'

/** Starts a model of clips in a runtime. It takes arrays of pictures alone. */
type StartClip = (
  options: Pick<ClipVideoOptions, 'cache' | 'worker'>,
  loading: SenseLoading<ClipPreparation>,
) => Promise<Encoder<'video'>>

/**
 * Makes an encoder of videos over an encoder of pictures, or over a model of clips.
 *
 * @param resolve makes a text that names a file into what the reader of files understands
 */
export async function startVideo(
  options: VideoEncoderOptions,
  resolve: (file: string) => string,
  opening: Opening,
  startClip: StartClip,
): Promise<Encoder<'video'>> {
  const { sampling, clip, image } = checkVideoOptions(options)
  if (clip === undefined) return new VideoEncoder(sceneWatcher(image!, sampling), sampling, opening)
  const loading = toSenseLoading('videoEncoder', clip, { required: ['model'] }, checkClipManifest, resolve)
  return new VideoEncoder(clipWatcher(await startClip(clip, loading), loading.preparation), sampling, opening)
}

/** Watches pictures of a video, as far apart as can be, through a model of clips. */
function clipWatcher(model: Encoder<'video'>, { pictures }: ClipPreparation): Watcher {
  const { id, dimension } = model
  return {
    id,
    dimension,
    async latent(video) {
      const clip = await clipOf(video, pictures)
      return (await model.encode([clip.map((image, at) => ({ image, at }))]))[0]
    },
    close: () => model.close(),
  }
}
