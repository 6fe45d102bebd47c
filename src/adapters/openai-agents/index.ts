export { MemorySession, type MemorySessionOptions } from './session.js'
export { type MemoryToolsOptions, memoryTools } from './tools.js'
