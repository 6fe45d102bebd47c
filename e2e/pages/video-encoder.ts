import {
  audioEncoder,
  type AudioManifest,
  type ClipManifest,
  imageEncoder,
  type ImageManifest,
  videoEncoder,
} from '../../src/models/browser.js'
import { Agidb } from '../../src/runtimes/browser/index.js'
import { type Scene, recorded } from './recorded.js'

const wasm = new URL('../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm', import.meta.url)
const file = (name: string) => new URL(name, location.href)

/** What a test of videos asks of the page. */
const videos = {
  Agidb,
  recorded,

  /** An encoder over a model of pictures, and one of sounds where they count. */
  async ofScenes(
    model: string,
    manifest: ImageManifest,
    sounds?: readonly [model: string, manifest: AudioManifest, frontEnd?: string],
  ) {
    const image = await imageEncoder({ model: file(model), manifest, wasm })
    const [, , frontEnd] = sounds ?? []
    const before = frontEnd === undefined ? {} : { frontEnd: file(frontEnd) }
    const audio = sounds && (await audioEncoder({ model: file(sounds[0]), manifest: sounds[1], wasm, ...before }))
    const video = await videoEncoder({ image, every: 250, ...(audio && { audio }) })
    const close = () => Promise.all([video, image, audio].map((one) => one?.close()))
    return { image, video, close }
  },

  ofClips: (model: string, manifest: ClipManifest) => videoEncoder({ model: file(model), manifest, wasm }),

  /** The pictures of a video that was recorded here, each when it is asked for. */
  async pictures(scenes: readonly Scene[]) {
    const shown = await window.videos.element(scenes)
    return (async function* () {
      for (let at = 1; at < 1_000 * shown.duration && at < 1_000; at += 250) {
        shown.currentTime = at / 1_000
        await new Promise((resolve) => shown.addEventListener('seeked', resolve, { once: true }))
        const canvas = new OffscreenCanvas(shown.videoWidth, shown.videoHeight)
        const context = canvas.getContext('2d')!
        context.drawImage(shown, 0, 0)
        yield { image: context.getImageData(0, 0, canvas.width, canvas.height), at }
      }
    })()
  },

  /** A video that was recorded here, in an element that shows its first picture. */
  async element(scenes: readonly Scene[]) {
    const element = document.createElement('video')
    element.src = URL.createObjectURL(await recorded(scenes))
    await new Promise((resolve) => element.addEventListener('loadeddata', resolve, { once: true }))
    element.currentTime = 0.001 // the same picture; a seek to where it is would end before that is there
    await new Promise((resolve) => element.addEventListener('seeked', resolve, { once: true }))
    return element
  },
}

declare global {
  interface Window {
    videos: typeof videos
  }
}

window.videos = videos
