// Everything that encrypted memories need: one part, which is loaded where there are keys.
export { EncryptedOpening } from './encrypted-storage.js'
export { rowReader } from './row-reader.js'
