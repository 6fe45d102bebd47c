import type { VerifyVisitor } from '../../api/storage.js'
import type { Journal } from '../journal/journal.js'
import type { JournalFollower } from '../journal/journal-store.js'

/** Keeps a second copy of what a journal has, behind its commits. */
export interface SecondCopy extends JournalFollower {
  /** To be called after commits, with the number of their changes. */
  follow(changes: number): void
  /** Resolves when the copy has all that the journal has now. Rejects with what keeps it from that. */
  catchUp(): Promise<void>
  /** Makes the copy anew, from another journal. */
  startOverWith(journal: Journal): Promise<void>
  /** Makes the copy anew from the journal. */
  startOver(): Promise<void>
  /** Compares the copy with the journal, and changes neither. */
  verify(findings: VerifyVisitor['findings']): Promise<void>
  /** Resolves when it follows no more: it has caught up, or failed to, or a second has passed. */
  close(): Promise<void>
}
