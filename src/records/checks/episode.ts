// An episode that comes from outside. It is apart from its kind, which every memory needs when it is opened.
import type { Episode } from '../../api/episode.js'
import { MODALITIES, POLARITIES } from '../../api/extractor.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import { ENTRY } from '../entry.js'
import { hasOwn, hasTag, jsonIn } from '../kinds/episode.js'
import type { ImportCheck } from '../record-kind.js'
import { json, list, maybe, name, names, object, oneOf, share, string, text, time, triple, whole } from '../shapes.js'

const limits = FIELD_LIMITS.episode
const found = FIELD_LIMITS.extraction

const EXTRACTION = object({
  extractor: name,
  version: name,
  entities: maybe(
    list(object({ text: string('textBytes'), type: name, from: whole, to: whole, score: share }), found.entities),
  ),
  triples: maybe(
    list(
      object({
        subject: name,
        predicate: name,
        object: name,
        polarity: oneOf(...POLARITIES),
        modality: oneOf(...MODALITIES),
        validFrom: maybe(time),
        validTo: maybe(time),
        confidence: share,
        span: object({ from: whole, to: whole }),
      }),
      found.triples,
    ),
  ),
  times: maybe(
    list(object({ text: string('textBytes'), from: whole, to: whole, start: time, end: time }), found.times),
  ),
})

/** The row of an episode that comes from outside. */
const SHAPE = object({
  id: text(limits.id),
  text: text(limits.text),
  speaker: maybe(text(limits.speaker)),
  session: maybe(text(limits.session)),
  source: maybe(text(limits.source)),
  at: time,
  validTo: maybe(time),
  recordedAt: time,
  updatedAt: maybe(time),
  version: maybe(whole),
  writer: text(limits.writer),
  triples: maybe(list(triple, limits.triples)),
  extraction: maybe(EXTRACTION),
  tags: maybe(names(limits.tags)),
  metadata: maybe(json(limits.metadata)),
  senses: maybe(names(limits.senses)),
  expiresAt: maybe(time),
  entry: maybe(ENTRY),
  superseded: maybe(object({ by: text(limits.id), at: time, recordedAt: time })),
})

/** What is wrong with the row of an episode, as `validate` of a kind says it. */
export function faultOfEpisode(row: Uint8Array, id: string, check: ImportCheck): string | undefined {
  const episode = check.json(jsonIn(row)) as Episode
  const fits = SHAPE(episode, check.at('episode')) && episode.id === id
  return fits && hasOwn(episode.senses) === hasTag(row) ? undefined : 'is no episode'
}
