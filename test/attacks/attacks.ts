import type { Attack } from './attack.js'
import { bitRot } from './bit-rot.js'

/** Every attack that `npm run test:attacks` runs. */
export const ATTACKS: readonly Attack[] = [
  bitRot,
]
