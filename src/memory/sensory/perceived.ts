import { checkKeys, checkName, checkText, describe, invalid } from '../../api/check.js'
import { inputOf, isModality, isSense, ownOf, type SensedInputs, type SenseName, SENSES } from '../../api/encoder.js'
import type { Limits } from '../../api/open-options.js'
import type { FrameModality, Keep, NewSensoryFrame, SensoryFrame } from '../../api/sensory.js'
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
  /**
   * What is yet to be encoded: a picture, sound or video in the place of a latent, or what a frame of several senses
   * has beside its text.
   */
  readonly media?: SensedInputs
  /** What is kept of it. */
  readonly keep?: Keep
}

const OWN_KEYS = ['modality', 'text', 'latent', 'latents', 'own', 'encoder', 'triples', 'at', 'keep']
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
        "{ modality: 'audio', audio }, { modality: 'video', video }, { modality, latent, encoder } or " +
        "{ modality: 'multimodal', text, image, audio, video }",
      { what: 'frame' },
    )
  checkKeys('frame', frame, [...OWN_KEYS, ...SENSES, ...NAMES])
  const { modality, text, latent, encoder, triples = [], at, keep } = frame as GivenFrame
  checkModality(modality)
  const media = modality === 'multimodal' ? partsOf(frame as GivenFrame) : mediumOf(frame as GivenFrame)
  if (keep !== undefined && keep !== 'none' && [...SENSES, 'own' as const].every((key) => media?.[key] === undefined))
    throw invalid(`frame.keep says what is kept of it, and there is no ${SENSES.join(' or ')}`, {
      what: 'frame.keep',
    })
  if (latent === undefined) {
    if (modality !== 'text' && media === undefined)
      throw invalid(
        `frame.latent is missing; a frame of modality ${modality} has a latent, a Float32Array, ` +
          'and the name of its encoder' +
          (isSense(modality) ? `, or ${modality} itself` : `, or own: { ${modality}: … }`),
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
  if (text !== undefined || (latent ?? media) === undefined)
    checkText('frame.text', text, limits, FIELD_LIMITS.frame.text)
  checkTriples('frame.triples', triples, limits)
  for (const name of NAMES) checkName(`frame.${name}`, frame[name], limits)
  const names = Object.fromEntries(NAMES.filter((name) => frame[name] !== undefined).map((name) => [name, frame[name]]))
  return {
    modality,
    ...(text !== undefined && { text }),
    ...(latent !== undefined && { latent: latent.slice(), encoder }),
    ...(media !== undefined && { media, keep }),
    ...(triples.length > 0 && {
      triples: triples.map(({ subject, predicate, object }) => ({ subject, predicate, object })),
    }),
    ...names,
    ...(at !== undefined && { at: toMillis(at, 'frame.at') }),
  }
}

/** Any of the fields that a frame may have. */
type GivenFrame = Partial<Omit<Extract<NewSensoryFrame, { latent: Float32Array }>, 'modality'>> &
  SensedInputs & { readonly modality?: FrameModality; readonly keep?: Keep }

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` */
function checkModality(modality: unknown): asserts modality is FrameModality {
  if (modality === 'text' || modality === 'multimodal' || isModality(modality)) return
  throw invalid(
    `frame.modality is ${describe(modality)}; expected text, ${SENSES.join(', ')}, multimodal, or the name of a ` +
      'modality of your own: a letter and up to 62 letters, digits, _ or -',
    { what: 'frame.modality' },
  )
}

/** What a frame of one sense shows or sounds like. Throws for that of another modality, and for one beside a latent. */
function mediumOf(frame: GivenFrame): SensedInputs | undefined {
  const { modality = 'text', latent, latents } = frame
  for (const sense of givenIn(frame))
    if (sense !== modality) {
      const what = `frame.${isSense(sense) ? '' : 'own.'}${sense}`
      throw invalid(
        `${what} is given with modality ${modality}; it takes modality '${sense}', or 'multimodal' with others`,
        { what },
      )
    }
  if (latents !== undefined)
    throw invalid(`frame.latents are given with modality ${modality}; give frame.latent, or modality 'multimodal'`, {
      what: 'frame.latents',
    })
  const input = inputOf(frame, modality)
  if (input === undefined) return undefined
  if (latent !== undefined)
    throw invalid(`frame.${modality} and its latent are given; give one of them`, { what: 'frame.latent' })
  return isSense(modality) ? { [modality]: input } : { own: { [modality]: input } }
}

/** What a frame of several senses has beside its text. Throws where it has no part at all. */
function partsOf(frame: GivenFrame): SensedInputs {
  const { text, latent, latents = {}, own } = frame
  if (latent !== undefined)
    throw invalid('frame.latent is given with modality multimodal; say of which sense, as in latents: { image: … }', {
      what: 'frame.latent',
    })
  if (typeof latents !== 'object' || latents === null)
    throw invalid('frame.latents must be an object such as { image: … }', { what: 'frame.latents' })
  const given = givenIn(frame)
  const made = Object.entries(latents).filter(([, latent]) => latent !== undefined)
  if (text === undefined && given.length + made.length === 0)
    throw invalid(`frame has no part; give at least one of text, ${SENSES.join(', ')}, own`, { what: 'frame' })
  return {
    ...Object.fromEntries(given.filter(isSense).map((sense) => [sense, frame[sense]])),
    ...(own && { own }),
    latents: Object.fromEntries(made.map(([sense, latent]) => [sense, copied(sense, latent)])),
  }
}

/** The senses of which a frame has an input. */
function givenIn(frame: SensedInputs): SenseName[] {
  return [...SENSES, ...ownOf(frame.own ?? {})].filter((sense) => inputOf(frame, sense) !== undefined)
}

function copied(sense: string, latent: unknown): Float32Array {
  checkLatent(latent, `frame.latents.${sense}`)
  return latent.slice()
}

function checkLatent(latent: unknown, what = 'frame.latent'): asserts latent is Float32Array {
  if (!(latent instanceof Float32Array)) throw invalid(`${what} must be a Float32Array`, { what })
  const { length } = latent
  if (length === 0 || length > MAX_LATENT)
    throw invalid(`${what} has ${length} numbers; expected 1 to ${MAX_LATENT}`, { what, length })
  if (!latent.every((value) => Number.isFinite(value)))
    throw invalid(`${what} has a number that is not finite`, { what })
  if (latent.every((value) => value === 0))
    throw invalid(`${what} is all zero, which is like nothing; expected a number that is not`, { what })
}
