import { checkKeys, checkList, checkName, checkText, invalid } from '../api/check.js'
import type { Limits } from '../api/open-options.js'
import { AgidbError } from '../base/errors.js'
import type { Episode, EpisodeId, EpisodePatch, Observation, Triple } from '../api/episode.js'
import { jsonObject } from '../api/check-json.js'
import { withExtraction, withoutExtraction } from './extraction.js'
import { provenanceOf } from './provenance.js'
import { expectAfter, toIso, toMillis } from '../api/time.js'
import { FIELD_LIMITS, mostItems } from '../api/field-limits.js'

/** What of an episode can be changed. */
export const PATCH_KEYS = [
  'text',
  'speaker',
  'session',
  'source',
  'at',
  'validTo',
  'triples',
  'tags',
  'metadata',
  'expiresAt',
]
/** What an observation may have. */
const KEYS = [...PATCH_KEYS, 'id', 'goal', 'beliefs']
/** What an observation may have beside its text. */
export const CONTEXT_KEYS = KEYS.slice(1)
const TRIPLE_PARTS = ['subject', 'predicate', 'object'] as const

/**
 * Checks an observation to the last field.
 *
 * @param what names it in messages, such as `items[3]`.
 * @throws AgidbError with the code of what is wrong.
 */
export function checkObservation(what: string, item: Observation, limits: Limits): void {
  checkKeys(what, item, KEYS)
  if (item === undefined) throw invalid(`${what} is undefined; expected { text, … }`, { what })
  const prefix = what === '' ? '' : `${what}.`
  checkText(`${prefix}text`, item.text, limits, FIELD_LIMITS.episode.text)
  for (const key of ['id', 'speaker', 'session', 'source', 'goal'] as const) checkName(prefix + key, item[key], limits)
  const at = item.at === undefined ? undefined : toMillis(item.at, `${prefix}at`)
  const validTo = item.validTo === undefined ? undefined : toMillis(item.validTo, `${prefix}validTo`)
  if (at !== undefined && validTo !== undefined) expectAfter(`${prefix}validTo`, validTo, `${prefix}at`, at)
  if (item.triples !== undefined) checkTriples(`${prefix}triples`, item.triples, limits)
  for (const key of ['tags', 'beliefs'] as const)
    if (item[key] !== undefined) checkNames(prefix + key, item[key], limits)
  if (item.metadata !== undefined) jsonObject(`${prefix}metadata`, item.metadata, FIELD_LIMITS.episode.metadata)
  if (item.expiresAt !== undefined) toMillis(item.expiresAt, `${prefix}expiresAt`)
}

/** What an extractor reads. */
const READ = ['text', 'speaker', 'session', 'at'] as const
/** What an episode cannot be without. */
const REQUIRED = ['text', 'at']

/**
 * Checks what is to be changed of an episode, to the last field.
 *
 * @throws AgidbError with the code of what is wrong.
 */
export function checkPatch(patch: EpisodePatch, limits: Limits): void {
  checkKeys('patch', patch, PATCH_KEYS)
  if (patch === undefined) throw invalid(`patch is undefined; expected an object with some of ${PATCH_KEYS.join(', ')}`)
  for (const key of REQUIRED) {
    if ((patch as Record<string, unknown>)[key] === null)
      throw invalid(`patch.${key} is null; every episode has one, so give another or leave it out`, {
        what: `patch.${key}`,
      })
  }
  const given = Object.entries(patch).filter(([, value]) => value !== null && value !== undefined)
  checkObservation('patch', { text: 'unchanged', ...Object.fromEntries(given) }, limits)
}

/**
 * An episode as it is once a checked patch has changed it.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it would end before it begins, or begin after it was superseded.
 */
