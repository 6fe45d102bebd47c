import type { VideoInput, VideoPicture } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { SerialQueue } from '../../base/serial-queue.js'
import type { Files } from '../files.js'
import { type DecodeImage, pixelsOf } from '../image/host.js'
import { type SenseHost, senseHost } from '../senses/host.js'
import { senseEncoderId, type SenseLoading } from '../senses/options.js'
import { ClipModel } from './clip-model.js'
import type { ClipPreparation } from './options.js'

/** What the thread of a model of clips exposes. It takes an array of so many pictures as its manifest says. */
export type ClipHost = SenseHost<VideoInput, SenseLoading<ClipPreparation>, DecodeImage>

/** The model's side of the wire, or a model in this thread. */
export function clipHost(
  filesOf: (loading: Pick<SenseLoading<ClipPreparation>, 'cache'>) => Files,
  decode: DecodeImage,
): ClipHost {
  return senseHost(filesOf, async ({ model: { bytes, hash } }, { preparation, wasm }) => {
    const model = await ClipModel.load(bytes, preparation, wasm)
    const turns = new SerialQueue()
    return {
      id: senseEncoderId('video', [hash], preparation),
      dimension: model.dimension,
      latent: (clip) =>
        turns.run(() => {
          const pictures = clip as readonly VideoPicture[]
          if (pictures.length === preparation.pictures)
            return model.latent(
              pictures.map(
                ({ image }) =>
                  () =>
                    pixelsOf(image, decode),
              ),
            )
          throw new AgidbError('AGIDB_ENCODER', `a clip has ${preparation.pictures} pictures, not ${pictures.length}`)
        }),
      close: () => turns.run(() => model.release()),
    }
  })
}
