/**
 * The codes that an {@link AgidbError} can carry. Codes are stable: code may branch on them,
 * messages may be reworded.
 */
export type ErrorCode =
  /** An argument has the wrong type, shape or range. */
  | 'AGIDB_INVALID_ARGUMENT'
  /** An option has a name that is not known here. */
  | 'AGIDB_UNKNOWN_OPTION'
  /** A text is empty or is not valid Unicode. */
  | 'AGIDB_INVALID_TEXT'
  /** A time cannot be read, or lies outside what can be stored. */
  | 'AGIDB_INVALID_TIME'
  /** An input is over one of the `limits`. */
  | 'AGIDB_TOO_LARGE'
  /** An id that a caller chose is already taken. */
  | 'AGIDB_DUPLICATE_ID'
  /** Nothing of the kind that was asked for has this id. */
  | 'AGIDB_NOT_FOUND'
  /** An unlearning cannot be taken back any more: its window is over. */
  | 'AGIDB_RESTORE_EXPIRED'
  /** A goal cannot go from the state in which it is to the one that was asked for. */
  | 'AGIDB_GOAL_TRANSITION'
  /** A belief was withdrawn, so that it cannot be revised. */
  | 'AGIDB_BELIEF_WITHDRAWN'
  /** A procedure was retired, so that it can be neither revised nor executed nor retired again. */
  | 'AGIDB_PROCEDURE_RETIRED'
  /** The function `decideRevision` threw; `cause` says what, where it ran in the same thread. */
  | 'AGIDB_DECISION'
  /** The call would change a memory that was opened with `readOnly: true`. */
  | 'AGIDB_READ_ONLY'
  /** The database was closed. */
  | 'AGIDB_CLOSED'
  /** The caller's `AbortSignal` fired. */
  | 'AGIDB_ABORTED'
  /** An import would take the place of what the memory holds. */
  | 'AGIDB_NOT_EMPTY'
  /** Changes of another device cannot be applied here; the message says why. */
  | 'AGIDB_SYNC'
  /** An export or a memory is encrypted, and the passphrase or key is missing or is not its own. */
  | 'AGIDB_PASSPHRASE'
  /** Another tab, worker or process has this database open. */
  | 'AGIDB_IN_USE'
  /** The disk or the origin's quota is full. */
  | 'AGIDB_QUOTA'
  /** The storage failed for another reason; `cause` says which. */
  | 'AGIDB_STORAGE'
  /**
   * The files of an open database were deleted, moved or replaced, as "Clear site data" does: what is written now would
   * be lost.
   */
  | 'AGIDB_DELETED'
  /** A stored file is damaged in a way that recovery must not paper over. */
  | 'AGIDB_CORRUPT'
  /** The file is not one of agidb's, or belongs to another database. */
  | 'AGIDB_FOREIGN_FILE'
  /** The file was written by a newer version of agidb. */
  | 'AGIDB_NEWER_FORMAT'
  /** This runtime lacks something that the call needs. */
  | 'AGIDB_UNSUPPORTED'
  /** The WebAssembly kernel could not be loaded, or its memory is full. */
  | 'AGIDB_KERNEL'
  /** The semantic codebook is missing, damaged, or of a newer version. */
  | 'AGIDB_CODEBOOK'
  /** A ranker that is none, or that asks for what this version does not compute. */
  | 'AGIDB_RANKER'
  /** The sentence encoder cannot be loaded, is not what was asked for, or does not work. */
  | 'AGIDB_ENCODER'
  /** A picture or a sound is cut short, damaged, or of a kind that is not read. */
  | 'AGIDB_MEDIA'
  /** An extractor of statements cannot be loaded, or answers with something else than it should. */
  | 'AGIDB_EXTRACTOR'
  /** A document is not what its parser reads, or a parser is not at hand. */
  | 'AGIDB_PARSE'
  /** A summarizer failed, or answers with something else than it should. */
  | 'AGIDB_SUMMARIZER'
  /** A language model cannot be reached, refuses, or answers with something else than it should. */
  | 'AGIDB_LLM'
  /** A configuration is wrong; `details` name the file, the line and the key, or the variable. */
  | 'AGIDB_CONFIG'
  /** The associations of episodes failed; `details.spe` is SPE-310-006. Whatever asked goes on without them. */
  | 'AGIDB_GRAPH_ASSOCIATION'
  /** The chain of the episodes of a session failed; `details.spe` is SPE-310-007. */
  | 'AGIDB_GRAPH_CHAIN'
  /** The graph of entities failed; `details.spe` is SPE-310-008. */
  | 'AGIDB_GRAPH_ENTITY'
  /** The co-activation of tags failed; `details.spe` is SPE-310-009. */
  | 'AGIDB_GRAPH_COACTIVATION'
  /** A stored graph is damaged; `details.spe` is SPE-310-010. It is made again from the records. */
  | 'AGIDB_GRAPH_PERSISTENCE'
  /** The decay of associations failed; `details.spe` is SPE-310-011. */
  | 'AGIDB_GRAPH_DECAY'
  /** The engine worker could not be started, or died. */
  | 'AGIDB_WORKER'
  /** A line of a transcript cannot be read. */
  | 'AGIDB_TRANSCRIPT'
  /** A defect in agidb itself. */
  | 'AGIDB_INTERNAL'

/** Facts about an error, as plain data that can be cloned to another thread. */
export type ErrorDetails = Readonly<Record<string, unknown>>

/** An error in the form in which it crosses a worker, HTTP or MCP boundary. */
export interface WireError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
}

/** The one error that agidb throws. The message says what was wrong and what would be right. */
export class AgidbError extends Error {
  override readonly name = 'AgidbError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

/** The structured-cloneable form of any thrown value. What is no {@link AgidbError} becomes `AGIDB_INTERNAL`. */
export function toWire(error: unknown): WireError {
  if (error instanceof AgidbError) return { code: error.code, message: error.message, details: error.details }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const stack = error instanceof Error ? error.stack : undefined
  return { code: 'AGIDB_INTERNAL', message, details: stack === undefined ? {} : { stack } }
}

/** The error that {@link toWire} took apart. */
export function fromWire(wire: WireError): AgidbError {
  return new AgidbError(wire.code, wire.message, wire.details)
}
