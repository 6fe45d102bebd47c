export {
  type MemoryProcessor,
  type MemoryProcessorOptions,
  memoryProcessor,
  type ProcessedMessage,
} from './processor.js'
