// The client of the second version of the SDK of MCP, over both transports.
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Agidb } from 'agidb'
import { createMcpHandler } from 'agidb/mcp'
import { serve } from '../src/mcp/node/serve.js'

const TOKEN = 'a-token-of-the-tests'
const TEXT = 'The roses bloom in June.'

/** What a client sees of an empty memory that it stores {@link TEXT} in. */
async function asked(transport: Transport) {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const { tools } = await client.listTools()
  const { resources } = await client.listResources()
  const { prompts } = await client.listPrompts()
  await client.callTool({ name: 'remember', arguments: { text: TEXT } })
  const found = await client.callTool({ name: 'recall', arguments: { query: 'When do the roses bloom?' } })
  const wrong = await client.callTool({ name: 'recall', arguments: { query: 7 } })
  const version = client.getNegotiatedProtocolVersion()
  await client.close()
  return {
    version,
    tools: tools.length,
    resources: resources.length,
    prompts: prompts.length,
    found: (found.structuredContent as { matches: { text: string }[] }).matches[0]?.text,
    wrong: wrong.isError,
  }
}

// In the folder of this process, which is empty.
const args = [...process.execArgv, fileURLToPath(new URL('../src/cli/main.ts', import.meta.url)), 'mcp', '--db', 'db']
const stdio = await asked(new StdioClientTransport({ command: process.execPath, args }))

const db = await Agidb.open({ storage: 'memory', codebook: 'none' })
const { port, close } = await serve(createMcpHandler(db, { token: TOKEN }), '127.0.0.1', 0)
const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } }
const url = new URL(`http://127.0.0.1:${port}/mcp`)
const http = await asked(new StreamableHTTPClientTransport(url, { requestInit }))
await close()
await db.close()
console.log(JSON.stringify({ stdio, http }))
