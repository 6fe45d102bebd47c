export {
  type ImportFromOptions,
  type ImportReport,
  importFromLetta,
  importFromMem0,
  importFromZep,
} from './import.js'
export type { ExportInput } from './input.js'
export type { MemoryFilters } from './filters.js'
export type { MemoryHistoryEntry, MemoryItem } from './items.js'
export { Memory, type MemoryBase } from './memory.js'
export type {
  AddMemoryOptions,
  GetAllMemoryOptions,
  MemoryMessage,
  MemoryOwner,
  SearchMemoryOptions,
  UpdateMemoryOptions,
} from './options.js'
