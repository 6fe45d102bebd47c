import type { Episode, EpisodePatch } from '../../api/episode.js'
import type { JsonObject } from '../../api/json.js'
import { invalid } from '../../api/check.js'

/** The fields of an episode as a form has them: texts. */
export interface EpisodeForm {
  readonly text: string
  readonly speaker: string
  readonly session: string
  readonly source: string
  /** As a field for date and time has it, in the time zone of the reader: `2026-05-01T19:00:00`. */
  readonly at: string
  readonly validTo: string
  readonly expiresAt: string
  /** Separated by commas. */
  readonly tags: string
  /** JSON, or nothing. */
  readonly metadata: string
}

/** What a form shows of an episode. */
export function formOf(episode: Episode): EpisodeForm {
  const { text, speaker = '', session = '', source = '', at, validTo, expiresAt, tags = [], metadata } = episode
  return {
    ...{ text, speaker, session, source },
    ...{ at: localTime(at), validTo: localTime(validTo), expiresAt: localTime(expiresAt) },
    tags: tags.join(', '),
    metadata: metadata === undefined ? '' : JSON.stringify(metadata, null, 2),
  }
}

/**
 * What a form changes. A field that says what it said before is left out, so that nothing is lost of what a form cannot
 * show, such as milliseconds.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for metadata that is no JSON object, and without a time
 */
export function patchOf(episode: Episode, form: EpisodeForm): EpisodePatch {
  const before = formOf(episode)
  const changed = (name: keyof EpisodeForm) => form[name].trim() !== before[name].trim()
  const name = (of: 'speaker' | 'session' | 'source') => changed(of) && { [of]: form[of].trim() || null }
  const moment = (of: 'validTo' | 'expiresAt') => changed(of) && { [of]: form[of] === '' ? null : new Date(form[of]) }
  if (form.at === '') throw invalid('a memory needs the time at which it began', { what: 'at' })
  return {
    ...(form.text !== before.text && { text: form.text }),
    ...name('speaker'),
    ...name('session'),
    ...name('source'),
    ...(changed('at') && { at: new Date(form.at) }),
    ...moment('validTo'),
    ...moment('expiresAt'),
    ...(changed('tags') && { tags: tagsOf(form.tags, episode.tags) }),
    ...(changed('metadata') && { metadata: metadataOf(form.metadata) }),
  }
}

/** What makes an episode say again what it said in an earlier version. */
export function patchBetween(now: Episode, then: Episode): EpisodePatch {
  const { text, at } = then
  const back = <K extends 'speaker' | 'session' | 'source' | 'validTo' | 'expiresAt' | 'tags' | 'metadata'>(name: K) =>
    JSON.stringify(now[name]) !== JSON.stringify(then[name]) && { [name]: then[name] ?? null }
  const given = ({ triples, extraction }: Episode) => triples.slice(0, extraction?.given ?? triples.length)
  return {
    ...(text !== now.text && { text }),
    ...(at !== now.at && { at }),
    ...back('speaker'),
    ...back('session'),
    ...back('source'),
    ...back('validTo'),
    ...back('expiresAt'),
    ...back('tags'),
    ...back('metadata'),
    ...(JSON.stringify(given(now)) !== JSON.stringify(given(then)) && { triples: given(then) }),
  }
}

/** The tags of a text, separated by commas. One that has commas itself is known from `before`, and stays whole. */
function tagsOf(text: string, before: readonly string[] = []): string[] | null {
  const pieces = piecesOf(text)
  const whole = before.map((tag) => ({ tag, parts: piecesOf(tag) })).sort((a, b) => b.parts.length - a.parts.length)
  const tags: string[] = []
  for (let at = 0; at < pieces.length; ) {
    const found = whole.find(({ parts }) => parts.length > 0 && parts.every((part, i) => pieces[at + i] === part))
    tags.push(found?.tag ?? pieces[at])
    at += found?.parts.length ?? 1
  }
  return tags.length === 0 ? null : tags
}

function piecesOf(text: string): string[] {
  return text
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
}

function metadataOf(text: string): JsonObject | null {
  if (text.trim() === '') return null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(`metadata is no JSON: ${(error as Error).message}`, { what: 'metadata' })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw invalid('metadata must be a JSON object such as {"topic": "food"}', { what: 'metadata' })
}

/** A moment as a field for date and time has it, in the time zone of the reader. */
function localTime(at: string | undefined): string {
  if (at === undefined) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
