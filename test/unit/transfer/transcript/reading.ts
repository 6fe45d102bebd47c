import { readFileSync } from 'node:fs'
import type { Observation } from '../../../../src/api/episode.js'
import {
  readTranscript,
  type TranscriptInput,
  type TranscriptOptions,
  type TranscriptReport,
} from '../../../../src/transfer/transcript/index.js'

export interface Outcome {
  readonly observations: Observation[]
  readonly report: TranscriptReport
  readonly error?: unknown
}

/** Reads to the end, or to the first error, and keeps what came before it. */
export async function outcomeOf(input: TranscriptInput, options: TranscriptOptions = {}): Promise<Outcome> {
  const transcript = readTranscript(input, options)
  const observations: Observation[] = []
  try {
    for await (const observation of transcript) observations.push(observation)
  } catch (error) {
    return { observations, report: transcript.report, error }
  }
  return { observations, report: transcript.report }
}

/** Reads to the end; a bad line fails the test. */
export async function read(input: TranscriptInput, options: TranscriptOptions = {}): Promise<Outcome> {
  const outcome = await outcomeOf(input, options)
  if (outcome.error) throw outcome.error
  return outcome
}

export function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
}

/** Who said what and when, without ids. */
export function said(observations: readonly Observation[]): (string | undefined)[][] {
  return observations.map(({ at, speaker, text }) => [at as string | undefined, speaker, text])
}
