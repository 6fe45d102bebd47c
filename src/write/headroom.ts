import type { OpenedStorage, RowStore, StorageChange } from '../api/storage.js'
import { tombstoneKind } from '../records/kinds/tombstone.js'
import { AgidbError } from '../base/errors.js'

/** Commits, and bytes in them, after which the free room is measured again: measuring takes longer than a commit. */
const COMMITS_PER_MEASURE = 64
const BYTES_PER_MEASURE = 2 ** 20

/**
 * The rows of a storage, which refuse to grow with `AGIDB_QUOTA` when fewer than `headroom` bytes would be left.
 * Forgetting goes on.
 */
export function withHeadroom(storage: OpenedStorage, headroom: number): RowStore {
  const { rows } = storage
  let commits = 0
  let bytes = 0
  let left = 0
  const measure = async (): Promise<void> => {
    const { room } = await storage.stats()
    left = room === undefined ? Infinity : room.of - room.used
    commits = COMMITS_PER_MEASURE
    bytes = BYTES_PER_MEASURE
  }
  return {
    get: (slots) => rows.get(slots),
    slots: () => rows.slots(),
    read: (slots) => rows.read(slots),
    replace: (fill) => rows.replace(fill),
    async commit(changes) {
      const size = changes.reduce((sum, change) => sum + sizeOf(change), 0)
      if (size > 0 && !changes.some(forgets)) {
        if (commits <= 0 || bytes < size || left - size < headroom) await measure()
        if (left - size < headroom) {
          const message =
            `${left} bytes are left, and ${headroom} are to stay free (headroom): free some space, ` +
            'or remove something and compact'
          throw new AgidbError('AGIDB_QUOTA', message, { left, headroom })
        }
      }
      await rows.commit(changes)
      commits--
      bytes -= size
      left -= size
    },
  }
}

/** Whether a change takes a record out of the memory, be it to be restored or for good. */
function forgets(change: StorageChange): boolean {
  return change.op === 'remove' || (change.op === 'update' && change.row[0] === tombstoneKind.tag)
}

function sizeOf(change: StorageChange): number {
  const signatures =
    'signatures' in change ? Object.values(change.signatures).reduce((sum, bytes) => sum + bytes!.length, 0) : 0
  return signatures + ('row' in change ? change.row.length : 0)
}
