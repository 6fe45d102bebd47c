import { checkChoice, checkKeys, checkName, checkText, invalid } from '../../api/check.js'
import { type Sense, SENSES } from '../../api/encoder.js'
import type { Limits } from '../../api/open-options.js'
import type { Keep, Modality, MultimodalInput, NewSensoryFrame, SensoryFrame } from '../../api/sensory.js'
import { toMillis } from '../../api/time.js'
import { checkTriples } from '../../records/observation.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'

/** A checked perception, of the caller's data no more than copies. */
export interface Perceived
  extends Pick<
    SensoryFrame,
    'modality' | 'text' | 'latent' | 'encoder' | 'triples' | 'speaker' | 'session' | 'source'
  > {
  /** Epoch milliseconds. */
  readonly at?: number
  /** A picture, sound or video that is yet to be encoded, in the place of a latent. */
  readonly medium?: Medium
}

/** A picture, sound or video, and what is kept of it. */
export interface Medium {
  readonly sense: Sense
  readonly input: Pick<MultimodalInput, Sense>
  readonly keep?: Keep
}

const MODALITIES: readonly Modality[] = ['text', 'image', 'audio', 'video']
const NAMES = ['speaker', 'session', 'source'] as const
const MAX_LATENT = FIELD_LIMITS.frame.latent.items

/**
 * Checks a frame to the last field.
 *
 * @throws AgidbError with the code of what is wrong.
 */
export function perceived(frame: NewSensoryFrame, limits: Limits): Perceived {
  if (frame === undefined)
    throw invalid(
      "the frame is undefined; expected { modality: 'text', text }, { modality: 'image', image }, " +
        "{ modality: 'audio', audio }, { modality: 'video', video } or { modality, latent, encoder }",
      { what: 'frame' },
    )
  checkKeys('frame', frame, ['modality', 'text', 'latent', 'encoder', 'triples', 'at', 'keep', ...SENSES, ...NAMES])
  const { modality, text, latent, encoder, triples = [], at } = frame as GivenFrame
  checkChoice('frame.modality', modality, MODALITIES)
  const medium = mediumOf(frame as GivenFrame)
  if (latent === undefined) {
    if (modality !== 'text' && medium === undefined)
      throw invalid(
        `frame.latent is missing; a frame of modality ${modality} has a latent, a Float32Array, ` +
          'and the name of its encoder' +
          (isSense(modality!) ? `, or ${modality} itself` : ''),
        { what: 'frame.latent' },
      )
    if (encoder !== undefined)
      throw invalid('frame.encoder names what made a latent, and there is none; give both or neither', {
        what: 'frame.encoder',
      })
  } else {
    checkLatent(latent)
    if (encoder === undefined)
      throw invalid('frame.encoder is missing; expected the name of the model that made the latent', {
        what: 'frame.encoder',
      })
    checkName('frame.encoder', encoder, limits)
  }
  if (text !== undefined || (latent ?? medium) === undefined)
    checkText('frame.text', text, limits, FIELD_LIMITS.frame.text)
  checkTriples('frame.triples', triples, limits)
  for (const name of NAMES) checkName(`frame.${name}`, frame[name], limits)
  const names = Object.fromEntries(NAMES.filter((name) => frame[name] !== undefined).map((name) => [name, frame[name]]))
  return {
    modality: modality!,
    ...(text !== undefined && { text }),
    ...(latent !== undefined && { latent: latent.slice(), encoder }),
    ...(medium !== undefined && { medium }),
    ...(triples.length > 0 && {
      triples: triples.map(({ subject, predicate, object }) => ({ subject, predicate, object })),
    }),
    ...names,
    ...(at !== undefined && { at: toMillis(at, 'frame.at') }),
  }
}

/** Any of the fields that a frame may have. */
type GivenFrame = Partial<Extract<NewSensoryFrame, { latent: Float32Array }>> &
  Pick<MultimodalInput, Sense> & { readonly keep?: Keep }

/** What a frame shows or sounds like. Throws for one of another modality, beside a latent, and for a `keep` without. */
function mediumOf(frame: GivenFrame): Medium | undefined {
  const { modality, latent, keep } = frame
  for (const sense of SENSES)
    if (frame[sense] !== undefined && sense !== modality)
      throw invalid(`frame.${sense} is given with modality ${modality}; it takes modality '${sense}'`, {
        what: `frame.${sense}`,
      })
  if (!isSense(modality!) || frame[modality] === undefined) {
    if (keep === undefined) return undefined
    throw invalid(`frame.keep says what is kept of it, and there is no ${SENSES.join(' or ')}`, {
      what: 'frame.keep',
    })
  }
  if (latent !== undefined)
    throw invalid(`frame.${modality} and its latent are given; give one of them`, { what: 'frame.latent' })
  return { sense: modality, input: { [modality]: frame[modality] }, ...(keep !== undefined && { keep }) }
}

/** Whether memories have signatures of a modality beside those of their texts. */
export function isSense(modality: Modality): modality is Sense {
  return SENSES.includes(modality as Sense)
}

function checkLatent(latent: unknown): asserts latent is Float32Array {
  if (!(latent instanceof Float32Array)) throw invalid('frame.latent must be a Float32Array', { what: 'frame.latent' })
  if (latent.length === 0 || latent.length > MAX_LATENT) {
    throw invalid(`frame.latent has ${latent.length} numbers; expected 1 to ${MAX_LATENT}`, {
      what: 'frame.latent',
      length: latent.length,
    })
  }
  if (!latent.every((value) => Number.isFinite(value)))
    throw invalid('frame.latent has a number that is not finite', { what: 'frame.latent' })
  if (latent.every((value) => value === 0))
    throw invalid('frame.latent is all zero, which is like nothing; expected a number that is not', {
      what: 'frame.latent',
    })
}
