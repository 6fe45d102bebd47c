import { checkChoice } from '../../api/check.js'
import { type Encoder, type Encoders, inputOf, isSense, type Pixels, type SensedInputs } from '../../api/encoder.js'
import type { Limits } from '../../api/open-options.js'
import type { Keep } from '../../api/sensory.js'
import { KEEPS, keeping, keptSenses, type Medium } from './keeping.js'

/**
 * What is kept of a frame if it becomes an episode. A thumbnail is made then: most frames become none.
 */
export interface Keepsake {
  /** Bytes of main memory that it takes until then. */
  readonly size: number
  /** What is kept; absent where it is yet to be made. */
  readonly made?: readonly Medium[]
  /** @throws AgidbError what making a thumbnail throws */
  make(): Promise<readonly Medium[]>
}

/** Bytes of a picture that is held until it is known whether its thumbnail is needed; of a larger one it is made. */
const MOST_HELD = 1 << 22

/**
 * What is kept of a frame. Inputs are copied, since the caller may use them again.
 *
 * @throws AgidbError as {@link keeping}; what a thumbnail throws that is made later is thrown then
 */
export async function keepsakeOf(
  input: SensedInputs,
  keep: Keep | undefined,
  encoders: Encoders = {},
  limits: Limits,
): Promise<Keepsake> {
  if (keep !== undefined) checkChoice('keep', keep, KEEPS)
  const held = keep === 'thumbnail' ? heldOf(input, encoders) : undefined
  if (held === undefined) return madeOf(await keeping(input, keep, encoders, limits))
  return { size: held.size, make: () => keeping(held.input, keep, encoders, limits) }
}

function madeOf(media: readonly Medium[]): Keepsake {
  return { size: media.reduce((sum, { bytes }) => sum + bytes.length, 0), made: media, make: async () => media }
}

/** What thumbnails can be made of later; `undefined` where they must be made at once, or cannot be made. */
function heldOf(
  input: SensedInputs,
  encoders: Encoders,
): { readonly input: SensedInputs; readonly size: number } | undefined {
  let size = 0
  const senses: Record<string, unknown> = {}
  const own: Record<string, unknown> = {}
  for (const sense of keptSenses(input, 'thumbnail')) {
    const copy = copied(inputOf(input, sense))
    const encoder = encoders[sense] as Encoder<string> | undefined
    if (copy === undefined || encoder?.thumbnail === undefined) return undefined
    size += copy.size
    ;(isSense(sense) ? senses : own)[sense] = copy.input
  }
  return size > MOST_HELD ? undefined : { input: { ...senses, own }, size }
}

/** A copy of a picture, of a file, or of the first picture of a video, which is its thumbnail. */
function copied(input: unknown): { readonly input: unknown; readonly size: number } | undefined {
  if (input instanceof Blob) return { input, size: input.size }
  if (input instanceof Uint8Array) return { input: input.slice(), size: input.length }
  if (Array.isArray(input)) {
    const [first] = input as readonly { readonly image?: unknown }[]
    const image = copied(first?.image)
    return image && { input: [{ ...first, image: image.input }], size: image.size }
  }
  const { data, width, height } = (input ?? {}) as Partial<Pixels>
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) return undefined
  return { input: { data: data.slice(), width, height }, size: data.length }
}
