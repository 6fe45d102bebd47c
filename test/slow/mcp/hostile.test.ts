import { spawn } from 'node:child_process'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runs } from '../../runs.js'
import { agidb, scratch } from '../cli/agidb.js'
import { randomCall, type RandomCall } from './calls.js'

const MAIN = inject('cli')
const CALLS = runs(400)
const { path } = scratch()
const variables = Object.entries(process.env).filter((one): one is [string, string] => one[1] !== undefined)
const env = { ...Object.fromEntries(variables), AGIDB_MCP_TOKEN: 'a-token-of-the-tests' }

/** What became of the calls. */
interface Outcomes {
  answered: number
  readonly refused: Map<string, number>
}

/** Makes the calls one after the other. Every one of them is answered, or refused with a code of agidb's. */
async function make(client: Client, calls: readonly RandomCall[]): Promise<Outcomes> {
  const outcomes: Outcomes = { answered: 0, refused: new Map() }
  await client.listTools() // from now on the client checks structured content against the schemas
  for (const { name, args } of calls) {
    const shown = `${name} ${JSON.stringify(args).slice(0, 300)}`
    const code = await codeOf(client, name, args, shown)
    if (code === undefined) outcomes.answered++
    else outcomes.refused.set(code, (outcomes.refused.get(code) ?? 0) + 1)
  }
  return outcomes
}

/** The code with which a call is refused; `undefined` where it works. */
async function codeOf(client: Client, name: string, args: RandomCall['args'], shown: string) {
  try {
    const { isError, content, _meta } = await client.callTool({ name, arguments: args })
    const [{ text }] = content as [{ text: string }]
    if (isError !== true) {
      expect(text.match(/^<\/agidb-data>$/gm), shown).toHaveLength(1)
      return undefined
    }
    const { code } = _meta!['agidb/error'] as { code: string }
    expect(text, shown).toContain(`(${code})`)
    return code
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    const { code } = (error.data ?? {}) as { code?: string }
    expect(code, `${shown}: ${error.message}`).toMatch(/^AGIDB_/)
    return code
  }
}

/** What has to hold after all calls: the server answers, and what it stored is whole. */
async function expectWhole(client: Client, outcomes: Outcomes): Promise<void> {
  const counts = [...outcomes.refused].map(([code, count]) => `${code} ${count}`).join(', ')
  console.log(`${CALLS} calls: ${outcomes.answered} answered, ${counts}`)
  expect([...outcomes.refused.keys()]).not.toContain('AGIDB_INTERNAL')
  expect(outcomes.answered).toBeGreaterThan(CALLS / 10)
  const text = 'The roses bloom in June.'
  await client.callTool({ name: 'remember', arguments: { text, speaker: 'the test' } })
  const found = await client.callTool({ name: 'list', arguments: { speaker: 'the test' } })
  expect((found.structuredContent as { memories: { text: string }[] }).memories.map((one) => one.text)).toEqual([text])
}

describe('random calls, hostile ones among them, crash nothing and are refused with codes', () => {
  test('over standard input and output', async () => {
    const client = new Client({ name: 'test', version: '1' })
    const args = [MAIN, 'mcp', '--db', path('stdio')]
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
    await expectWhole(client, await make(client, fc.sample(randomCall, { numRuns: CALLS, seed: 1 })))
    await client.close()
    expect((await agidb('verify', '--db', path('stdio'))).code).toBe(0)
  }, 600_000)

  describe('over HTTP', () => {
    const server = spawn(process.execPath, [MAIN, 'mcp', '--http', '--port', '0', '--db', path('http')], { env })
    let url: URL

    beforeAll(async () => {
      url = await new Promise((resolve, reject) => {
        let said = ''
        server.once('exit', () => reject(new Error(said)))
        server.stderr.setEncoding('utf8').on('data', (more: string) => {
          said += more
          const address = /http:\S+\/mcp/.exec(said)?.[0]
          if (address !== undefined) resolve(new URL(address))
        })
      })
    })
    afterAll(() => void server.kill())

    async function connect(): Promise<Client> {
      const client = new Client({ name: 'test', version: '1' })
      const requestInit = { headers: { authorization: `Bearer ${env.AGIDB_MCP_TOKEN}` } }
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
      return client
    }

    test('by sixteen clients at once', async () => {
      const clients = await Promise.all(Array.from({ length: 16 }, connect))
      const calls = fc.sample(randomCall, { numRuns: CALLS, seed: 2 })
      const parts = clients.map((client, i) =>
        make(
          client,
          calls.filter((_, at) => at % 16 === i),
        ),
      )
      const all: Outcomes = { answered: 0, refused: new Map() }
      for (const { answered, refused } of await Promise.all(parts)) {
        all.answered += answered
        for (const [code, count] of refused) all.refused.set(code, (all.refused.get(code) ?? 0) + count)
      }
      await expectWhole(clients[0]!, all)
      await Promise.all(clients.map((client) => client.close()))
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      expect(await ended).toBe(0)
      expect((await agidb('verify', '--db', path('http'))).code).toBe(0)
    }, 600_000)
  })
})
