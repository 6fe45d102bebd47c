/** How far a step of opening, or of what follows it, has come. */
export interface OpenProgress {
  /**
   * The step. `indexes`: stored rows are read of which the indexes are made. `signatures`: the episodes get their
   * signatures, which are loaded or, when a codebook came, made. `codebook`: the codebook is fetched.
   */
  readonly what: 'indexes' | 'signatures' | 'codebook'
  /** Rows, episodes or bytes so far. */
  readonly done: number
  /** Rows, episodes or bytes in all. Absent: it is not known yet. When it equals `done`, the step is over. */
  readonly of?: number
}

/** Is told how far opening has come. */
export type OnOpenProgress = (progress: OpenProgress) => void
