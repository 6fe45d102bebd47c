import { checkObservation } from '../../records/observation.js'
import { DEFAULT_LIMITS } from '../../api/check.js'
import type { Observation } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'
import { Identities } from './identity.js'
import type { Message, Reading } from './reading.js'
import { splitText } from './split.js'

const LONE_SURROGATE = /\p{Surrogate}/gu
const BLANK = /^[\s\p{Cf}]*$/u

/** Turns messages of any format into observations: repairs, leaves out, splits and names them. */
export async function* observationsOf(
  messages: AsyncIterable<Message>,
  reading: Reading,
  given: { readonly name?: string; readonly source?: string; readonly session?: string },
): AsyncGenerator<Observation> {
  const { report } = reading
  const identities = new Identities()
  for await (const found of messages) {
    const source = given.source ?? found.source ?? given.name
    const session = given.session ?? found.session ?? given.name
    const { message, repaired } = repair({
      ...found,
      ...(source === undefined ? {} : { source }),
      ...(session === undefined ? {} : { session }),
    })
    if (BLANK.test(message.text)) {
      report.empty++
      continue
    }
    const fault = faultOf(message) ?? (isRepeated(message, identities) ? `repeats the id "${message.id}"` : undefined)
    if (fault !== undefined) {
      reading.bad(message.line, message.text, fault)
      continue
    }
    if (repaired) report.repaired++
    const texts = splitText(message.text, DEFAULT_LIMITS.textBytes)
    if (texts.length > 1) report.split++
    for (const [index, text] of texts.entries()) {
      report.observations++
      yield observationOf(message, text, index, identities)
    }
  }
}

function isRepeated({ id }: Message, identities: Identities): boolean {
  return id !== undefined && !identities.take(id)
}

function observationOf(message: Message, text: string, index: number, identities: Identities): Observation {
  const { line: _, id, triples, ...rest } = message
  const own = id === undefined ? undefined : index === 0 ? id : `${id}#${index + 1}`
  return {
    ...rest,
    text,
    id: own ?? identities.of({ ...message, text }),
    ...(triples !== undefined && index === 0 ? { triples } : {}),
  }
}

/** The message in well-formed Unicode, without names that are blank. */
function repair(message: Message): { message: Message; repaired: boolean } {
  let repaired = false
  const mend = (text: string) => {
    const mended = text.replace(LONE_SURROGATE, '\ufffd')
    repaired ||= mended !== text
    return mended
  }
  const mended: Record<string, unknown> = { ...message, text: mend(message.text) }
  for (const name of ['speaker', 'session', 'source', 'id'] as const) {
    const value = message[name]
    if (value === undefined || value.trim() === '') delete mended[name]
    else mended[name] = mend(value)
  }
  if (message.triples) {
    mended['triples'] = message.triples.map(({ subject, predicate, object }) => ({
      subject: mend(subject),
      predicate: mend(predicate),
      object: mend(object),
    }))
  }
  return { message: mended as unknown as Message, repaired }
}

/** What the engine would refuse about it. The length of the text is no matter, as long texts are split. */
function faultOf(message: Message): string | undefined {
  const { line: _, ...context } = message
  try {
    checkObservation('', { ...context, text: 'said' }, DEFAULT_LIMITS)
    return undefined
  } catch (error) {
    if (error instanceof AgidbError) return `is refused: ${error.message}`
    throw error
  }
}