export function patched(episode: Episode, patch: EpisodePatch): Episode {
  const given = patch as Readonly<Record<string, unknown>>
  const now = withoutExtraction(episode) as unknown as Readonly<Record<string, unknown>>
  const fields = PATCH_KEYS.map((key) => [key, (given[key] === undefined ? now[key] : given[key]) ?? undefined])
  const observation = Object.fromEntries(fields) as Observation
  const { recordedAt, updatedAt, version, superseded, provenance, senses } = episode
  const made = toEpisode(observation, episode.id, Date.parse(recordedAt), provenance.writer)
  const [began, ends] = [Date.parse(made.at), made.validTo === undefined ? Infinity : Date.parse(made.validTo)]
  expectAfter('validTo', ends, 'at', began)
  if (superseded !== undefined && began > Date.parse(superseded.at)) {
    throw invalid(
      `at is ${made.at}, after episode ${episode.id} was superseded (${superseded.at}); give a time before`,
      {
        id: episode.id,
        superseded: superseded.at,
      },
    )
  }
  // What was found in the text stands until an extractor reads it again.
  const isRead = READ.every((key) => made[key] === episode[key])
  const later = {
    ...(episode.entry !== undefined && { entry: episode.entry }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(version !== undefined && { version }),
    ...(superseded !== undefined && { superseded }),
    ...(senses !== undefined && { senses }),
  }
  const after: Episode = { ...made, ...later }
  const { extraction } = episode
  if (extraction === undefined || !isRead) return after
  return withExtraction(after, extraction, { id: extraction.extractor, version: extraction.version })
}

/**
 * Checks a list of statements, which may be empty.
 *
 * @throws AgidbError with the code of what is wrong.
 */
export function checkTriples(what: string, triples: unknown, limits: Limits): void {
  if (!Array.isArray(triples)) throw invalid(`${what} must be an array of { subject, predicate, object }`, { what })
  if (triples.length > mostItems(FIELD_LIMITS.episode.triples, limits)) {
    throw new AgidbError(
      'AGIDB_TOO_LARGE',
      `${what} has ${triples.length} items; at most ${limits.triples} are accepted (limits.triples)`,
      { what },
    )
  }
  for (const [i, triple] of (triples as Triple[]).entries()) {
    if (triple === undefined) throw invalid(`${what}[${i}] must be { subject, predicate, object }`, { what })
    checkKeys(`${what}[${i}]`, triple, TRIPLE_PARTS)
    for (const part of TRIPLE_PARTS) {
      if (triple[part] === undefined)
        throw invalid(`${what}[${i}].${part} is missing; a triple has a subject, a predicate and an object`, { what })
      checkName(`${what}[${i}].${part}`, triple[part], limits)
    }
  }
}

function checkNames(what: string, names: readonly string[], limits: Limits): void {
  for (const [i, name] of checkList(what, names, limits, FIELD_LIMITS.episode.tags).entries()) {
    if (name === undefined) throw invalid(`${what}[${i}] is undefined; expected a string`, { what })
    checkName(`${what}[${i}]`, name, limits)
  }
}

/**
 * The episode that a checked observation becomes.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it begins now, by default, and ended before.
 */
export function toEpisode(
  { text, speaker, session, source, at, validTo, triples, tags, metadata, expiresAt }: Observation,
  id: EpisodeId,
  now: number,
  writer: string,
): Episode {
  // Field by field: to spread what may be absent takes several times as long.
  const episode: { -readonly [K in keyof Episode]?: Episode[K] } = { id, text }
  if (speaker !== undefined) episode.speaker = speaker
  if (session !== undefined) episode.session = session
  if (source !== undefined) episode.source = source
  episode.at = toIso(at === undefined ? now : toMillis(at, 'at'))
  if (validTo !== undefined) {
    const end = toMillis(validTo, 'validTo')
    if (at === undefined) expectAfter('validTo', end, 'at, which is now by default', now)
    episode.validTo = toIso(end)
  }
  episode.recordedAt = toIso(now)
  episode.triples =
    triples === undefined ? [] : triples.map(({ subject, predicate, object }) => ({ subject, predicate, object }))
  if (tags !== undefined && tags.length > 0) episode.tags = [...new Set(tags)]
  if (metadata !== undefined) episode.metadata = jsonObject('metadata', metadata, FIELD_LIMITS.episode.metadata)
  if (expiresAt !== undefined) episode.expiresAt = toIso(toMillis(expiresAt, 'expiresAt'))
  episode.provenance = provenanceOf({ id, source, session }, writer)
  return episode as Episode
}
