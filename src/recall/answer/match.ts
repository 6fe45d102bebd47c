import type { WhyStep } from '../../api/graph.js'
import type { Context, Match } from '../../api/recall.js'
import type { Selected } from './selection.js'
import type { Fitting } from '../evidence/pattern.js'
import { matchedEntry } from './matched-entry.js'

/** A match as it is answered with. */
export function toMatch(
  { found, episode, tier, folded }: Selected,
  confidence: number,
  answered: boolean,
  context: Context | undefined,
  fitting: Fitting | undefined,
  why: readonly WhyStep[] | undefined,
): Match {
  const statement = fitting?.get(found.slot)
  const { id, text, speaker, session, source, at, tags, metadata, senses, expiresAt, entry, extraction, provenance } =
    episode
  return {
    id,
    text,
    ...(speaker !== undefined && { speaker }),
    ...(session !== undefined && { session }),
    ...(source !== undefined && { source }),
    at,
    ...(extraction !== undefined && extraction.entities.length > 0 && { entities: extraction.entities }),
    ...(tags !== undefined && { tags }),
    ...(senses !== undefined && { senses }),
    ...(metadata !== undefined && { metadata }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(entry !== undefined && { entry: matchedEntry(entry) }),
    confidence,
    tier,
    lowConfidence: !answered || tier === 'nearest',
    goalBiased: found.goal > 0,
    folded,
    ...(statement !== undefined && { statement }),
    ...(context !== undefined && { context }),
    ...(why !== undefined && { why }),
    provenance,
    signals: found.signals(),
  }
}
