import { checkChoice, checkKeys, checkNumber, checkWhole, invalid } from '../../api/check.js'
import type { Encoder } from '../../api/encoder.js'
import { checkImageManifest, type ImageManifest } from '../image/options.js'
import type { FileSource } from '../options.js'
import type { SenseEncoderOptions } from '../senses/options.js'

/** What both kinds of options of `videoEncoder` have. */
interface VideoOptions {
  /**
   * Encodes the sound of files, which stands behind what is seen. It is the caller's to close. Default: sound does not
   * count.
   */
  readonly audio?: Encoder<'audio'>
  /** The share of the sound, 0.01 to 0.99. Default 0.2. */
  readonly sound?: number
  /** Milliseconds that a video may last, 1,000 to 300,000. Default 300,000. */
  readonly longest?: number
}

/** Options of `videoEncoder` for pictures of scenes, through an encoder of pictures. */
export interface SceneVideoOptions extends VideoOptions {
  /** Encodes the pictures. It is the caller's to close. */
  readonly image: Encoder<'image'>
  /** Milliseconds from one look at the video to the next, 40 to 10,000. Default 500. */
  readonly every?: number
  /** Scenes that count, 1 to 64; of more the longest. Default 16. */
  readonly pictures?: number
}

/** How clips are prepared for a model, and what its output is. */
export interface ClipManifest {
  /** Pictures that the model takes, 1 to 64, as far apart in the video as can be. */
  readonly pictures: number
  /** Pixels of each side of their square, 8 to 1,024; at most 2²⁴ in all pictures. */
  readonly size: number
  /**
   * Of what shape they are: 1 × pictures × 3 × size × size (`pictures-colours`, as V-JEPA 2), or 1 × 3 × pictures ×
   * size × size (`colours-pictures`). Default `pictures-colours`.
   */
  readonly layout?: 'pictures-colours' | 'colours-pictures'
  /** As those of `imageEncoder`. */
  readonly mean?: readonly [number, number, number]
  readonly std?: readonly [number, number, number]
  readonly fit?: 'cover' | 'stretch'
  readonly crop?: number
  readonly pooling?: 'mean' | 'first'
  readonly centred?: boolean
  readonly output?: string
}

/** Options of `videoEncoder` for a model of clips, such as V-JEPA 2. */
export interface ClipVideoOptions extends VideoOptions, SenseEncoderOptions {
  /** The model in ONNX: one input, float32 of the shape that the manifest says. */
  readonly model: FileSource
  readonly manifest: ClipManifest
  /** What the model must be, as SHA-256 in hexadecimal digits. A file from a URL is cached only with it. */
  readonly sha256?: { readonly model?: string }
}

/** Options of `videoEncoder`: an encoder of pictures, or a model of clips. */
export type VideoEncoderOptions = SceneVideoOptions | ClipVideoOptions

/** How videos are looked at, with the defaults. */
export interface Sampling {
  readonly audio?: Encoder<'audio'>
  readonly sound: number
  readonly longest: number
  readonly every: number
  readonly pictures: number
}

/** What both kinds of options are, checked and with their defaults, and what is of one kind. */
export interface Checked {
  readonly sampling: Sampling
  /** Of a model of clips. */
  readonly clip?: Omit<ClipVideoOptions, keyof VideoOptions>
  readonly image?: Encoder<'image'>
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION` */
export function checkVideoOptions(options: VideoEncoderOptions): Checked {
  const isClip = typeof options === 'object' && options !== null && 'model' in options
  const own = isClip ? ['model', 'manifest', 'sha256', 'cache', 'wasm', 'worker'] : ['image', 'every', 'pictures']
  checkKeys('videoEncoder', options, [...own, 'audio', 'sound', 'longest'])
  const { audio, sound = 0.2, longest = 300_000 } = options ?? {}
  if (audio !== undefined) checkEncoder('audio', audio)
  checkNumber('sound', sound, 0.01, 0.99)
  checkWhole('longest', longest, 1_000, 300_000)
  const common = { ...(audio !== undefined && { audio }), sound, longest }
  if (isClip) {
    const { audio: _, sound: __, longest: ___, ...clip } = options as ClipVideoOptions
    return { sampling: { ...common, every: 500, pictures: 16 }, clip }
  }
  const { image, every = 500, pictures = 16 } = (options ?? {}) as SceneVideoOptions
  checkEncoder('image', image)
  checkWhole('every', every, 40, 10_000)
  checkWhole('pictures', pictures, 1, 64)
  return { sampling: { ...common, every, pictures }, image }
}

function checkEncoder(modality: 'image' | 'audio', given: unknown): void {
  const { modality: own, encode } = (given ?? {}) as Partial<Encoder>
  if (own === modality && typeof encode === 'function') return
  throw invalid(
    `${modality} must be an encoder of modality '${modality}', as what ${modality}Encoder resolves to: await it before`,
    { option: modality },
  )
}

/** The manifest with its defaults. */
export type ClipPreparation = Required<Omit<ClipManifest, 'output'>> & Pick<ClipManifest, 'output'>

/** Values of all pictures of a clip, by colour, at most. */
const MAX_PIXELS = 2 ** 24

/**
 * The manifest with its defaults.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`
 */
export function checkClipManifest(manifest: ClipManifest): ClipPreparation {
  const ofPictures = ['size', 'mean', 'std', 'fit', 'crop', 'pooling', 'centred', 'output']
  checkKeys('manifest', manifest, ['pictures', 'layout', ...ofPictures])
  const { pictures, layout = 'pictures-colours', ...rest } = manifest ?? {}
  checkWhole('manifest.pictures', pictures, 1, 64)
  checkChoice('manifest.layout', layout, ['pictures-colours', 'colours-pictures'])
  const { layout: _, ...picture } = checkImageManifest(rest as ImageManifest)
  if (pictures * picture.size ** 2 > MAX_PIXELS)
    throw invalid(
      `manifest asks for ${pictures} pictures of ${picture.size} × ${picture.size} pixels; that is too many`,
      {
        option: 'manifest.size',
      },
    )
  return { ...picture, pictures, layout }
}
