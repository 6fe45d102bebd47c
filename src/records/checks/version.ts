import type { VersionRecord } from '../kinds/version.js'
import { type ImportCheck, partsOf } from '../record-kind.js'
import { name, object, time, whole } from '../shapes.js'
import { faultOfEpisode } from './episode.js'

const SHAPE = object({ id: name, episode: name, number: whole, replacedAt: time })

/** What is wrong with the row of a version of an episode, as `validate` of a kind says it. */
export function faultOfVersion(row: Uint8Array, id: string, check: ImportCheck): string | undefined {
  const wrong = 'is no version of an episode'
  const parts = partsOf(row)
  if (parts === undefined || parts.bytes.length === 0) return wrong
  const value = check.json(parts.json) as VersionRecord
  if (!SHAPE(value, check.at('version')) || value.id !== id || value.number < 1) return wrong
  return faultOfEpisode(parts.bytes, value.episode, check) === undefined ? undefined : wrong
}
