import { openEngine } from '../../../../src/engine/whole.js'
import type { Encryption } from '../../../../src/api/encryption.js'
import { share, type SharedDatabase } from '../../../../src/rpc/tabs/share.js'
import * as crypto from '../../../../src/storage/crypto/encryption.js'
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
  options: {
    writer?: string
    readOnly?: boolean
    pingMs?: number
    prepare?: () => Promise<void>
    encryption?: Encryption
    /** Called when what compares encryption is loaded. */
    compares?: () => void
    /** Told of what the tab posts. */
    posts?: (message: unknown) => void
  } = {},
): Promise<TestTab> {
  const place = origin.place()
  place.posts = options.posts ?? place.posts
  const { writer = 'agidb', readOnly = false, pingMs = 20, prepare, encryption, compares } = options
  const open = (handle: string) => openEngine({ kernel, storage: disk.storage(place), handle, writer, encryption })
  const admission = { encryption, load: async () => (compares?.(), crypto) }
  return {
    place,
    db: await share({ name: 'test', place, open, writer, readOnly, pingMs, admission, ...(prepare && { prepare }) }),
  }
}
