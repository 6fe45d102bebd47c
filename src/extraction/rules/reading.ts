import type { StatementModality as Modality } from '../../api/extractor.js'
import type { Apposition, Clause, Dated } from './parsed-sentence.js'
import type { NounPhrase } from './phrases.js'
import type { Token } from './token.js'
import type { VerbGroup } from './verbs.js'

/** What holds for all clauses from here to the end of the sentence. */
export interface Scope {
  readonly modality?: Modality
  readonly negative?: boolean
}

/** How far a sentence is read, and what was found in it. */
export class Reading {
  readonly clauses: Clause[] = []
  readonly appositions: Apposition[] = []
  readonly phrases: NounPhrase[] = []
  /** The index of the next token. */
  at = 0
  /** Phrases that may be the subject of the next verb. */
  pending: readonly NounPhrase[] = []
  /** Subjects of the clause before, for "and loved it". */
  inherited: readonly NounPhrase[] = []
  scope: Scope = {}
  /** What a word says of the clause that it is in: "maybe", "if". */
  mood: Modality | undefined
  sawPhrase = false
  /** The times named since the last clause ended. */
  times: Dated[] = []
  /** The clause before left its subject out. */
  elided = false
  /** "When you …" may mean anybody. */
  general = false
  /** The verb group before. */
  last: VerbGroup | undefined

  constructor(readonly tokens: readonly Token[]) {}
}
