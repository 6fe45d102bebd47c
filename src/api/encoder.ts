/**
 * Turns texts into latents that are close where the texts mean the same. `agidb/onnx` makes one of an ONNX model; any
 * object with these members will do.
 *
 * The latent of a text must be a function of the text alone: what is remembered beside it must leave no trace in it.
 */
export interface SentenceEncoder {
  /** SHA-256 of the model, 64 hexadecimal digits: latents of different models cannot be compared. */
  readonly id: string
  /** Numbers a latent, 1 to 8,192. */
  readonly dimension: number
  /** Milliseconds that a recall waits for the latent of its cue; later it goes on without. Default 100. */
  readonly cueMs?: number
  /**
   * The latents of texts, in order, each of unit length. Calls may overlap. A call with one text should overtake one
   * with many: somebody waits for it.
   */
  encode(texts: readonly string[]): Promise<Float32Array[]>
  /** Frees the model. A database does not call this, because several may share an encoder. */
  close(): Promise<void>
}

/** What a memory can perceive beside text by encoders of the library. */
export type Sense = 'image' | 'audio' | 'video'

/**
 * A sense, or a modality of the application's own, such as `touch`: a letter, then up to 62 letters, digits, `_` and
 * `-`; not `text` or `multimodal`.
 */
export type SenseName = Sense | (string & Record<never, never>)

/** The senses, in the order of their signature spaces. */
export const SENSES: readonly Sense[] = ['image', 'audio', 'video']

/** A picture that is decoded, such as an `ImageData`: red, green, blue and alpha of each pixel, row by row. */
export interface Pixels {
  readonly data: Uint8Array | Uint8ClampedArray
  readonly width: number
  readonly height: number
}

/** A picture: the bytes of a PNG, JPEG, WebP or GIF, a `Blob` of one, or its pixels. */
export type ImageInput = Uint8Array | Blob | Pixels

/** A sound that is decoded: one channel, from -1 to 1. */
export interface Samples {
  readonly samples: Float32Array
  /** Samples a second. */
  readonly sampleRate: number
}

/** A sound that is decoded, with one channel or more, such as an `AudioBuffer`. It cannot be sent to a worker. */
export interface SoundChannels {
  /** Samples a second. */
  readonly sampleRate: number
  readonly numberOfChannels: number
  /** Samples of each channel. */
  readonly length: number
  /** The samples of a channel, from -1 to 1; the first is 0. */
  getChannelData(channel: number): Float32Array
}

/** A sound: the bytes of a file of WAV, FLAC, MP3 or Ogg, a `Blob` of one, or its samples. */
export type AudioInput = Uint8Array | Blob | Samples | SoundChannels

/** A picture of a video. */
export interface VideoPicture {
  readonly image: ImageInput
  /** When it is shown: milliseconds from the beginning of the video, each later than the one before. */
  readonly at: number
}

/** An element that shows a video, such as an `HTMLVideoElement`. It cannot be sent to a worker. */
export interface VideoElement {
  readonly currentSrc: string
  readonly crossOrigin: string | null
  readonly videoWidth: number
}

/**
 * A video: the bytes of a file of MP4 or WebM, a `Blob` of one, or an element, which a page decodes; or its pictures,
 * on every runtime.
 */
export type VideoInput = Uint8Array | Blob | VideoElement | Iterable<VideoPicture> | AsyncIterable<VideoPicture>

/** What an encoder of each modality takes. */
export interface EncoderInputs {
  readonly text: string
  readonly image: ImageInput
  readonly audio: AudioInput
  readonly video: VideoInput
}

/** What an encoder of a modality takes; one of the application's own takes what the application gives it. */
export type EncoderInput<Modality extends string> = Modality extends keyof EncoderInputs
  ? EncoderInputs[Modality]
  : unknown

/** Inputs of the application's own modalities, by their names, each as its encoder takes it. */
export type OwnInputs = Readonly<Record<string, unknown>>

/** Latents that encoders of the memory made, by their senses. */
export type Latents = { readonly [S in Sense]?: Float32Array } & { readonly [own: string]: Float32Array | undefined }

/**
 * Turns inputs of one modality into latents that are close where the inputs are alike. `agidb/onnx` makes one of an
 * ONNX model (`imageEncoder`, `audioEncoder`, `videoEncoder`, `dualEncoder`); any object with these members will do.
 *
 * The latent of an input must be a function of the input alone: what is remembered beside it must leave no trace in it.
 */
export interface Encoder<Modality extends string = Sense> {
  readonly modality: Modality
  /**
   * SHA-256 of the model and of how inputs are prepared for it, 64 hexadecimal digits: latents of different encoders
   * cannot be compared.
   */
  readonly id: string
  /** Numbers a latent, 1 to 8,192. */
  readonly dimension: number
  /** The latents of inputs, in order; of any length but zero. Calls may overlap. */
  encode(inputs: readonly EncoderInput<Modality>[]): Promise<Float32Array[]>
  /**
   * The latents of texts in the space of the inputs, in order: that of `a red square` is close to those of pictures of
   * red squares. For `recall(words, { modality })`. Absent where the encoder knows no words.
   */
  encodeText?(texts: readonly string[]): Promise<Float32Array[]>
  /** A small copy of an input, for `keep: 'thumbnail'`. Absent where the encoder makes none. */
  thumbnail?(input: EncoderInput<Modality>): Promise<Thumbnail>
  /** Frees the model. A database does not call this, because several may share an encoder. */
  close(): Promise<void>
}

/** A small copy of a picture, or of one of a video, as a file. */
export interface Thumbnail {
  /** What it is, such as `image/webp`. */
  readonly type: string
  readonly bytes: Uint8Array
}

/** An encoder for each sense that a memory has; beside those of the library at most four of the application's own. */
export type Encoders = { readonly [S in Sense]?: Encoder<S> } & { readonly [own: string]: Encoder<string> | undefined }

/** The application's own modalities among the members of an object that are there, in the order of their spaces. */
export function ownOf(members: Readonly<Record<string, unknown>>): string[] {
  const isOwn = (name: string) => members[name] !== undefined && !isSense(name)
  return Object.keys(members).filter(isOwn).sort()
}

/** What is given of some senses, or of one. */
export interface SensedInputs {
  readonly image?: ImageInput
  readonly audio?: AudioInput
  readonly video?: VideoInput
  readonly own?: OwnInputs
  readonly latents?: Latents
}

/** What is given of a sense. */
export function inputOf(given: SensedInputs, sense: string): unknown {
  return isSense(sense) ? given[sense] : given.own?.[sense]
}

/** Whether something can be the name of a sense. */
export function isModality(name: unknown): name is SenseName {
  return typeof name === 'string' && /^(?!(text|multimodal)$)[a-z][\w-]{0,62}$/i.test(name)
}

/** Whether a sense is one of the library's. */
export function isSense(name: string): name is Sense {
  return SENSES.includes(name as Sense)
}

/** How far the encoding of a database's memories has come. */
export interface EncoderStats {
  /** {@link SentenceEncoder.id} */
  readonly id: string
  readonly dimension: number
  /** Memories that can be found by their latent. */
  readonly encoded: number
  /**
   * Memories that still wait; with an {@link EncoderStats.error | error} they wait until the database is opened again.
   */
  readonly pending: number
  /** Why the encoder is used no more. */
  readonly error?: string
}
