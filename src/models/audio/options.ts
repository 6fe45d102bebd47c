import { checkChoice, checkKeys, checkNumber, checkWhole, invalid } from '../../api/check.js'
import type { FileSource } from '../options.js'
import type { SenseEncoderOptions } from '../senses/options.js'

/** In which order a model takes the frames and bands of a front end, or samples; 1 is an axis of one place. */
export type AudioLayout =
  | 'samples'
  | '1-samples'
  | 'frames-bands'
  | 'frames-bands-1'
  | '1-frames-bands'
  | 'bands-frames'

/** What becomes of the numbers of a front end: value × multiply + add, and not less than `range` under the greatest. */
export interface AudioFeatures {
  /** Default 1. */
  readonly multiply?: number
  /** Default 0. */
  readonly add?: number
  /**
   * What is less than the greatest number of the whole sound by more than this, above 0, is raised to that: faint noise
   * is the same input as silence. Of the logarithm of a spectrum. Default: nothing is raised.
   */
  readonly range?: number
}

/** How sounds are prepared for a model, and what its output is. */
export interface AudioManifest {
  /** Samples a second that the model, or its front end, takes: 4,000 to 192,000. */
  readonly sampleRate: number
  /** Samples of a window: what the model sees at once, 64 to 2^22. A shorter sound is filled up with silence. */
  readonly window: number
  /** Samples from the beginning of a window to that of the next. Default: half a window. */
  readonly hop?: number
  /** Whether samples go from -1 to 1 (`unit`) or from -32,768 to 32,767 (`int16`). Default `unit`. */
  readonly scale?: 'unit' | 'int16'
  /**
   * Makes each sound so loud that its greatest sample is this, above 0 to 1, so that a quieter recording is the same
   * input. Default: sounds stay as loud as they are.
   */
  readonly peak?: number
  /** What becomes of the numbers of the front end. */
  readonly features?: AudioFeatures
  /**
   * What the model takes, after an axis for the batch. Default: `samples` without a front end, `frames-bands` with one.
   */
  readonly layout?: AudioLayout
  /** Of the vectors of all windows their mean, the greatest number of each, or both in turn. Default `mean`. */
  readonly pooling?: 'mean' | 'max' | 'mean-max'
  /** Whether the mean of a latent's own numbers is subtracted from each of them. Default false. */
  readonly centred?: boolean
  /**
   * What is subtracted from each latent, a number for each of its own: the mean of latents that were made without it,
   * of many sounds. For models whose latents of unrelated sounds are alike. Default: nothing.
   */
  readonly centre?: readonly number[]
  /** The name of the output. Default: the first. */
  readonly output?: string
}

/** Options of `audioEncoder`. */
export interface AudioEncoderOptions extends SenseEncoderOptions {
  /** The model in ONNX: one input, float32, of a window of samples or of what the front end makes of one. */
  readonly model: FileSource
  /**
   * A model in ONNX that makes features, such as a log-mel spectrogram, of 1 × samples; the last two axes of its output
   * are frames and bands. Default: none, and the model takes samples.
   */
  readonly frontEnd?: FileSource
  readonly manifest: AudioManifest
  /**
   * What the files must be, as SHA-256 in hexadecimal digits. A file from a URL is cached only with it. Default: not
   * checked.
   */
  readonly sha256?: { readonly model?: string; readonly frontEnd?: string }
}

/** The manifest with its defaults. */
export interface AudioPreparation
  extends Required<Omit<AudioManifest, 'output' | 'layout' | 'features' | 'peak' | 'centre'>> {
  readonly features: Required<Omit<AudioFeatures, 'range'>> & Pick<AudioFeatures, 'range'>
  readonly peak?: number
  readonly centre?: readonly number[]
  readonly layout?: AudioLayout
  readonly output?: string
}

const NAMES: readonly (keyof AudioManifest)[] = [
  'sampleRate',
  'window',
  'hop',
  'scale',
  'peak',
  'features',
  'layout',
  'pooling',
  'centred',
  'centre',
  'output',
]
const LAYOUTS: readonly AudioLayout[] = [
  'samples',
  '1-samples',
  'frames-bands',
  'frames-bands-1',
  '1-frames-bands',
  'bands-frames',
]

/**
 * The manifest with its defaults.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`.
 */
export function checkAudioManifest(manifest: AudioManifest): AudioPreparation {
  checkKeys('manifest', manifest, NAMES)
  const { sampleRate, window, scale = 'unit', features = {}, layout, pooling = 'mean' } = manifest ?? {}
  const { centred = false, output, peak, centre } = manifest ?? {}
  checkWhole('manifest.sampleRate', sampleRate, 4_000, 192_000)
  checkWhole('manifest.window', window, 64, 2 ** 22)
  const { hop = Math.ceil(window / 2) } = manifest
  checkWhole('manifest.hop', hop, Math.ceil(window / 64), window)
  checkChoice('manifest.scale', scale, ['unit', 'int16'])
  if (peak !== undefined) checkNumber('manifest.peak', peak, 1e-3, 1)
  if (centre !== undefined && !(Array.isArray(centre) && centre.every(Number.isFinite)))
    throw invalid('manifest.centre must be an array of finite numbers', { option: 'manifest.centre' })
  checkKeys('manifest.features', features, ['multiply', 'add', 'range'])
  const { multiply = 1, add = 0, range } = features
  checkNumber('manifest.features.multiply', multiply, -1e6, 1e6)
  checkNumber('manifest.features.add', add, -1e6, 1e6)
  if (range !== undefined) checkNumber('manifest.features.range', range, 1e-6, 1e6)
  if (layout !== undefined) checkChoice('manifest.layout', layout, LAYOUTS)
  checkChoice('manifest.pooling', pooling, ['mean', 'max', 'mean-max'])
  checkChoice('manifest.centred', centred, [true, false])
  if (output !== undefined && (typeof output !== 'string' || output === ''))
    throw invalid('manifest.output must be the name of an output', { option: 'manifest.output' })
  const shaped = { multiply, add, ...(range !== undefined && { range }) }
  const made = { sampleRate, window, hop, scale, features: shaped, pooling, centred }
  const given = {
    ...(peak !== undefined && { peak }),
    ...(centre !== undefined && { centre }),
    ...(output !== undefined && { output }),
  }
  return { ...made, ...(layout !== undefined && { layout }), ...given }
}
