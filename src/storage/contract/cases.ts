// All cases of the storage contract.
import type { StorageCase } from './case.js'
import { checkpointCases } from './checkpoint-cases.js'
import { maintenanceCases } from './maintenance-cases.js'
import { nearestCases } from './nearest-cases.js'
import { partCases } from './part-cases.js'
import { replaceCases } from './replace-cases.js'
import { rowCases } from './row-cases.js'
import { signatureCases } from './signature-cases.js'

/** Every case, in the order in which they run. */
export const cases: readonly StorageCase[] = [
  ...partCases,
  ...rowCases,
  ...signatureCases,
  ...nearestCases,
  ...replaceCases,
  ...checkpointCases,
  ...maintenanceCases,
]
