export type { LiveValue, Snapshot } from './live-value.js'
export { type LiveRecallOptions, type MemoryStore, memoryStore } from './store.js'
