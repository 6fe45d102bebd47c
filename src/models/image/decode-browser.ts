import type { DecodeImage } from './host.js'
import { type EncodeImage, QUALITY, thumbnailSize } from './thumbnail.js'

/** Decodes pictures in a browser's worker, upright as the camera says; of an animation the first picture. */
export const decodeWithCanvas: DecodeImage = async (bytes, { type }) => {
  const bitmap = await createImageBitmap(new Blob([bytes], { type }), { premultiplyAlpha: 'none' })
  try {
    const { width, height } = bitmap
    const canvas = new OffscreenCanvas(width, height)
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (context === null) throw new Error('there is no memory for the picture')
    context.drawImage(bitmap, 0, 0)
    return context.getImageData(0, 0, width, height)
  } finally {
    bitmap.close()
  }
}

/** Writes thumbnails in a browser's worker. */
export const encodeWithCanvas: EncodeImage = async (pixels) => {
  const { data, width, height } = pixels
  const bitmap = await createImageBitmap(new ImageData(new Uint8ClampedArray(data), width, height))
  try {
    const size = thumbnailSize(pixels)
    const canvas = new OffscreenCanvas(size.width, size.height)
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('there is no memory for the thumbnail')
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, size.width, size.height)
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, size.width, size.height)
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
    return { type: blob.type, bytes: new Uint8Array(await blob.arrayBuffer()) }
  } finally {
    bitmap.close()
  }
}
