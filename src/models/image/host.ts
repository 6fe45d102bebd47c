import type { ImageInput, Pixels } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { type Outcome, outcome } from '../../base/outcome.js'
import { type Files, obtain } from '../files.js'
import type { Loaded } from '../host.js'
import { reasonOf } from '../runtime.js'
import { checkPixels, type ImageHeader, MAX_BYTES, readImageHeader } from './header.js'
import { ImageModel } from './model.js'
import { type ImageLoading, imageEncoderId, type Preparation } from './options.js'
import { prepared } from './resample.js'

/** Decodes a file whose header was read; rejects for one that it cannot decode. */
export type DecodeImage = (bytes: Uint8Array<ArrayBuffer>, header: ImageHeader) => Promise<Pixels>

/** What the thread of an image encoder exposes. Nothing here throws. */
export interface ImageHost {
  /** Loads the model. Once in the life of a host. */
  load(loading: ImageLoading): Promise<Outcome<Loaded>>
  encode(pictures: readonly ImageInput[]): Promise<Outcome<Float32Array[]>>
  /** Gives the memory of the model back. */
  close(): Promise<Outcome<void>>
}

/** The model's side of the wire, or a model in this thread. */
export function imageHost(filesOf: (loading: Pick<ImageLoading, 'cache'>) => Files, decode: DecodeImage): ImageHost {
  let loaded: { readonly model: ImageModel; readonly preparation: Preparation } | undefined
  return {
    load: (loading) =>
      outcome(async () => {
        const { preparation, wasm } = loading
        const file = await obtain('model', loading.model, loading.sha256, filesOf(loading))
        loaded = { model: await ImageModel.load(file.bytes, preparation, wasm), preparation }
        return { id: imageEncoderId(file.hash, preparation), dimension: loaded.model.dimension }
      }),
    encode: (pictures) =>
      outcome(async () => {
        if (loaded === undefined) throw new AgidbError('AGIDB_ENCODER', 'no model is loaded')
        const latents: Float32Array[] = []
        for (const picture of pictures) {
          const pixels = await pixelsOf(picture, decode)
          latents.push(await loaded.model.latent(prepared(pixels, loaded.preparation)))
        }
        return latents
      }),
    close: () => outcome(async () => loaded?.model.close()),
  }
}

async function pixelsOf(picture: ImageInput, decode: DecodeImage): Promise<Pixels> {
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
