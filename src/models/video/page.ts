import type { ImageInput, Samples, VideoElement } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { MAX_PIXELS } from '../image/header.js'
import type { DecodeImage } from '../image/host.js'
import { reasonOf } from '../runtime.js'
import { pictureOf } from './picture-of.js'
import { HEIGHT, WIDTH } from './scene-change.js'
import type { Look, OpenFile, Video } from './video.js'

/** Milliseconds that the browser may take for one step in a video. */
const PATIENCE = 20_000
/** Seconds to which one goes to find the end of a video that does not say how long it is. */
const FAR = 1e9
/** Seconds from the beginning of a video to where its first picture is sought. */
const START = 0.001
/** Samples a second at which sound is decoded. */
const RATE = 48_000

/** Decodes pictures of videos in a page, to the few pixels that scenes are told apart by. */
export const smallWithCanvas: DecodeImage = async (bytes, { type }) => {
  const size = { resizeWidth: WIDTH, resizeHeight: HEIGHT, resizeQuality: 'medium' } as const
  const bitmap = await createImageBitmap(new Blob([bytes], { type }), size)
  const context = smallCanvas()
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  return context.getImageData(0, 0, WIDTH, HEIGHT)
}

/** Opens a video in a page, by an element of its own that no document shows. */
export const openInPage: OpenFile = async (file, longest) => {
  if (typeof document === 'undefined')
    throw new AgidbError(
      'AGIDB_UNSUPPORTED',
      'a video is decoded in pages only; make the encoder in the page, or give pictures: an iterable of { image, at }',
    )
  const element = document.createElement('video')
  element.muted = true
  element.preload = 'auto'
  const url = file instanceof Blob ? URL.createObjectURL(file) : addressOf(file)
  if (!(file instanceof Blob)) element.crossOrigin = file.crossOrigin
  const close = () => {
    element.removeAttribute('src')
    element.load()
    if (file instanceof Blob) URL.revokeObjectURL(url)
  }
  try {
    await step(element, 'loadeddata', () => (element.src = url))
    const { videoWidth: width, videoHeight: height } = element
    if (width * height === 0) throw new AgidbError('AGIDB_MEDIA', 'the video has no pictures')
    if (width * height > MAX_PIXELS)
      throw new AgidbError(
        'AGIDB_TOO_LARGE',
        `the video is ${width} × ${height} pixels; at most ${MAX_PIXELS} are decoded`,
      )
    const lasts = await lengthOf(element)
    if (lasts > longest)
      throw new AgidbError('AGIDB_TOO_LARGE', `the video lasts ${lasts} ms; at most ${longest} are taken`, { longest })
    return videoIn(element, lasts, file instanceof Blob ? () => soundOf(file) : async () => undefined, close)
  } catch (error) {
    close()
    throw error
  }
}

function videoIn(element: HTMLVideoElement, lasts: number, sound: Video['sound'], close: () => void): Video {
  const small = smallCanvas()
  return {
    lasts,
    async *looks(every, from = 0): AsyncGenerator<Look> {
      for (let at = from; at < lasts || at === from; at += every) {
        await seek(element, at / 1_000)
        yield {
          at,
          small: async () => readable(() => pixelsOf(element, small)),
          picture: () => pictureOf(element) as Promise<ImageInput>,
        }
      }
    },
    sound,
    close,
  }
}

function pixelsOf(element: HTMLVideoElement, small: OffscreenCanvasRenderingContext2D): Uint8ClampedArray {
  small.drawImage(element, 0, 0, WIDTH, HEIGHT)
  return small.getImageData(0, 0, WIDTH, HEIGHT).data
}

/** Pages may not read what another origin does not share. */
function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new AgidbError('AGIDB_MEDIA', `the page may not read the video: ${reasonOf(cause)}`, {}, { cause })
  }
}

/** Milliseconds. What was recorded as it came says it only when its end was reached. */
async function lengthOf(element: HTMLVideoElement): Promise<number> {
  if (!Number.isFinite(element.duration)) await seek(element, FAR)
  const seconds = Number.isFinite(element.duration) ? element.duration : element.currentTime
  if (seconds > 0 && seconds < FAR) return 1_000 * seconds
  throw new AgidbError('AGIDB_MEDIA', 'the video has no end; give db.listen what goes on')
}

/**
 * Before the first seek nothing can be drawn of a video that no document shows. A seek to where the video is ends at
 * once, perhaps before there is a picture: so the start is sought a little later, where the first picture still is.
 */
function seek(element: HTMLVideoElement, seconds: number): Promise<void> {
  return step(element, 'seeked', () => (element.currentTime = Math.max(seconds, START)))
}

/** Does something with a video, and waits until it is done. */
function step(element: HTMLVideoElement, event: 'loadeddata' | 'seeked', begin: () => void): Promise<void> {
  const ended = new AbortController()
  const { signal } = ended
  return new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => reject(new AgidbError('AGIDB_MEDIA', `the video cannot be decoded: ${reason}`))
    const timer = setTimeout(() => fail(`nothing came for ${PATIENCE} ms`), PATIENCE)
    signal.addEventListener('abort', () => clearTimeout(timer))
    element.addEventListener(event, () => resolve(), { signal })
    element.addEventListener('error', () => fail(element.error?.message || 'the browser gives no reason'), { signal })
    begin()
  }).finally(() => ended.abort())
}

/** One channel of what is heard; `undefined` where the browser decodes no sound. */
async function soundOf(file: Blob): Promise<Samples | undefined> {
  const bytes = await file.arrayBuffer()
  const decoded = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes).catch(() => undefined)
  if (decoded === undefined || decoded.length === 0) return undefined
  const mixing = new OfflineAudioContext(1, decoded.length, RATE)
  const source = new AudioBufferSourceNode(mixing, { buffer: decoded })
  source.connect(mixing.destination)
  source.start()
  const samples = (await mixing.startRendering()).getChannelData(0)
  return samples.some((value) => value !== 0) ? { samples, sampleRate: RATE } : undefined
}

function addressOf({ currentSrc }: VideoElement): string {
  if (currentSrc !== '') return currentSrc
  throw new AgidbError(
    'AGIDB_MEDIA',
    'the element shows no file: wait for its loadedmetadata, or give db.listen the stream that it shows',
  )
}

function smallCanvas(): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(WIDTH, HEIGHT).getContext('2d', { willReadFrequently: true })
  if (context !== null) return context
  throw new AgidbError('AGIDB_MEDIA', 'there is no memory for the pictures of the video')
}
