import { checkKeys, invalid } from '../../api/check.js'
import { type Encoder, type EncoderInputs, type Encoders, type Sense, SENSES } from '../../api/encoder.js'
import type { RecallOptions } from '../../api/recall.js'
import type { MultimodalInput } from '../../api/sensory.js'
import type { Signatures } from '../../api/storage.js'
import { AgidbError } from '../../base/errors.js'
import { latentQuery, latentSignature, marked } from '../../encoding/latent.js'
import type { Kernel } from '../../kernel/port.js'
import { wordless } from '../../records/wordless.js'
import type { PerceivedQueries } from '../../recall/query/cue.js'

/** What was perceived beside a text, as it is remembered. */
export interface Perceived {
  readonly senses: readonly Sense[]
  /** A signature for each of them, as it is stored. */
  readonly signatures: Signatures
  /** What stands in the place of a text that was not given. */
  readonly text: string
}

/** What an encoder made of a picture, sound or video. */
export interface Sensed {
  readonly modality: Sense
  readonly latent: Float32Array
  /** The id of the encoder. */
  readonly encoder: string
}

/**
 * Has the encoders make signatures of what was perceived: of all of it, or none.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` without a part, for a sense without an encoder and for a latent that is
 * none of its encoder; `AGIDB_ENCODER` where an encoder fails or answers with something else; what it throws itself
 */
export async function perceive(kernel: Kernel, encoders: Encoders = {}, input: MultimodalInput): Promise<Perceived> {
  checkKeys('observeMultimodal', input, ['text', 'latents', ...SENSES])
  const { text, latents = {} } = input ?? {}
  checkKeys('latents', latents, SENSES)
  const made = await sensed(encoders, { ...input, latents })
  if (made.length === 0 && text === undefined)
    throw invalid(`there is nothing to remember; give at least one of text, ${SENSES.join(', ')}`, { what: 'input' })
  const senses = made.map(({ modality }) => modality)
  const signatures = made.map(({ modality, latent, encoder }) => {
    return [modality, marked(encoder, latentSignature(kernel, latent))] as const
  })
  return { senses, signatures: Object.fromEntries(signatures), text: text ?? wordless(senses) }
}

/**
 * The latents of what was perceived beside text, in the order of the senses: made by the encoders of the memory, now or
 * before.
 *
 * @param within what messages put before the name of a part, such as `frame.`
 * @throws AgidbError as {@link perceive}
 */
export async function sensed(encoders: Encoders = {}, input: MultimodalInput, within = ''): Promise<Sensed[]> {
  const { latents = {} } = input
  const senses = SENSES.filter((sense) => input[sense] !== undefined || latents[sense] !== undefined)
  return Promise.all(
    senses.map(async (sense): Promise<Sensed> => {
      const encoder = encoderFor(encoders, sense)
      const given = latents[sense]
      const what = `${within}latents.${sense}`
      if (given !== undefined && input[sense] !== undefined)
        throw invalid(`${within}${sense} is given twice; give it, or ${what}`, { what })
      const latent = given === undefined ? await encoded(encoder, input[sense]!) : given
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
  given: Pick<RecallOptions, Sense | 'modality'>,
  words = '',
): Promise<PerceivedQueries> {
  const asked = SENSES.filter((sense) => given[sense] !== undefined || given.modality === sense)
  const queries = await Promise.all(
    asked.map(async (sense) => {
      const encoder = encoderFor(encoders, sense)
      const latent = await (given.modality === sense ? worded(encoder, words) : encoded(encoder, given[sense]!))
      return [sense, latentQuery(kernel, latent)] as const
    }),
  )
  return Object.fromEntries(queries)
}

function encoderFor(encoders: Encoders, sense: Sense): Encoder<Sense> {
  const encoder = encoders[sense] as Encoder<Sense> | undefined
  if (encoder !== undefined) return encoder
  const message = `the memory has no encoder for ${sense}; open it with encoders: { ${sense}: … }`
  throw invalid(message, { option: `encoders.${sense}` })
}

function encoded(encoder: Encoder<Sense>, input: EncoderInputs[Sense]): Promise<Float32Array> {
  return latentOf(encoder, () => encoder.encode([input]))
}

async function worded(encoder: Encoder<Sense>, words: string): Promise<Float32Array> {
  const { modality } = encoder
  if (encoder.encodeText !== undefined) return latentOf(encoder, () => encoder.encodeText!([words]))
  const message = `the ${modality} encoder knows no words; open the memory with one that has encodeText (dualEncoder)`
  throw invalid(message, { option: `encoders.${modality}` })
}

/** The one latent that an encoder answers, checked. */
async function latentOf(encoder: Encoder<Sense>, ask: () => Promise<Float32Array[]>): Promise<Float32Array> {
  const { id, modality } = encoder
  const about = { encoder: id, modality }
  let latents: readonly Float32Array[]
  try {
    latents = await ask()
  } catch (cause) {
    // What another thread throws that is no error of the library arrives as an internal one.
    if (cause instanceof AgidbError && cause.code !== 'AGIDB_INTERNAL') throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AgidbError('AGIDB_ENCODER', `the ${modality} encoder failed: ${reason}`, about, { cause })
  }
  const wrong = Array.isArray(latents) && latents.length === 1 ? fault(encoder, latents[0]) : 'is not one of one input'
  if (wrong !== undefined) throw new AgidbError('AGIDB_ENCODER', `what the ${modality} encoder answers ${wrong}`, about)
  return latents[0]
}

/** Why something is no latent of an encoder; `undefined` for one that is. */
function fault({ dimension }: Encoder<Sense>, latent: unknown): string | undefined {
  if (!(latent instanceof Float32Array)) return 'is no Float32Array'
  if (latent.length !== dimension) return `has ${latent.length} numbers; those of its encoder have ${dimension}`
  if (!latent.every(Number.isFinite)) return 'has a number that is not finite'
  return latent.every((value) => value === 0) ? 'is zero, which has no direction' : undefined
}
