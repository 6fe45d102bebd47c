import { checkKeys, describe, invalid } from '../../api/check.js'
import {
  type Encoder,
  type Encoders,
  inputOf,
  isModality,
  ownOf,
  type SensedInputs,
  type SenseName,
  SENSES,
} from '../../api/encoder.js'
import type { RecallOptions } from '../../api/recall.js'
import type { MultimodalInput } from '../../api/sensory.js'
import type { Signatures } from '../../api/storage.js'
import { AgidbError } from '../../base/errors.js'
import { latentQuery } from '../../encoding/latent.js'
import { perceivedSignatures, type Sensed } from '../../encoding/perceived-signatures.js'
import type { Kernel } from '../../kernel/port.js'
import { wordless } from '../../records/wordless.js'
import type { PerceivedQueries } from '../../recall/query/cue.js'

/** Called with the sense of an encoder that failed. */
export type TellFailed = (sense: SenseName) => void

/** What was perceived beside a text, as it is remembered. */
export interface Perceived {
  readonly senses: readonly SenseName[]
  /** A signature for each of them, as it is stored. */
  readonly signatures: Signatures
  /** What stands in the place of a text that was not given. */
  readonly text: string
}

/**
 * Has the encoders make signatures of what was perceived: of all of it, or none.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` without a part, for a sense without an encoder and for a latent that is
 * none of its encoder; `AGIDB_ENCODER` where an encoder fails or answers with something else; what it throws itself
 */
export async function perceive(
  kernel: Kernel,
  encoders: Encoders = {},
  input: MultimodalInput,
  failed?: TellFailed,
): Promise<Perceived> {
  checkKeys('observeMultimodal', input, ['text', 'latents', 'own', ...SENSES])
  const { text } = input ?? {}
  const made = await sensed(encoders, input ?? {}, '', failed)
  if (made.length === 0 && text === undefined)
    throw invalid(`there is nothing to remember; give at least one of text, ${SENSES.join(', ')}, own`, {
      what: 'input',
    })
  const senses = made.map(({ modality }) => modality)
  return { senses, signatures: perceivedSignatures(kernel, made), text: text ?? wordless(senses) }
}

/**
 * The senses of which something is given: those of the library, then others by their names.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` where `own` or `latents` is no object or names what can be no sense
 */
export function sensesOf(input: SensedInputs, within = ''): SenseName[] {
  const { own = {}, latents = {} } = input
  for (const [part, given] of Object.entries({ own, latents })) {
    checkKeys(`${within}${part}`, given, Object.keys(given ?? {}))
    const wrong = Object.keys(given).find(
      (name) => !isModality(name) || (part === 'own' && SENSES.includes(name as never)),
    )
    if (wrong !== undefined)
      throw invalid(`${within}${part} has ${describe(wrong)}, which is no modality of your own`, {
        what: `${within}${part}`,
      })
  }
  const named = [...SENSES, ...ownOf({ ...latents, ...own })]
  return named.filter((sense) => inputOf(input, sense) !== undefined || latents[sense] !== undefined)
}

/**
 * The latents of what was perceived beside text, in the order of the senses: made by the encoders of the memory, now or
 * before.
 *
 * @param within what messages put before the name of a part, such as `frame.`
 * @throws AgidbError as {@link perceive}
 */
export async function sensed(
  encoders: Encoders = {},
  input: SensedInputs,
  within = '',
  failed?: TellFailed,
): Promise<Sensed[]> {
  const { latents = {} } = input
  return Promise.all(
    sensesOf(input, within).map(async (sense): Promise<Sensed> => {
      const own = inputOf(input, sense)
      const given = Object.hasOwn(latents, sense) ? latents[sense] : undefined
      const what = `${within}latents.${sense}`
      const encoder = encoderFor(encoders, sense, given && what)
      if (given !== undefined && own !== undefined)
        throw invalid(`${within}${sense} is given twice; give it, or ${what}`, { what })
      const latent = given === undefined ? await latentOf(encoder, () => encoder.encode([own]), failed) : given
      const refused = given === undefined ? undefined : fault(encoder, given)
      if (refused !== undefined) throw invalid(`${what} ${refused}`, { what })
      return { modality: sense, latent, encoder: encoder.id }
    }),
  )
}

