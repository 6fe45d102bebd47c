import { SerialQueue } from '../../base/serial-queue.js'
import type { ImageInput, Pixels } from '../../api/encoder.js'
import { type DecodeImage, pixelsOf } from '../image/host.js'
import type { EncodeImage } from '../image/thumbnail.js'
import { senseEncoderId } from '../senses/options.js'
import { type FolderEncoder, OFFLINE, partOf } from './encoder.js'
import type { ModelFolder, Transformers } from './folder.js'
import { type Feeds, FolderModel } from './model.js'
import type { FolderLoading } from './options.js'

/** Pixels of each side of the picture that a model is tried with. */
const PROBE = 64

/** Loads an encoder of pictures. */
export async function loadImages(
  transformers: Transformers,
  folder: ModelFolder,
  loading: FolderLoading,
  decode: DecodeImage,
  encode: EncodeImage,
): Promise<FolderEncoder<ImageInput>> {
  const { AutoImageProcessor, RawImage } = transformers
  const processor = await partOf(loading.folder, 'image processor (preprocessor_config.json)', () =>
    AutoImageProcessor.from_pretrained(folder.path, OFFLINE),
  )
  const feeds = async ({ data, width, height }: Pixels): Promise<Feeds> =>
    (await processor(new RawImage(onWhite(data), width, height, 3))) as Feeds
  const model = await FolderModel.load(transformers, folder, loading, await feeds(probe()))
  const turns = new SerialQueue()
  const latent = (picture: ImageInput) =>
    turns.run(async () => model.latent(await feeds(await pixelsOf(picture, decode))))
  const { pooling, outputs, file } = loading
  return {
    id: senseEncoderId('image', [folder.hash], { by: 'transformers', pooling, outputs, file, ...processor.config }),
    dimension: model.dimension,
    device: model.device,
    encode: (pictures) => Promise.all(pictures.map(latent)),
    thumbnail: async (picture) => encode(await pixelsOf(picture, decode)),
    close: () => turns.run(() => model.release()),
  }
}

/** Red, green and blue of pixels that lie on white where they are transparent. */
function onWhite(rgba: Uint8Array | Uint8ClampedArray): Uint8ClampedArray {
  return Uint8ClampedArray.from({ length: (rgba.length / 4) * 3 }, (_, i) => {
    const at = 4 * Math.floor(i / 3)
    const opaque = rgba[at + 3] / 255
    return rgba[at + (i % 3)] * opaque + 255 * (1 - opaque)
  })
}

/** A picture of a slope. */
function probe(): Pixels {
  const data = Uint8ClampedArray.from({ length: 4 * PROBE * PROBE }, (_, i) =>
    i % 4 === 3 ? 255 : 4 * ((i >> 2) % PROBE),
  )
  return { data, width: PROBE, height: PROBE }
}
