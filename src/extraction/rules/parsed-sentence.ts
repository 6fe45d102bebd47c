import type { StatementModality as Modality, NamedTime } from '../../api/extractor.js'
import type { NounPhrase } from './phrases.js'
import type { VerbGroup } from './verbs.js'

/** A preposition and what follows it. */
export interface Prepositional {
  /** In lower case: "in", "out of". */
  readonly preposition: string
  readonly first: number
  readonly items: readonly NounPhrase[]
  /** What follows is a time. */
  readonly time?: readonly [first: number, end: number]
}

/** A verb with its subjects and what it says of them. */
export interface Clause {
  /** Empty where the text leaves it out: "Went home." */
  readonly subjects: readonly NounPhrase[]
  readonly verb: VerbGroup
  readonly objects: readonly NounPhrase[]
  /** What is given, where whom it is given to comes first. */
  readonly given: readonly NounPhrase[]
  /** Adjectives of the predicate, as indexes. */
  readonly adjectives: readonly number[]
  readonly prepositional: readonly Prepositional[]
  readonly negative: boolean
  readonly modality: Modality
  /** The times that it names, with the preposition before each. */
  readonly times: readonly Dated[]
  readonly end: number
}

/** A time, with the word before it: "since". */
export interface Dated {
  readonly preposition: string
  readonly time: NamedTime
}

/** Two phrases for one thing: "Bawri, a thai place". */
export type Apposition = readonly [NounPhrase, NounPhrase]

export interface ParsedSentence {
  readonly clauses: readonly Clause[]
  readonly appositions: readonly Apposition[]
  /** Every noun phrase, in order. */
  readonly phrases: readonly NounPhrase[]
}
