import type { Pixels, Thumbnail } from '../../api/encoder.js'

/** Pixels of the longer side of a thumbnail. */
const SIDE = 256
/** Its quality as JPEG, 0 to 1. */
export const QUALITY = 0.8

/** Writes a small copy of a picture as a file, on white where it is transparent. */
export type EncodeImage = (pixels: Pixels) => Promise<Thumbnail>

/** The sides of a thumbnail: those of the picture where it is no larger. */
export function thumbnailSize({ width, height }: Pixels): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, SIDE / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
