import { AgidbError } from '../base/errors.js'
import type { Change, Storage } from '../storage/port.js'

/** Commits, and bytes in them, after which the room is looked at again: asking takes longer than a commit. */
const COMMITS = 64
const BYTES = 2 ** 20

/** A storage that refuses to grow when less than `headroom` bytes are left. Removing goes on. */
export function withHeadroom(storage: Storage, headroom: number): Storage {
  let commits = 0
  let bytes = 0
  let left = 0
  const look = async (): Promise<void> => {
    const { room } = await storage.stats()
    left = room === undefined ? Infinity : room.of - room.used
    commits = COMMITS
    bytes = BYTES
  }
  // What it offers may depend on whether it is open, so nothing is copied.
  return Object.assign(Object.create(storage) as Storage, {
    async commit(changes: readonly Change[]): Promise<void> {
      const size = changes.reduce((sum, change) => sum + sizeOf(change), 0)
      if (size > 0) {
        if (commits <= 0 || bytes < size || left - size < headroom) await look()
        if (left - size < headroom) {
          const message = `${left} bytes are left, and ${headroom} are to stay free (headroom): free some space, or remove something and compact`
          throw new AgidbError('AGIDB_QUOTA', message, { left, headroom })
        }
      }
      await storage.commit(changes)
      commits--
      bytes -= size
      left -= size
    },
  })
}

function sizeOf(change: Change): number {
  const signatures =
    'signatures' in change ? Object.values(change.signatures).reduce((sum, { length }) => sum + length, 0) : 0
  return signatures + ('row' in change ? change.row.length : 0)
}
