import { AgidbError } from '../../base/errors.js'
import { reasonOf } from '../runtime.js'
import { MAX_PIXELS } from './header.js'
import type { DecodeImage } from './host.js'
import { type EncodeImage, QUALITY, thumbnailSize } from './thumbnail.js'

/** Decodes pictures in Node with `sharp`, upright as the camera says; of an animation the first picture. */
export const decodeWithSharp: DecodeImage = async (bytes) => {
  const sharp = await loadSharp()
  // A view that sharp knows as bytes even where they were made in another realm, as test runners do.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { data, info } = await sharp(buffer, { failOn: 'truncated', limitInputPixels: MAX_PIXELS })
    .rotate()
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Writes thumbnails in Node with `sharp`. */
export const encodeWithSharp: EncodeImage = async (pixels) => {
  const sharp = await loadSharp()
  const { data, width, height } = pixels
  const small = sharp(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
    raw: { width, height, channels: 4 },
  })
    .flatten({ background: '#ffffff' })
    .resize({ ...thumbnailSize(pixels), fit: 'fill' })
    .jpeg({ quality: 100 * QUALITY })
  return { type: 'image/jpeg', bytes: new Uint8Array(await small.toBuffer()) }
}

async function loadSharp(): Promise<typeof import('sharp')> {
  try {
    return (await import('sharp')).default
  } catch (cause) {
    const message = `files of pictures need sharp beside agidb (npm install sharp), or give pixels: ${reasonOf(cause)}`
    throw new AgidbError('AGIDB_UNSUPPORTED', message, {}, { cause })
  }
}
