// Everything that encrypted memories need: one part, which is loaded where there are keys.
export { admit, askAdmission } from './admission.js'
export { EncryptedOpening } from './encrypted-storage.js'
export { rowReader } from './row-reader.js'
