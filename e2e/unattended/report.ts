import type { Observation } from '../../src/api/episode.js'
import type { Recall } from '../../src/api/recall.js'
import type { Found } from '../../test/crash/story.js'

/** What a page that runs by itself tells the command that started its browser. */
export type Report =
  /** A case came to its end; with `failure`, it failed. */
  | { readonly kind: 'case'; readonly name: string; readonly ms: number; readonly failure?: string }
  /** Worth printing. */
  | { readonly kind: 'note'; readonly text: string }
  /** What a database had when it was opened. */
  | { readonly kind: 'found'; readonly found: Found }
  /** What a writer says, for a ledger. */
  | { readonly kind: 'said'; readonly lines: readonly string[] }
  /** Nothing more will come; with `failure`, because the page broke. */
  | { readonly kind: 'end'; readonly failure?: string }

/** The page posts its reports here, as JSON. */
export const REPORT_PATH = '/report'
/** Here it gets an {@link Exam}. */
export const EXAM_PATH = '/exam'

/** What was observed and asked, and what Node answered. */
export interface Exam {
  readonly observations: readonly Observation[]
  readonly cues: readonly string[]
  readonly answers: readonly string[]
}

/** An answer as text, without the time that it took. */
export function timeless(recall: Recall): string {
  return JSON.stringify({ ...recall, elapsedMs: 0 })
}
