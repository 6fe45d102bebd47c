import type { Observation } from '../core/episode.js'
import { Identities } from './identity.js'
import type { Message, Reading } from './reading.js'
import { byteLength, splitText } from './split.js'

/** The defaults of the engine's limits. */
const TEXT_BYTES = 65_536
const NAME_BYTES = 1_024
const ID_CHARACTERS = 256
const TRIPLES = 64

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
    const session = given.session ?? found.session
    const { message, repaired } = repair({ ...found, ...(source === undefined ? {} : { source }), ...(session === undefined ? {} : { session }) })
    if (BLANK.test(message.text)) {
      report.empty++
      continue
    }
    const fault = faultOf(message) ?? (message.id !== undefined && !identities.take(message.id) ? `repeats the id "${message.id}"` : undefined)
    if (fault !== undefined) {
      reading.bad(message.line, message.text, fault)
      continue
    }
    if (repaired) report.repaired++
    const texts = message.text.length * 3 > TEXT_BYTES ? splitText(message.text, TEXT_BYTES) : [message.text]
    if (texts.length > 1) report.split++
    for (const [index, text] of texts.entries()) {
      report.observations++
      yield observationOf(message, text, index, identities)
    }
  }
}

function observationOf(message: Message, text: string, index: number, identities: Identities): Observation {
  const { line: _, id, triples, ...rest } = message
  const own = id === undefined ? undefined : index === 0 ? id : `${id}#${index + 1}`
  return {
    ...rest, text,
    id: own ?? identities.of({ ...message, text }),
    ...(triples !== undefined && index === 0 ? { triples } : {}),
  }
}

/** The message in well-formed Unicode. */
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
    if (value !== undefined) mended[name] = mend(value)
  }
  if (message.triples) {
    mended['triples'] = message.triples.map(({ subject, predicate, object }) => (
      { subject: mend(subject), predicate: mend(predicate), object: mend(object) }))
  }
  return { message: mended as unknown as Message, repaired }
}

/** What the engine would refuse about it. */
function faultOf(message: Message): string | undefined {
  for (const name of ['speaker', 'session', 'source'] as const) {
    const value = message[name]
    if (value !== undefined && byteLength(value) > NAME_BYTES) return `has a ${name} of over ${NAME_BYTES} bytes`
  }
  if (message.id !== undefined && message.id.length > ID_CHARACTERS) return `has an id of over ${ID_CHARACTERS} characters`
  const triples = message.triples ?? []
  if (triples.length > TRIPLES) return `has over ${TRIPLES} triples`
  const parts = triples.flatMap(({ subject, predicate, object }) => [subject, predicate, object])
  if (parts.some((part) => part.trim() === '')) return 'has a triple with an empty part'
  if (parts.some((part) => byteLength(part) > NAME_BYTES)) return `has a triple with a part of over ${NAME_BYTES} bytes`
  return undefined
}
