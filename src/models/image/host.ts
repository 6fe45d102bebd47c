import type { ImageInput, Pixels } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { SerialQueue } from '../../base/serial-queue.js'
import type { Files } from '../files.js'
import { reasonOf } from '../runtime.js'
import { type SenseHost, senseHost } from '../senses/host.js'
import { senseEncoderId, type SenseLoading } from '../senses/options.js'
import { checkPixels, type ImageHeader, MAX_BYTES, readImageHeader } from './header.js'
import { ImageModel } from './model.js'
import type { Preparation } from './options.js'
import { prepared } from './resample.js'
import type { EncodeImage } from './thumbnail.js'

/** Decodes a file whose header was read; rejects for one that it cannot decode. */
export type DecodeImage = (bytes: Uint8Array<ArrayBuffer>, header: ImageHeader) => Promise<Pixels>

/** What the thread of an image encoder exposes. */
export type ImageHost = SenseHost<ImageInput, SenseLoading<Preparation>, DecodeImage>

/** The model's side of the wire, or a model in this thread. */
export function imageHost(
  filesOf: (loading: Pick<SenseLoading<Preparation>, 'cache'>) => Files,
  decode: DecodeImage,
  encode: EncodeImage,
): ImageHost {
  return senseHost(filesOf, async ({ model: { bytes, hash } }, { preparation, wasm }) => {
    const model = await ImageModel.load(bytes, preparation, wasm)
    const turns = new SerialQueue()
    return {
      id: senseEncoderId('image', [hash], preparation),
      dimension: model.dimension,
      latent: (picture) => turns.run(async () => model.latent(prepared(await pixelsOf(picture, decode), preparation))),
      thumbnail: async (picture) => encode(await pixelsOf(picture, decode)),
      close: () => turns.run(() => model.release()),
    }
  })
}

/**
 * The pixels of a picture, however it was given.
 *
 * @throws AgidbError `AGIDB_MEDIA` for what cannot be read, `AGIDB_TOO_LARGE`, `AGIDB_UNSUPPORTED` without a decoder
 */
export async function pixelsOf(picture: ImageInput, decode: DecodeImage): Promise<Pixels> {
  if (picture instanceof Blob) {
    if (picture.size > MAX_BYTES) throw new AgidbError('AGIDB_TOO_LARGE', `the picture has ${picture.size} bytes`)
    return pixelsOf(new Uint8Array(await picture.arrayBuffer()), decode)
  }
  if (picture instanceof Uint8Array) {
    const header = readImageHeader(picture)
    const { type } = header
    const pixels = await decode(picture as Uint8Array<ArrayBuffer>, header).catch((cause: unknown) => {
      if (cause instanceof AgidbError) throw cause
      throw new AgidbError('AGIDB_MEDIA', `the picture cannot be decoded: ${reasonOf(cause)}`, { type }, { cause })
    })
    return checked(pixels)
  }
  return checked(picture)
}

function checked(picture: Pixels): Pixels {
  const { data, width, height } = (picture ?? {}) as Partial<Pixels>
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray))
    throw new AgidbError('AGIDB_MEDIA', 'a picture must be the bytes of a file, a Blob, or { data, width, height }')
  checkPixels(width!, height!)
  if (data.length !== 4 * width! * height!)
    throw new AgidbError(
      'AGIDB_MEDIA',
      `the picture has ${data.length} bytes; ${width} × ${height} pixels have four each`,
    )
  return picture
}
