import { request as httpRequest } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMcpHandler, type McpHandler } from '../../../src/mcp/index.js'
import { serve, type Listening } from '../../../src/mcp/node/serve.js'
import type { Agidb } from '../../../src/runtimes/node/index.js'
import { called, openMemory } from './connected.js'

const TOKEN = 'a-token-of-the-tests'
let db: Agidb
let handler: McpHandler
let listening: Listening
const clients: Client[] = []

beforeEach(async () => {
  db = await openMemory()
  handler = createMcpHandler(db, { token: TOKEN, origins: ['https://app.example'], maxSessions: 20, maxBytes: 65_536 })
  listening = await serve(handler, '127.0.0.1', 0)
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await listening.close()
  await db.close()
})

async function connect(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const url = new URL(`http://127.0.0.1:${listening.port}/mcp`)
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  clients.push(client)
  return client
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})

/** The status and headers of a raw request, which may have any headers. */
function raw(headers: Record<string, string>, { path = '/mcp', method = 'POST', body = INITIALIZE } = {}) {
  const usual = {
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  return new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: listening.port, path, method, headers: { ...usual, ...headers } }
    const sent = httpRequest(options, (response) => {
      resolve({ status: response.statusCode!, headers: response.headers })
      response.destroy()
    })
    sent.on('error', reject).end(method === 'POST' ? body : undefined)
  })
}

test('sixteen clients at once each have a session, and share one memory', async () => {
  const sixteen = await Promise.all(Array.from({ length: 16 }, connect))
  expect(handler.sessions).toBe(16)
  await Promise.all(
    sixteen.map((client, i) => called(client, 'remember', { text: `Client ${i} likes tea number ${i}.` })),
  )
  expect((await db.stats()).episodes).toBe(16)
  const answers = await Promise.all(
    sixteen.map((client, i) => called(client, 'recall', { query: `which tea does client ${(i + 1) % 16} like?` })),
  )
  for (const { data } of answers) expect(data['matches']).toHaveLength(10)
  await (sixteen[0]!.transport as StreamableHTTPClientTransport).terminateSession()
  expect(handler.sessions).toBe(15)
})

test('progress comes while a call is answered', async () => {
  const client = await connect()
  const seen: number[] = []
  const items = Array.from({ length: 600 }, (_, i) => ({ text: `Room ${i}.` }))
  const params = { name: 'remember', arguments: { items } }
  await client.callTool(params, undefined, { onprogress: ({ progress }) => seen.push(progress) })
  expect(seen.at(-1)).toBe(600)
})

test('a page of another origin is refused, with its token and without CORS', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', 'https://app.example.evil.example']) {
    const { status, headers } = await raw({ origin })
    expect(status, origin).toBe(403)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
  const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  expect((await raw(preflight, { method: 'OPTIONS' })).status).toBe(403)
  expect((await raw({ origin: 'https://app.example' })).status).toBe(200)
  expect(handler.sessions).toBe(1)
})

test('a page of the server itself is answered, with its token', async () => {
  const { port } = listening
  const own = { origin: `http://127.0.0.1:${port}` }
  expect((await raw(own)).status).toBe(200)
  expect((await raw({ ...own, authorization: 'Bearer another-token-of-a-page' })).status).toBe(401)
  for (const origin of [`https://127.0.0.1:${port}`, `http://localhost:${port}`, 'http://127.0.0.1'])
    expect((await raw({ origin })).status, origin).toBe(403)
})

test('a host that DNS rebinding leads here is refused', async () => {
  for (const host of [
    'evil.example',
    `evil.example:${listening.port}`,
    '127.0.0.1.evil.example',
    'localhost.evil.example',
  ])
    expect((await raw({ host })).status, host).toBe(403)
  expect((await raw({ host: 'user@127.0.0.1' })).status).toBe(400)
  for (const host of ['localhost', `127.0.0.1:${listening.port}`, '[::1]'])
    expect((await raw({ host })).status).toBe(200)
})

/** The status of a first request with this URL and this origin, of a handler with these options. */
async function statusOf(options: { hosts?: string[]; origins?: string[] }, url: string, origin?: string) {
  const own = createMcpHandler(db, { token: TOKEN, ...options })
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(origin !== undefined && { origin }),
  }
  const { status } = await own.handle(new Request(url, { method: 'POST', headers, body: INITIALIZE }))
  await own.close()
  return status
}

