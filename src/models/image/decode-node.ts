import { AgidbError } from '../../base/errors.js'
import { reasonOf } from '../runtime.js'
import { MAX_PIXELS } from './header.js'
import type { DecodeImage } from './host.js'

/** Decodes pictures in Node with `sharp`, upright as the camera says; of an animation the first picture. */
export const decodeWithSharp: DecodeImage = async (bytes) => {
  const { default: sharp } = await import('sharp').catch((cause: unknown) => {
    const message = `files of pictures need sharp beside agidb (npm install sharp), or give pixels: ${reasonOf(cause)}`
    throw new AgidbError('AGIDB_UNSUPPORTED', message, {}, { cause })
  })
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
