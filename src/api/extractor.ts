import type { Progress } from '../base/progress.js'
import type { Triple } from './triple.js'

/** Something that a text names. Offsets count UTF-16 code units: `text.slice(from, to)` is the mention. */
export interface Entity {
  /** The mention, as it stands in the text. */
  readonly text: string
  /** `person`, `place`, `organisation`, `date` and what else the extractor knows, in lower case. */
  readonly type: string
  readonly from: number
  /** After the last code unit. */
  readonly to: number
  /** 0 to 1. */
  readonly score: number
}

/** The values of {@link Polarity}. */
export const POLARITIES = ['positive', 'negative'] as const

/** Whether a statement says that something is so or that it is not so. */
export type Polarity = (typeof POLARITIES)[number]

/** The values of {@link StatementModality}. */
export const MODALITIES = ['asserted', 'planned', 'wished', 'asked', 'reported', 'possible'] as const

/**
 * How a statement is meant: `asserted` as a fact, `planned` ("I will move"), `wished` ("I'd love a dog"), `asked`,
 * `reported` of somebody else's words ("Tom says that …"), or `possible` ("maybe", "if").
 */
export type StatementModality = (typeof MODALITIES)[number]

/** A statement that an extractor found in a text. */
export interface Statement extends Triple {
  readonly polarity: Polarity
  readonly modality: StatementModality
  /** Start of valid time, where the text names it (ISO 8601, UTC). */
  readonly validFrom?: string
  /** End of valid time, where the text names it (ISO 8601, UTC). */
  readonly validTo?: string
  /** How likely it is that the text says so, 0 to 1. */
  readonly confidence: number
  /** Where the text says it, in UTF-16 code units; `to` is after the last. */
  readonly span: { readonly from: number; readonly to: number }
}

/** A time that a text names, resolved against the time of the text. */
export interface NamedTime {
  /** As it stands in the text. */
  readonly text: string
  readonly from: number
  readonly to: number
  /** Its first moment (ISO 8601, UTC). */
  readonly start: string
  /** The first moment after it (ISO 8601, UTC). */
  readonly end: string
}

/** What an extractor found in one text. */
export interface Extraction {
  readonly entities: readonly Entity[]
  readonly triples: readonly Statement[]
  readonly times: readonly NamedTime[]
}

/** What an extractor found in the text of an episode, and which extractor that was. */
export interface EpisodeExtraction extends Extraction {
  /** {@link Extractor.id} */
  readonly extractor: string
  /** {@link Extractor.version} */
  readonly version: string
  /** How many of the episode's `triples` the caller gave: those after them are the extractor's. */
  readonly given: number
}

/** What is known of a text beside its words. */
export interface ExtractionContext {
  /** The speaker whom "I" and "my" mean. Absent: the speaker is not known. */
  readonly speaker?: string
  /** The other speakers of the session. Where there is just one, "you" means them. */
  readonly others?: readonly string[]
  /** When it was said (ISO 8601, UTC). */
  readonly at: string
  /** The turns of the session before it, the nearest last: pronouns may mean whom they name. */
  readonly before?: readonly { readonly speaker?: string; readonly text: string }[]
}

/**
 * Finds entities, statements and times in texts. `rules` is built in; any object with these members will do.
 *
 * What it finds must be a function of the text and its context alone.
 */
export interface Extractor {
  /** Which extractor this is, such as `rules`. */
  readonly id: string
  /** What it found is made again when this changes. */
  readonly version: string
  /** What it finds in each text, in order; `contexts` has one entry for each text. Calls do not overlap. */
  extract(texts: readonly string[], contexts: readonly ExtractionContext[]): Promise<Extraction[]>
  /** Frees what it uses. A database does not call this, because several may share an extractor. */
  close?(): Promise<void>
}

/** Which extractor reads the texts: the built-in rules, none, or one of the application's. */
export type Extract = 'rules' | 'none' | Extractor

/** Called after each batch of episodes that were read; when `done` is `total`, all are. */
export type OnExtracted = (progress: Progress) => void | Promise<void>

/** How far the extraction of statements has come. */
export interface ExtractionStats {
  /** {@link Extractor.id} */
  readonly extractor: string
  /** {@link Extractor.version} */
  readonly version: string
  /** Episodes whose texts were read by this extractor. */
  readonly extracted: number
  /** Episodes that still wait; with an {@link ExtractionStats.error | error} until the database is opened again. */
  readonly pending: number
  /** Why the extractor is used no more. */
  readonly error?: string
}
