// A frame that comes from outside. It is apart from its kind, which every memory needs when it is opened.
import { checkList } from '../../api/check.js'
import { isModality, SENSES } from '../../api/encoder.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { FramePart, SensoryFrame } from '../../api/sensory.js'
import { sensoryFrameKind, tagOf } from '../kinds/sensory-frame.js'
import { type ImportCheck, partsOf } from '../record-kind.js'
import { list, maybe, name, object, oneOf, type Shape, share, text, time, triple, whole } from '../shapes.js'

const limits = FIELD_LIMITS.frame
const MODALITIES: readonly string[] = ['text', ...SENSES]

/** The numbers of a latent. */
const latent: Shape = (value, { what, limits: given }) => {
  if (!(value instanceof Float32Array)) return false
  checkList(what, Array.from(value), given, limits.latent)
  return value.every(Number.isFinite)
}

/** The parts in which a frame differs are worked out when it is shown: no row has any. */
const noDifferences: Shape = (value) => Array.isArray(value) && value.length === 0

const absent: Shape = (value) => value === undefined

/** A list with something in it. */
function some(items: Shape): Shape {
  return (value, place) => items(value, place) && (value as readonly unknown[]).length > 0
}

/** What every frame may have. */
const COMMON = {
  id: text(limits.id),
  text: maybe(text(limits.text)),
  speaker: maybe(text(limits.speaker)),
  session: maybe(text(limits.session)),
  source: maybe(text(limits.source)),
  triples: maybe(list(triple, limits.triples)),
  at: time,
  receivedAt: time,
  surprise: share,
  goalRelevance: share,
  promotedTo: maybe(name),
  promotedFor: maybe(oneOf('surprise', 'goal', 'observed')),
  number: whole,
  differsFrom: maybe(object({ episode: maybe(name), belief: maybe(name), parts: noDifferences })),
}

/** What was perceived by one sense. */
const SENSED: Record<string, Shape> = {
  modality: (value) => value === 'text' || isModality(value),
  encoder: maybe(text(limits.encoder)),
  latent: maybe(latent),
}

const OF_ONE_SENSE = object({ ...COMMON, ...SENSED, parts: absent })
const OF_SEVERAL_SENSES = object({
  ...COMMON,
  modality: oneOf('multimodal'),
  encoder: absent,
  latent: absent,
  parts: some(list(object({ ...SENSED, surprise: share }), limits.parts)),
})

/** What is wrong with the row of a frame, as `validate` of a kind says it. */
export function faultOfFrame(row: Uint8Array, id: string, check: ImportCheck): string | undefined {
  const wrong = 'is no sensory frame'
  const halves = partsOf(row)
  if (halves === undefined) return wrong
  const written = check.json(halves.json)
  const { frame, number } = sensoryFrameKind.decode(row)
  const isOfOne = frame.modality !== 'multimodal'
  const isShaped = (isOfOne ? OF_ONE_SENSE : OF_SEVERAL_SENSES)({ ...frame, number }, check.at('frame'))
  if (!isShaped || number < 1 || frame.id !== id || tagOf(frame) !== row[0]) return wrong
  return isOfOne || (hasItsParts(frame) && isCounted(written, frame, halves.bytes.length)) ? undefined : wrong
}

/**
 * Whether the parts of a frame of several senses are right: each sense once, in their order; words where it has a text;
 * and of every other sense a latent and its encoder.
 */
function hasItsParts({ text, parts = [] }: SensoryFrame): boolean {
  // Those of the application's own come after the others, by their names.
  const places = parts.map(({ modality }) => [MODALITIES.indexOf(modality) + 1 || MODALITIES.length + 1, modality])
  const isInOrder = places.every((place, i) => {
    const [at, name] = places[i - 1] ?? [0]
    return at < place[0] || (at === place[0] && name < place[1])
  })
  return isInOrder && parts.every(isMade) && (parts[0]?.modality === 'text') === (text !== undefined)
}

function isMade({ modality, latent, encoder }: FramePart): boolean {
  if (modality === 'text') return latent === undefined && encoder === undefined
  return latent !== undefined && latent.length > 0 && encoder !== undefined
}

/** Whether the row has the numbers that its parts say, and no others. */
function isCounted(written: unknown, { parts = [] }: SensoryFrame, bytes: number): boolean {
  const said = (written as { readonly parts: readonly { readonly numbers?: unknown }[] }).parts
  const numbers = parts.reduce((sum, { latent }) => sum + (latent?.length ?? 0), 0)
  return 4 * numbers === bytes && parts.every(({ latent }, i) => said[i].numbers === latent?.length)
}
