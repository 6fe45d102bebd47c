import type { Encoder, ImageInput, Thumbnail, VideoInput, VideoPicture } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { SerialQueue } from '../../base/serial-queue.js'
import type { DecodeImage } from '../image/host.js'
import { unit } from '../senses/session.js'
import { senseEncoderId } from '../senses/options.js'
import { checkFile } from './file.js'
import type { Sampling } from './options.js'
import { videoOfPictures } from './pictures.js'
import { scenesOf } from './scenes.js'
import type { OpenFile, Video } from './video.js'

/** What makes a latent of the pictures of a video. */
export interface Watcher {
  /** What tells its latents from those of others. */
  readonly id: string
  readonly dimension: number
  latent(video: Video): Promise<Float32Array>
  encodeText?(texts: readonly string[]): Promise<Float32Array[]>
  thumbnail?(picture: ImageInput): Promise<Thumbnail>
  close(): Promise<void>
}

/** How videos are opened in a runtime. */
export interface Opening {
  readonly openFile: OpenFile
  /** Decodes files of pictures, to any size. */
  readonly decode: DecodeImage
}

/** Watches the scenes of a video through an encoder of pictures: their mean, each by how long it lasts. */
export function sceneWatcher(image: Encoder<'image'>, { every, pictures }: Sampling): Watcher {
  const { id, dimension } = image
  return {
    id: senseEncoderId('video', [id], { every, pictures }),
    dimension,
    async latent(video) {
      const sum = new Float64Array(dimension)
      for (const { picture, lasts } of await scenesOf(video, every, pictures)) {
        const [latent] = await image.encode([picture])
        unit(latent).forEach((value, d) => (sum[d] += lasts * value))
      }
      return unit(sum)
    },
    ...(image.encodeText !== undefined && { encodeText: (texts) => image.encodeText!(texts) }),
    ...(image.thumbnail !== undefined && { thumbnail: (picture) => image.thumbnail!(picture) }),
    close: async () => {}, // the encoder of pictures is the caller's
  }
}

/** An encoder of videos: what is seen and, behind it, what is heard. */
export class VideoEncoder implements Encoder<'video'> {
  readonly modality = 'video'
  readonly id: string
  readonly dimension: number
  readonly encodeText?: (texts: readonly string[]) => Promise<Float32Array[]>
  readonly thumbnail?: (video: VideoInput) => Promise<Thumbnail>
  readonly #watcher: Watcher
  readonly #sampling: Sampling
  readonly #opening: Opening
  readonly #turns = new SerialQueue()
  #isClosed = false

  constructor(watcher: Watcher, sampling: Sampling, opening: Opening) {
    const { audio, sound } = sampling
    this.#watcher = watcher
    this.#sampling = sampling
    this.#opening = opening
    this.id = audio === undefined ? watcher.id : senseEncoderId('video', [watcher.id, audio.id], { sound })
    this.dimension = watcher.dimension + (audio?.dimension ?? 0)
    const { encodeText, thumbnail } = watcher
    if (encodeText !== undefined)
      this.encodeText = async (texts) => (await encodeText(texts)).map((latent) => this.#joined(latent, undefined))
    if (thumbnail !== undefined)
      this.thumbnail = (input) =>
        this.#with(input, async (video) => {
          for await (const look of video.looks(this.#sampling.every)) return thumbnail(await look.picture())
          throw new AgidbError('AGIDB_MEDIA', 'the video has no pictures')
        })
  }

  async encode(inputs: readonly VideoInput[]): Promise<Float32Array[]> {
    const latents: Float32Array[] = []
    for (const input of inputs) latents.push(await this.#with(input, (video) => this.#latent(video)))
    return latents
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#watcher.close()
  }

  async #latent(video: Video): Promise<Float32Array> {
    const { audio } = this.#sampling
    const seen = await this.#watcher.latent(video)
    const sound = audio && (await video.sound())
    return this.#joined(seen, sound && (await audio!.encode([sound]))[0])
  }

  /** What is seen and heard, each by its share. A video without sound has zeros in its place. */
  #joined(seen: Float32Array, heard: Float32Array | undefined): Float32Array {
    const { audio, sound } = this.#sampling
    if (audio === undefined) return unit(seen)
    const joined = new Float32Array(this.dimension)
    unit(seen).forEach((value, d) => (joined[d] = Math.sqrt(1 - sound) * value))
    if (heard !== undefined) unit(heard).forEach((value, d) => (joined[seen.length + d] = Math.sqrt(sound) * value))
    return unit(joined)
  }

  /** Opens a video for some work, one at a time: a page has few decoders. */
  #with<T>(input: VideoInput, work: (video: Video) => Promise<T>): Promise<T> {
    return this.#turns.run(async () => {
      if (this.#isClosed) throw new AgidbError('AGIDB_CLOSED', 'the video encoder is closed; make another to use it')
      const video = await this.#open(input)
      try {
        return await work(video)
      } finally {
        video.close()
      }
    })
  }

  async #open(input: VideoInput): Promise<Video> {
    const { longest } = this.#sampling
    const { openFile, decode } = this.#opening
    if (input instanceof Blob || input instanceof Uint8Array) {
      const file = input instanceof Blob ? input : new Blob([input as Uint8Array<ArrayBuffer>])
      await checkFile(file)
      return openFile(file, longest)
    }
    if (isIterable(input)) return videoOfPictures(input, longest, decode)
    if (typeof input === 'object' && input !== null && 'currentSrc' in input) return openFile(input, longest)
    throw new AgidbError(
      'AGIDB_MEDIA',
      'a video must be the bytes of a file, a Blob, a video element, or pictures: an iterable of { image, at }',
    )
  }
}

function isIterable(input: unknown): input is Iterable<VideoPicture> | AsyncIterable<VideoPicture> {
  if (typeof input !== 'object' || input === null) return false
  return Symbol.iterator in input || Symbol.asyncIterator in input
}
