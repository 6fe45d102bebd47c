import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ProgressToken,
  type ServerNotification,
} from '@modelcontextprotocol/sdk/types.js'
import type { Agidb } from '../api/agidb.js'
import { checkFlag, checkKeys, checkWhole, invalid } from '../api/check.js'
import { failureOf, resultOf } from './answer.js'
import { addPrompts } from './prompts.js'
import { addResources } from './resources.js'
import type { Tool, ToolCall } from './tool.js'
import { TOOLS } from './tools/registry.js'
import { markedAsData, UNTRUSTED } from './untrusted.js'

/** Options of {@link createMcpServer}. */
export interface McpServerOptions {
  /** The name that clients show. Default `agidb`. */
  readonly name?: string
  /** The version that clients show. Default `1`. */
  readonly version?: string
  /** Whether nothing may be changed: tools that only change are not offered, other changes refused. Default false. */
  readonly readOnly?: boolean
  /**
   * About how many tokens of what the memory knows a client gets when it connects, marked as data, 0 to 100,000.
   * Default 500; 0: none.
   */
  readonly primingTokens?: number
  /** Further tools, by `defineTool`. One with the name of a built-in tool takes its place. */
  readonly tools?: readonly Tool[]
}

/**
 * A server of the Model Context Protocol for one client of a memory. Connect it to any transport of
 * `@modelcontextprotocol/sdk`; make one for each client. Closing it leaves the memory open.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` or `AGIDB_UNKNOWN_OPTION` for wrong options
 */
export async function createMcpServer(db: Agidb, options: McpServerOptions = {}): Promise<McpServer> {
  checkKeys('options', options, ['name', 'version', 'readOnly', 'primingTokens', 'tools'])
  const { name = 'agidb', version = '1', readOnly = false, primingTokens = 500, tools = [] } = options
  if (typeof name !== 'string' || typeof version !== 'string') throw invalid('name and version must be strings')
  checkFlag('readOnly', readOnly)
  checkWhole('primingTokens', primingTokens, 0, 100_000)
  const offered = new Map<string, Tool>()
  for (const tool of [...TOOLS, ...tools]) if (!(readOnly && tool.alwaysWrites)) offered.set(tool.name, tool)
  const server = new McpServer(
    { name, title: 'agidb memory', version },
    { capabilities: { tools: {} }, instructions: await instructionsOf(db, primingTokens) },
  )
  addTools(server, db, offered, readOnly)
  addResources(server, db)
  addPrompts(server, db)
  return server
}

/** What a client is told when it connects. */
async function instructionsOf(db: Agidb, budgetTokens: number): Promise<string> {
  const usage =
    'A long-term memory. Call recall before you answer what may have been talked about before, and cite what you ' +
    'use. Call remember for lasting facts, preferences and decisions. Before you forget anything, show the user what ' +
    `the dry run of forget lists. ${UNTRUSTED}`
  const briefing = budgetTokens === 0 ? '' : (await db.entries.priming({ budgetTokens })).text
  return briefing === '' ? usage : `${usage}\nWhat the memory knows best:\n${markedAsData(briefing)}`
}

function addTools({ server }: McpServer, db: Agidb, tools: ReadonlyMap<string, Tool>, readOnly: boolean): void {
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Array.from(tools.values(), ({ name, title, description, inputSchema, outputSchema, annotations }) => ({
      ...{ name, title, description, inputSchema, outputSchema },
      annotations: readOnly ? { ...annotations, readOnlyHint: true, destructiveHint: false } : annotations,
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const tool = tools.get(params.name)
    if (tool === undefined) {
      const known = [...tools.keys()].join(', ')
      const message = `there is no tool ${JSON.stringify(params.name.slice(0, 100))}; there are ${known}`
      throw new McpError(ErrorCode.InvalidParams, message, { code: 'AGIDB_NOT_FOUND' })
    }
    const progress = progressTo(params._meta?.progressToken, extra.sendNotification)
    try {
      return resultOf(await tool.run(params.arguments, { db, signal: extra.signal, progress }, readOnly))
    } catch (error) {
      return failureOf(error)
    }
  })
}

/** Tells a client of progress, where it asked for it. A client that has gone away misses it. */
function progressTo(
  progressToken: ProgressToken | undefined,
  send: (notification: ServerNotification) => Promise<void>,
): ToolCall['progress'] {
  if (progressToken === undefined) return () => undefined
  return (progress, total, message) => {
    const params = { progressToken, progress, total, ...(message !== undefined && { message }) }
    send({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}
