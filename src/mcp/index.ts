export { createMcpHandler, type McpHandler, type McpHandlerOptions } from './http.js'
export { createMcpServer, type McpServerOptions } from './server.js'
export { defineTool, type JsonSchema, type Tool, type ToolAnswer, type ToolCall, type ToolSpec } from './tool.js'
export { markedAsData } from './untrusted.js'
