/** Pixels of the longer side of the pictures, at most, and how well they are encoded. */
const SIDE = 512
const QUALITY = 0.85

/** What a video shows now, as a JPEG file. */
export async function pictureOf(video: HTMLVideoElement): Promise<Blob> {
  const scale = Math.min(1, SIDE / Math.max(video.videoWidth, video.videoHeight))
  const width = Math.max(1, Math.round(video.videoWidth * scale))
  const height = Math.max(1, Math.round(video.videoHeight * scale))
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')!.drawImage(video, 0, 0, width, height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
}
