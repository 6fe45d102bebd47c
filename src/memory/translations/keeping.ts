import { checkChoice, invalid } from '../../api/check.js'
import {
  type Encoder,
  type Encoders,
  inputOf,
  type SensedInputs,
  type SenseName,
  SENSES,
  type Thumbnail,
} from '../../api/encoder.js'
import type { Limits } from '../../api/open-options.js'
import type { Keep } from '../../api/sensory.js'
import { AgidbError } from '../../base/errors.js'

/** A picture, sound or video that is kept with an episode. */
export interface Medium extends Thumbnail {
  readonly sense: SenseName
}

/** The choices of `keep`. */
export const KEEPS: readonly Keep[] = ['none', 'thumbnail', 'original']

/**
 * What is kept of what was perceived. Of sounds there are no thumbnails.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` where there is nothing to keep, for an original that is no file, and for
 * a thumbnail where the encoder makes none; `AGIDB_TOO_LARGE` over `limits.mediaBytes`
 */
export async function keeping(
  input: SensedInputs,
  keep: Keep | undefined,
  encoders: Encoders = {},
  { mediaBytes }: Limits,
): Promise<Medium[]> {
  if (keep === undefined) return []
  checkChoice('keep', keep, KEEPS)
  if (keep !== 'none' && keptSenses(input, 'original').length === 0)
    throw invalid(`keep says what is kept of it, and there is no ${SENSES.join(' or ')}`, { what: 'keep' })
  const media: Medium[] = []
  for (const sense of keptSenses(input, keep)) {
    const made = keep === 'original' ? await original(sense, input) : await thumbnail(encoders, sense, input)
    const { length } = made.bytes
    if (length > mediaBytes)
      throw new AgidbError(
        'AGIDB_TOO_LARGE',
        `${sense} has ${length} bytes; at most ${mediaBytes} are kept (limits.mediaBytes)`,
        { what: sense, limit: mediaBytes },
      )
    if (length > 0) media.push({ sense, ...made })
  }
  return media
}

/** The senses of which something is kept: of sounds there are no thumbnails. */
export function keptSenses(input: SensedInputs, keep: Keep): SenseName[] {
  const senses = [...SENSES, ...Object.keys(input.own ?? {}).sort()]
  const isKept = (sense: SenseName) =>
    inputOf(input, sense) !== undefined && !(keep === 'thumbnail' && sense === 'audio')
  return keep === 'none' ? [] : senses.filter(isKept)
}

async function original(sense: SenseName, input: SensedInputs): Promise<Thumbnail> {
  const given = inputOf(input, sense)
  if (given instanceof Uint8Array) return { type: typeOf(given), bytes: given }
  if (!(given instanceof Blob))
    throw invalid(`${sense} is no file; keep: 'original' takes the bytes of one or a Blob`, { what: sense })
  const bytes = new Uint8Array(await given.arrayBuffer())
  return { type: typeOf(bytes, given.type), bytes }
}

async function thumbnail(encoders: Encoders, sense: SenseName, input: SensedInputs): Promise<Thumbnail> {
  const encoder = encoders[sense] as Encoder<string> | undefined
  if (encoder?.thumbnail === undefined)
    throw invalid(`the encoder for ${sense} makes no thumbnails; give keep: 'original' or 'none'`, { option: 'keep' })
  try {
    return await encoder.thumbnail(inputOf(input, sense))
  } catch (cause) {
    if (cause instanceof AgidbError && cause.code !== 'AGIDB_INTERNAL') throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AgidbError('AGIDB_ENCODER', `the ${sense} encoder failed to make a thumbnail: ${reason}`, {}, { cause })
  }
}

/** The first bytes of files, and what they are; `RIFF` files say it eight bytes later, MP4 four. */
const TYPES: readonly (readonly [start: string, type: string])[] = [
  ['\x89PNG', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['fLaC', 'audio/flac'],
  ['OggS', 'audio/ogg'],
  ['ID3', 'audio/mpeg'],
  ['\xff\xfb', 'audio/mpeg'],
  ['\xff\xf3', 'audio/mpeg'],
  ['\x1aE\xdf\xa3', 'video/webm'],
]

function typeOf(bytes: Uint8Array, said = ''): string {
  const text = String.fromCharCode(...bytes.subarray(0, 12))
  if (text.startsWith('RIFF')) return text.endsWith('WEBP') ? 'image/webp' : 'audio/wav'
  if (text.startsWith('ftyp', 4)) return 'video/mp4'
  const type = TYPES.find(([start]) => text.startsWith(start))?.[1]
  return type ?? (said === '' ? 'application/octet-stream' : said)
}
