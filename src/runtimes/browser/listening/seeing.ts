import type { Capture } from './hearing.js'
import { pictureOf } from '../../../models/video/picture-of.js'
import { HEIGHT, SceneChange, WIDTH } from '../../../models/video/scene-change.js'

/** A picture as a JPEG file, and when it was taken, in epoch milliseconds. */
export interface Seen {
  readonly image: Blob
  readonly at: number
}

/**
 * Hands over a picture of each scene that a stream shows, looking at it every so many milliseconds.
 *
 * @param failed told of each picture that could not be taken, with why
 */
export async function see(
  stream: MediaStream,
  every: number,
  seen: (picture: Seen) => void,
  failed: (cause: unknown) => void,
): Promise<Capture> {
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
    void look()
      .catch((cause: unknown) => isOn && failed(cause))
      .finally(() => (next = setTimeout(lookOn, every)))
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
