import type { Capture } from './hearing.js'
import { HEIGHT, SceneChange, WIDTH } from './scene-change.js'

/** Pixels of the longer side of the pictures, at most, and how well they are encoded. */
const SIDE = 512
const QUALITY = 0.85

/** A picture as a JPEG file, and when it was taken, in epoch milliseconds. */
export interface Seen {
  readonly image: Blob
  readonly at: number
}

/** Hands over a picture of each scene that a stream shows, looking at it every so many milliseconds. */
export async function see(stream: MediaStream, every: number, seen: (picture: Seen) => void): Promise<Capture> {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.srcObject = stream
  // A camera that is covered shows no frame, and play would wait for one.
  void video.play().catch(() => {})
  const scenes = new SceneChange()
  const small = new OffscreenCanvas(WIDTH, HEIGHT).getContext('2d', { willReadFrequently: true })!
  let isOn = true
  let next: ReturnType<typeof setTimeout> | undefined
  const look = async (): Promise<void> => {
    if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.videoWidth > 0) {
      small.drawImage(video, 0, 0, WIDTH, HEIGHT)
      const at = Date.now()
      if (scenes.isOther(small.getImageData(0, 0, WIDTH, HEIGHT).data)) {
        const image = await pictureOf(video)
        if (isOn) seen({ image, at })
      }
    }
  }
  const lookOn = (): void => {
    if (!isOn) return
    void look().finally(() => (next = setTimeout(lookOn, every)))
  }
  video.addEventListener('loadeddata', lookOn, { once: true })
  return {
    async stop() {
      isOn = false
      clearTimeout(next)
      video.srcObject = null
    },
  }
}

function pictureOf(video: HTMLVideoElement): Promise<Blob> {
  const scale = Math.min(1, SIDE / Math.max(video.videoWidth, video.videoHeight))
  const width = Math.max(1, Math.round(video.videoWidth * scale))
  const height = Math.max(1, Math.round(video.videoHeight * scale))
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')!.drawImage(video, 0, 0, width, height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
}
