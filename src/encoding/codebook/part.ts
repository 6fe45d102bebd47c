// What fetches, checks and reads a codebook. A page fetches it as one part, since it answers without a codebook.
export { bytesOf, checkedCodebook, hashOf } from './check.js'
export { fetchCodebook, fetchModels } from './fetch.js'
