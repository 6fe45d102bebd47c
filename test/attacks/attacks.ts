import type { Attack } from './attack.js'
import { bitRot } from './bit-rot.js'
import { rotThenCompaction } from './rot-then-compaction.js'
import { sealedBase } from './sealed-base.js'

/** Every attack that `npm run test:attacks` runs. */
export const ATTACKS: readonly Attack[] = [
  bitRot,
  rotThenCompaction,
  sealedBase,
]