/**
 * The queries of the pictures and sounds that a recall was given, or asked for by words.
 *
 * @param words what is looked for in the sense that `modality` names
 * @throws AgidbError as {@link perceive}; `AGIDB_INVALID_ARGUMENT` for words where the encoder knows none.
 */
export async function perceivedCue(
  kernel: Kernel,
  encoders: Encoders = {},
  given: Pick<RecallOptions, keyof SensedInputs | 'modality'>,
  words = '',
  failed?: TellFailed,
): Promise<PerceivedQueries> {
  const { modality = 'text' } = given
  const asked = await sensed(encoders, given, '', failed)
  if (modality !== 'text') {
    if (asked.some((one) => one.modality === modality))
      throw invalid(`modality '${modality}' takes its words from the cue, so leave the option ${modality} out`, {
        option: modality,
      })
    const encoder = encoderFor(encoders, modality)
    asked.push({ modality, latent: await worded(encoder, words, failed), encoder: encoder.id })
  }
  return Object.fromEntries(asked.map(({ modality, latent }) => [modality, latentQuery(kernel, latent)]))
}

function encoderFor(encoders: Encoders, sense: SenseName, what = sense): Encoder<string> {
  const encoder = Object.hasOwn(encoders, sense) ? encoders[sense] : undefined
  if (encoder !== undefined) return encoder
  const message = `the memory has no encoder for ${what}; open it with encoders: { ${sense}: … }`
  throw invalid(message, { option: `encoders.${sense}` })
}

async function worded(encoder: Encoder<string>, words: string, failed?: TellFailed): Promise<Float32Array> {
  const { modality } = encoder
  if (encoder.encodeText !== undefined) return latentOf(encoder, () => encoder.encodeText!([words]), failed)
  const message = `the ${modality} encoder knows no words; open the memory with one that has encodeText (dualEncoder)`
  throw invalid(message, { option: `encoders.${modality}` })
}

/** The one latent that an encoder answers, checked. */
async function latentOf(
  encoder: Encoder<string>,
  ask: () => Promise<Float32Array[]>,
  failed?: TellFailed,
): Promise<Float32Array> {
  try {
    const latents = await asked(encoder, ask)
    const isOne = Array.isArray(latents) && latents.length === 1
    const wrong = isOne ? fault(encoder, latents[0]) : 'is not one of one input'
    if (wrong === undefined) return latents[0]
    throw unfit(encoder, `what the ${encoder.modality} encoder answers ${wrong}`)
  } catch (error) {
    if (error instanceof AgidbError && error.code === 'AGIDB_ENCODER') failed?.(encoder.modality)
    throw error
  }
}

async function asked(encoder: Encoder<string>, ask: () => Promise<Float32Array[]>): Promise<readonly Float32Array[]> {
  try {
    return await ask()
  } catch (cause) {
    // What another thread throws that is no error of the library arrives as an internal one.
    if (cause instanceof AgidbError && cause.code !== 'AGIDB_INTERNAL') throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw unfit(encoder, `the ${encoder.modality} encoder failed: ${reason}`, cause)
  }
}

function unfit({ id, modality }: Encoder<string>, message: string, cause?: unknown): AgidbError {
  return new AgidbError('AGIDB_ENCODER', message, { encoder: id, modality }, { cause })
}

/** Why something is no latent of an encoder; `undefined` for one that is. */
function fault({ dimension }: Encoder<string>, latent: unknown): string | undefined {
  if (!(latent instanceof Float32Array)) return 'is no Float32Array'
  if (latent.length !== dimension) return `has ${latent.length} numbers; those of its encoder have ${dimension}`
  if (!latent.every(Number.isFinite)) return 'has a number that is not finite'
  return latent.every((value) => value === 0) ? 'is zero, which has no direction' : undefined
}
