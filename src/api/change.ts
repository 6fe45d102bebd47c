import type { LearningKind } from './learning.js'

/**
 * What happened to a memory. `episodeStored`, and `sensoryFrameSeen`, `episodeRemoved` and, after the `episodeStored`
 * of an episode that has pictures or sounds, `multimodalEpisodeStored`, which are no learning events; every other kind
 * of learning event; `memoryImported`: an import took the place of all that there was, so read anew what you show;
 * `changesApplied`: changes of another device were applied, or a reader saw commits of its writer, so read anew what
 * you show; `codebookReady`: the semantic codebook, which came after opening, is in use from now on, so that answers
 * may differ; `statementsFound`: an extractor read texts after they were stored, so that the statements of these
 * episodes, and answers, may differ; `signaturesReady`: a sentence encoder encoded more episodes, or all signatures of
 * a large memory are loaded, so that answers may differ; `encoderFailed`: the encoder of a sense failed or answered
 * with what is no latent, so that the call that asked it was refused with `AGIDB_ENCODER`, while texts and other senses
 * go on; `ownerChanged`: another tab took the database over, so that changes just before may not have been reported:
 * read anew what must be complete; `storageDeleted`: the files of the memory were deleted, moved or replaced while it
 * was open ("Clear site data", a folder that was removed), so that every write is refused with `AGIDB_DELETED` from now
 * on; `engineEnded`: the worker of the engine died, or this tab could not take the memory over, so that every call is
 * refused and nothing more is told: close the memory and open it again.
 */
export type ChangeKind =
  | LearningKind
  | 'sensoryFrameSeen'
  | 'multimodalEpisodeStored'
  | 'episodeRemoved'
  | 'memoryImported'
  | 'changesApplied'
  | 'codebookReady'
  | 'statementsFound'
  | 'signaturesReady'
  | 'encoderFailed'
  | 'ownerChanged'
  | 'storageDeleted'
  | 'engineEnded'

/** A change to a memory, told when it is durable and can be recalled. */
export interface MemoryChange {
  readonly kind: ChangeKind
  /**
   * What it is about. Of `episodeStored`: the episodes of one commit. Of a learning event: all ids that it refers to,
   * the thing itself first, and as the last the id under which `whatDidILearn` has the event. Of `episodeSuperseded`:
   * the old and the new one. Of `episodeUpdated`: the episode. Of `statementsFound`: the episodes that were read. Of
   * `encoderFailed`: the sense. Of
   * `memoryImported`, `changesApplied`, `codebookReady`, `signaturesReady`, `ownerChanged`, `storageDeleted` and
   * `engineEnded`: none.
   */
  readonly ids: readonly string[]
  /** The place of the last row that it wrote, by which episodes and events are ordered; -1 where it wrote none. */
  readonly slot: number
  /** Who wrote it: the option `writer` of `open`. */
  readonly writer: string
  /** The handle through which it was written: one for each `open`, in every tab. */
  readonly from: string
  /** Whether that was this handle. */
  readonly own: boolean
}

/** Told of changes, one after the other. What it throws is an unhandled rejection, and changes nothing else. */
export type ChangeListener = (change: MemoryChange) => void
