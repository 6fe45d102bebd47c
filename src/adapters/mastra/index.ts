export {
  type MemoryProcessor,
  type MemoryProcessorOptions,
  memoryProcessor,
  type ProcessedMessage,
} from './processor.js'
export { type MemoryStorageMethods, type MemoryStorageOptions, memoryStorage } from './storage.js'
