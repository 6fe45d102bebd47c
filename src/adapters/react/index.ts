export type { LiveRecallOptions } from '../store/store.js'
export type { Snapshot } from '../store/live-value.js'
export { type HookOptions, useAsk, useGoals, useMemories, useMemory, useRecall } from './hooks.js'
export { MemoryProvider, type MemoryProviderProps, useAgidb, useMemoryStore } from './provider.js'
