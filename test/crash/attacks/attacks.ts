import type { Attack } from './attack.js'
import { bitRot } from './bit-rot.js'
import { deletedWhileOpen } from './deleted-while-open.js'
import { endedThread } from './ended-thread.js'
import { hardLinks } from './hard-links.js'
import { lostTail } from './lost-tail.js'
import { rotThenCompaction } from './rot-then-compaction.js'
import { sealedBase } from './sealed-base.js'
import { twoNamespaces } from './two-namespaces.js'
import { wipedWhileOpen } from './wiped-while-open.js'

/** Every attack that `npm run test:attacks` runs. */
export const ATTACKS: readonly Attack[] = [
  bitRot,
  deletedWhileOpen,
  lostTail,
  rotThenCompaction,
  sealedBase,
  twoNamespaces,
  hardLinks,
  endedThread,
  wipedWhileOpen,
]
