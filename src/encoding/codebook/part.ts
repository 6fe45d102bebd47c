import { bytesOf, checkedCodebook, hashOf } from './check.js'
import { fetchCodebook, fetchModels } from './fetch.js'

/** What fetches, checks and reads a codebook. A page fetches it as one part, since it answers without a codebook. */
export interface CodebookPart {
  readonly bytesOf: typeof bytesOf
  readonly checkedCodebook: typeof checkedCodebook
  readonly fetchCodebook: typeof fetchCodebook
  readonly fetchModels: typeof fetchModels
  readonly hashOf: typeof hashOf
}

export { bytesOf, checkedCodebook, fetchCodebook, fetchModels, hashOf }
