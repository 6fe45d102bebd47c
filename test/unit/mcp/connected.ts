import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { createMcpServer, type McpServerOptions } from '../../../src/mcp/index.js'
import { Agidb } from '../../../src/runtimes/node/index.js'

/** A memory in main memory that changes by calls alone. */
export function openMemory() {
  const still = { extract: 'none', autoConsolidate: false, learnFromRecall: false } as const
  return Agidb.open({ storage: 'memory', codebook: 'none', ...still })
}

/** The official client, connected to a server of a memory within this process. */
export async function connected(db: Agidb, options?: McpServerOptions): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const server = await createMcpServer(db, options)
  await server.connect(there)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(here)
  return client
}

/** The structured content of a call that works. */
export async function called(client: Client, name: string, args: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: args })
  if (result.isError) throw new Error(`${name}: ${textOf(result as CallToolResult)}`)
  return { data: result.structuredContent as Record<string, any>, text: textOf(result as CallToolResult) }
}

/** The code of a call that fails. */
export async function codeOf(client: Client, name: string, args: unknown): Promise<string | undefined> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
  return (result._meta?.['agidb/error'] as { code: string } | undefined)?.code
}

/** The text of a result. */
export function textOf({ content }: Pick<CallToolResult, 'content'>): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}
