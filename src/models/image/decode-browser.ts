import type { DecodeImage } from './host.js'

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
