export { type MemoryMiddleware, type MemoryMiddlewareOptions, memoryMiddleware } from './middleware.js'
export { type MemoryTool, type MemoryToolsOptions, memoryTools } from './tools.js'
