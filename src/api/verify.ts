/** What is wrong with a stored memory. Codes are stable. */
export type ProblemCode =
  /** The header of a journal cannot be read. */
  | 'journal-header'
  /** Commits in the midst of the journal cannot be read. */
  | 'journal-damaged'
  /**
   * What stands after the last commit is none: a crash leaves that. It is cut off and kept aside when the memory is
   * opened.
   */
  | 'journal-torn'
  /** Commits are missing between two others. */
  | 'journal-gap'
  /** A commit can be read, but changes what is not there. */
  | 'journal-misfit'
  /**
   * The journal no longer has commits that a checkpoint was made of: it was shortened, or an older copy was put in its
   * place.
   */
  | 'commits-lost'
  /** The journal is not where it should be. */
  | 'journal-missing'
  /**
   * The file of an earlier journal still has what was in it: a crash kept it from being overwritten. That is made up
   * for when the memory is opened.
   */
  | 'journal-leftover'
  /** One of the two superblocks of the checkpoint cannot be read; the other one counts. */
  | 'image-superblock'
  /** The checkpoint, or a part of it, is not what was written. It is made again from the journal. */
  | 'image-damaged'
  /** The checkpoint is of another state than the journal ever had. It is made again. */
  | 'image-stale'
  /** The copy in IndexedDB cannot be read. */
  | 'mirror-unreadable'
  /** There is no copy in IndexedDB, or it is of another memory. */
  | 'mirror-missing'
  /** Rows or signatures in IndexedDB are other ones than in the journal, too few or too many. */
  | 'mirror-differs'
  /** The row of a memory cannot be understood. */
  | 'row-unreadable'
  /** What recall searches lacks memories that are stored, or has others. */
  | 'index-differs'

/**
 * How bad a problem is. `none`: nothing is lost, and it mends itself. `mendable`: another copy has everything. `loss`:
 * something cannot be read anywhere.
 */
export type Severity = 'none' | 'mendable' | 'loss'
/** Another name of {@link Severity}. */
export type Harm = Severity

/** A problem that was found, once or several times. */
export interface Problem {
  readonly code: ProblemCode
  readonly harm: Severity
  /** How often it was found. */
  readonly count: number
  /** What was found, in a sentence. */
  readonly message: string
  /** Where it was found first. */
  readonly details: Readonly<Record<string, unknown>>
}

/** How much was looked at. */
export interface Checked {
  readonly commits: number
  /** Rows that are stored: episodes, events, frames. */
  readonly rows: number
  /** Bytes of the journal, and of the checkpoint. */
  readonly bytes: number
  /** Parts of the checkpoint. */
  readonly parts: number
  /** Rows in IndexedDB. */
  readonly mirrored: number
}

/** What `verify` found. */
export interface VerifyReport {
  /** Whether nothing is wrong that does not mend itself. */
  readonly ok: boolean
  readonly problems: readonly Problem[]
  readonly checked: Checked
  /** What was mended, when that was asked for. */
  readonly mended: readonly ProblemCode[]
}

/** Options of `verify`. */
export interface VerifyOptions {
  /**
   * Makes again what another copy has. Nothing is deleted that is not understood. Default false: nothing is changed.
   */
  readonly repair?: boolean
}

/**
 * Whether letting go of the checkpoint of the indexes, which is then made again, mends a problem: one of the checkpoint
 * itself, or a loss that it alone shows.
 */
export function isRepairedWithCheckpoint(code: ProblemCode): boolean {
  return code === 'commits-lost' || code.startsWith('image-')
}
