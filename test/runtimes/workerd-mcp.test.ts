import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { startWorkerd } from './workerd.js'

test('a Durable Object serves its memory to two clients of the Model Context Protocol', async () => {
  const workerd = await startWorkerd(fileURLToPath(new URL('worker-mcp.ts', import.meta.url)), { MEMORY: 'Memory' })
  try {
    const url = new URL('/mcp', await workerd.ready)
    const connect = async () => {
      const client = new Client({ name: 'test', version: '1' })
      const requestInit = { headers: { authorization: 'Bearer a-token-of-the-tests' } }
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
      return client
    }
    const [first, second] = [await connect(), await connect()]
    const text = 'Sarah recommended Bawri, a thai place in Bandra.'
    await first.callTool({ name: 'remember', arguments: { text } })
    const found = await second.callTool({ name: 'recall', arguments: { query: 'which thai place?' } })
    expect(found.structuredContent).toMatchObject({ matches: [{ text }] })
    expect((await second.callTool({ name: 'remember', arguments: { text: 7 } })).isError).toBe(true)
    expect((await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' } })).status).toBe(403)
    await Promise.all([first.close(), second.close()])
  } finally {
    await workerd.dispose()
  }
})