test.each([
  ['Memory.Example', 'https://memory.example/mcp'],
  ['Memory.Example', 'https://MEMORY.example:8443/mcp'],
  ['MÜNCHEN.example', 'https://münchen.example/mcp'],
  ['[FE80::0001]', 'http://[fe80::1]/mcp'],
])('a host given as %s is the host of %s', async (host, url) => {
  expect(await statusOf({ hosts: [host] }, url)).toBe(200)
  expect(await statusOf({ hosts: [host] }, 'https://evil.example/mcp')).toBe(403)
})

test.each([
  ['https://App.example/', 'https://app.example'],
  ['HTTPS://app.example:443', 'https://app.example'],
  ['https://app.example:8443/', 'https://app.example:8443'],
  ['Chrome-Extension://AbC/', 'chrome-extension://abc'],
  ['null', 'null'],
])('an origin given as %s is the origin %s', async (origin, sent) => {
  const url = 'http://localhost/mcp'
  expect(await statusOf({ origins: [origin] }, url, sent)).toBe(200)
  for (const other of ['https://evil.example', 'https://app.example:1', 'null'].filter((one) => one !== sent))
    expect(await statusOf({ origins: [origin] }, url, other), other).toBe(403)
})

test.each([
  ...['', ' ', '*', '*.example', 'a b', '::1', 'memory.example:8080', 'https://memory.example', 'a/b', 'user@a'].map(
    (one) => ['hosts', one],
  ),
  ...['', '*', 'app.example', 'localhost:3000', 'https://*.example', 'https://app.example/path', 'file://'].map(
    (one) => ['origins', one],
  ),
])('%s with "%s", which no request can have, are refused', (option, one) => {
  const make = () => createMcpHandler(db, { token: TOKEN, [option!]: [one] })
  expect(make).toThrow(expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' }))
  expect(make).toThrow(`${option}[0] is ${JSON.stringify(one)}; expected a`)
})

test('a request without the token is refused', async () => {
  for (const authorization of ['', 'Bearer', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, 'Bearer a-token-of-the-test']) {
    const { status, headers } = await raw({ authorization })
    expect(status, authorization).toBe(401)
    expect(headers['www-authenticate']).toContain('Bearer')
  }
  expect(handler.sessions).toBe(0)
})

test('a request to another path, of no session or of an unknown one is refused', async () => {
  expect((await raw({}, { path: '/' })).status).toBe(404)
  expect((await raw({ 'mcp-session-id': 'none' })).status).toBe(404)
  expect((await raw({}, { method: 'GET' })).status).toBe(400)
  expect((await raw({}, { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' })).status).toBe(400)
  expect((await raw({}, { body: 'no json' })).status).toBe(400)
  expect((await raw({}, { body: `{"a":"${'x'.repeat(70_000)}"}` })).status).toBe(413)
  expect(handler.sessions).toBe(0)
})

test('a client that is too many is refused, and the others go on', async () => {
  const [first] = await Promise.all(Array.from({ length: 20 }, connect))
  expect((await raw({})).status).toBe(503)
  expect((await called(first!, 'goals')).data['total']).toBe(0)
})

test('arguments that are nested very deep are refused, and the session goes on', async () => {
  const client = await connect()
  const { sessionId } = client.transport as StreamableHTTPClientTransport
  for (const field of ['metadata', 'colour', 'text']) {
    const deep = `${'['.repeat(25_000)}${']'.repeat(25_000)}`
    const params = `{"name":"remember","arguments":{"text":"a","${field}":{"a":${deep}}}}`
    const body = `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":${params}}`
    await raw({ 'mcp-session-id': sessionId! }, { body })
  }
  expect((await called(client, 'list')).data['memories']).toEqual([])
})

test('the options of a handler are checked', () => {
  expect(() => createMcpHandler(db, { token: 'short' })).toThrow('at least 16 characters')
  expect(() => createMcpHandler(db, { token: TOKEN, hosts: 'a' } as never)).toThrow('hosts must be an array')
  expect(() => createMcpHandler(db, { token: TOKEN, colour: 1 } as never)).toThrow('no option "colour"')
})
