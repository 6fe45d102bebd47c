/** A statement: who (subject) did what (predicate) to whom (object). */
export interface Triple {
  readonly subject: string
  readonly predicate: string
  readonly object: string
}

/** A triple with holes; a hole matches anything. */
export type TriplePattern = Partial<Triple>
