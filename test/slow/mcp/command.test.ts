import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { createServer, type AddressInfo } from 'node:net'
import { expect, inject, test } from 'vitest'
import { agidb, agidbWith, outcomeOf, scratch, start } from '../cli/agidb.js'

const MAIN = inject('cli')
const { path, write } = scratch()

const message = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params })
const INITIALIZE = message(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'x', version: '1' },
})

/** Connects the official client to a command of its own. */
async function connect(...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp', ...args] }))
  return client
}

test('what was asked before standard input ends is answered, and nothing else stands on standard output', async () => {
  const child = start('mcp', '--db', path('piped'))
  const call = message(2, 'tools/call', { name: 'remember', arguments: { text: 'Tea is hot.' } })
  child.stdin!.end(`${INITIALIZE}\nno json\n${call}\n`)
  const { code, out, err } = await outcomeOf(child)
  expect(code).toBe(0)
  const answers = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result: { structuredContent?: { ids: string[] } } })
  expect(answers.map(({ id }) => id)).toEqual([1, 2])
  expect(answers[1]!.result.structuredContent!.ids).toHaveLength(1)
  expect(err).toContain('not valid JSON')
})

test('a memory outlives its server, and a server that only reads changes nothing', async () => {
  const file = write('chat.txt', 'Sarah: Bawri is a thai place in Bandra.\n')
  expect((await agidb('remember', file, '--db', path('kept'))).code).toBe(0)
  const writing = await connect('--db', path('kept'))
  await writing.callTool({ name: 'remember', arguments: { text: 'The rent is due on Friday.' } })
  await writing.close()
  const reading = await connect('--db', path('kept'), '--read-only', '--priming', '0')
  expect((await reading.listTools()).tools.map(({ name }) => name)).not.toContain('remember')
  const found = await reading.callTool({ name: 'recall', arguments: { query: 'when is the rent due?', k: 1 } })
  expect(found.structuredContent).toMatchObject({ matches: [{ text: 'The rent is due on Friday.' }] })
  await reading.close()
  const { out } = await agidb('stats', '--db', path('kept'), '--json')
  expect(JSON.parse(out)).toMatchObject({ episodes: 2 })
})

test('a port that is taken, a short token and a memory that is not there are refused', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as AddressInfo
  const inUse = await agidb('mcp', '--http', '--port', String(port), '--db', path('port'))
  expect(inUse).toMatchObject({ code: 1, out: '', err: expect.stringContaining('AGIDB_IN_USE') })
  taken.close()
  const short = await agidbWith({ AGIDB_MCP_TOKEN: 'abc' }, 'mcp', '--http', '--port', '0', '--db', path('short'))
  expect(short).toMatchObject({ code: 2, err: expect.stringContaining('at least 16 characters') })
  const none = await agidb('mcp', '--read-only', '--db', path('none'))
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining('AGIDB_NOT_FOUND') })
  const asJson = await agidb('mcp', '--read-only', '--json', '--db', path('none'))
  expect(asJson).toMatchObject({ code: 1, out: '' })
  expect(JSON.parse(asJson.err)).toMatchObject({ error: { code: 'AGIDB_NOT_FOUND' } })
})
