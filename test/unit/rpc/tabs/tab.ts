import { openEngine } from '../../../../src/engine/whole.js'
import { share, type SharedDatabase } from '../../../../src/rpc/tabs/share.js'
import { kernel } from '../../encoding/kernel.js'
import type { Disk } from './disk.js'
import type { FakePlace, Origin } from './origin.js'

/** A tab of tests. */
export interface TestTab {
  readonly db: SharedDatabase
  readonly place: FakePlace
}

/** Opens a tab on a disk. */
export async function openTab(
  origin: Origin,
  disk: Disk,
  options: { writer?: string; readOnly?: boolean; pingMs?: number; prepare?: () => Promise<void> } = {},
): Promise<TestTab> {
  const place = origin.place()
  const { writer = 'agidb', readOnly = false, pingMs = 20, prepare } = options
  const open = (handle: string) => openEngine({ kernel, storage: disk.storage(place), handle, writer })
  return {
    place,
    db: await share({ name: 'test', place, open, writer, readOnly, pingMs, ...(prepare && { prepare }) }),
  }
}
