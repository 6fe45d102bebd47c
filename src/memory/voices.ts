import type { Episode } from '../api/episode.js'

/** Who says something: a speaker of a source. Who repeats what they said adds nothing. */
export interface Voice {
  readonly name: string
  /** How likely what its source says is right. */
  readonly trust: number
}

/**
 * The voice of an episode; one without a speaker has a voice of its own.
 *
 * @param trustOf tells how likely what a source says is right.
 */
export function voiceOf(
  { id, speaker, source }: Pick<Episode, 'id' | 'speaker' | 'source'>,
  trustOf: (source: string | undefined) => number,
): Voice {
  return { name: JSON.stringify([speaker ?? id, source ?? null]), trust: trustOf(source) }
}

/**
 * How likely it is what voices say, by Bayes' rule from even odds: each multiplies them by r / (1 − r), r how likely
 * its source is right.
 */
export function confidenceOf(said: readonly Voice[]): number {
  const voices = new Map(said.map(({ name, trust }) => [name, trust]))
  let odds = 1
  for (const trust of voices.values()) odds *= trust / (1 - trust)
  return odds / (1 + odds)
}
