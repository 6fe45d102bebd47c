import { checkChoice, checkKeys, checkNumber, checkWhole, invalid } from '../../api/check.js'
import type { FileSource } from '../options.js'
import type { SenseEncoderOptions } from '../senses/options.js'

/** How pictures are prepared for a model, and what its output is. */
export interface ImageManifest {
  /** Pixels of each side of the square that the model takes, 8 to 1,024. */
  readonly size: number
  /** What is subtracted from red, green and blue between 0 and 1. Default: that of ImageNet. */
  readonly mean?: readonly [number, number, number]
  /** What they are divided by then. Default: that of ImageNet. */
  readonly std?: readonly [number, number, number]
  /** Whether the colours of a pixel stand side by side (`nhwc`) or in planes (`nchw`). Default `nchw`. */
  readonly layout?: 'nchw' | 'nhwc'
  /** `cover`: the square in the middle of the picture; `stretch`: all of it, out of shape. Default `cover`. */
  readonly fit?: 'cover' | 'stretch'
  /** The share of the square's sides that is kept, 0.1 to 1. Default 1. */
  readonly crop?: number
  /** Of several vectors: their mean, or the first. Default `mean`. */
  readonly pooling?: 'mean' | 'first'
  /**
   * Whether the mean of a latent's own numbers is subtracted from each of them: for models whose numbers are all
   * positive, so that unrelated pictures are not alike. Default false.
   */
  readonly centred?: boolean
  /** The name of the output. Default: the first. */
  readonly output?: string
}

/** Options of `imageEncoder`. */
export interface ImageEncoderOptions extends SenseEncoderOptions {
  /** The model in ONNX: one input, float32 of 1 × 3 × size × size or 1 × size × size × 3. */
  readonly model: FileSource
  readonly manifest: ImageManifest
  /**
   * What the model must be, as SHA-256 in hexadecimal digits. A file from a URL is cached only with it. Default: not
   * checked.
   */
  readonly sha256?: { readonly model?: string }
}

/** The manifest with its defaults. */
export type Preparation = Required<Omit<ImageManifest, 'output'>> & Pick<ImageManifest, 'output'>

/** Of ImageNet, red, green and blue between 0 and 1. */
const IMAGENET = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] } as const

/**
 * The manifest with its defaults.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`.
 */
export function checkImageManifest(manifest: ImageManifest): Preparation {
  const names = ['size', 'mean', 'std', 'layout', 'fit', 'crop', 'pooling', 'centred', 'output']
  checkKeys('manifest', manifest, names)
  const { size, mean = IMAGENET.mean, std = IMAGENET.std, layout = 'nchw', fit = 'cover' } = manifest ?? {}
  const { crop = 1, pooling = 'mean', centred = false, output } = manifest ?? {}
  checkWhole('manifest.size', size, 8, 1_024)
  for (const [name, colours] of Object.entries({ mean, std })) {
    if (!Array.isArray(colours) || colours.length !== 3)
      throw invalid(`manifest.${name} must be three numbers, of red, green and blue`, { option: `manifest.${name}` })
    for (const [i, value] of (colours as readonly number[]).entries())
      checkNumber(`manifest.${name}[${i}]`, value, name === 'std' ? 1e-6 : -1_000, 1_000)
  }
  checkChoice('manifest.layout', layout, ['nchw', 'nhwc'])
  checkChoice('manifest.fit', fit, ['cover', 'stretch'])
  checkNumber('manifest.crop', crop, 0.1, 1)
  checkChoice('manifest.pooling', pooling, ['mean', 'first'])
  checkChoice('manifest.centred', centred, [true, false])
  if (output !== undefined && (typeof output !== 'string' || output === ''))
    throw invalid('manifest.output must be the name of an output', { option: 'manifest.output' })
  const made = { size, mean, std, layout, fit, crop, pooling, centred }
  return { ...made, ...(output !== undefined && { output }) }
}
