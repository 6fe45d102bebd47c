import { execFile, spawn } from 'node:child_process'
import { request, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { node22, runProgram, TSX } from './program.js'

const TOKEN = 'a-token-of-the-tests'
const FOLDER = inject('frameworks')
const PACKAGES = join(FOLDER, '../node_modules/@modelcontextprotocol')
const run = promisify(execFile)

/** How the command line is started with these arguments. */
const agidb = (...args: string[]) => [TSX, '--tsconfig', join(FOLDER, 'tsconfig.json'), 'src/cli/main.ts', ...args]

/**
 * The scenarios that ask for no tool, resource or prompt of the demonstration server of the suite. `logging` is left
 * out, an optional capability that the server does not declare.
 */
const SCENARIOS: Readonly<Record<string, number>> = {
  'server-initialize': 1,
  ping: 1,
  'tools-list': 1,
  'resources-list': 1,
  'prompts-list': 1,
  'server-sse-multiple-streams': 2,
  'dns-rebinding-protection': 2,
}

let server: ReturnType<typeof spawn>
let forwarding: Server

beforeAll(async () => {
  const db = await mkdtemp(join(FOLDER, 'mcp-'))
  const env = { ...process.env, AGIDB_MCP_TOKEN: TOKEN }
  server = spawn(process.execPath, agidb('mcp', '--http', '--port', '0', '--db', db), { cwd: FOLDER, env })
  const port = await new Promise<number>((resolve, reject) => {
    let said = ''
    server.once('exit', () => reject(new Error(said)))
    server.stderr!.setEncoding('utf8').on('data', (more: string) => {
      said += more
      const found = /http:\S+:(\d+)\/mcp/.exec(said)?.[1]
      if (found !== undefined) resolve(Number(found))
    })
  })
  forwarding = await withToken(port)
})
afterAll(async () => {
  forwarding?.closeAllConnections()
  await new Promise((resolve) => forwarding?.close(resolve))
  server?.kill()
})

/** The suite cannot send a token, so its requests are forwarded with one, and otherwise as they are. */
async function withToken(port: number): Promise<Server> {
  const forward = createServer((incoming, outgoing) => {
    const { url: path, method, headers } = incoming
    const onward = request(
      { host: '127.0.0.1', port, path, method, headers: { ...headers, authorization: `Bearer ${TOKEN}` } },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => forward.listen(0, '127.0.0.1', resolve))
  return forward
}

test.each(Object.entries(SCENARIOS))('the conformance suite of the protocol passes: %s', async (scenario, checks) => {
  const url = `http://127.0.0.1:${(forwarding.address() as AddressInfo).port}/mcp`
  const suite = join(PACKAGES, 'conformance/dist/index.js')
  const args = [suite, 'server', '--url', url, '--scenario', scenario]
  const { stdout } = await run(node22(), args, { cwd: FOLDER }).catch((error: { stdout: string }) => error)
  expect(stdout).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`)
})

test('the command line of the MCP Inspector lists the tools, remembers and recalls', async () => {
  const db = await mkdtemp(join(FOLDER, 'mcp-'))
  const inspect = async (...args: string[]) => {
    const inspector = join(PACKAGES, 'inspector-cli/build/cli.js')
    const { stdout } = await run(
      node22(),
      [inspector, '--cli', process.execPath, ...agidb('mcp', '--db', db), '--method', ...args],
      { cwd: FOLDER },
    )
    return JSON.parse(stdout) as Record<string, any>
  }
  const { tools } = await inspect('tools/list')
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['remember', 'recall']))
  const text = 'The roses bloom in June.'
  await inspect('tools/call', '--tool-name', 'remember', '--tool-arg', `text=${text}`)
  const found = await inspect('tools/call', '--tool-name', 'recall', '--tool-arg', 'query=When do the roses bloom?')
  expect(found['structuredContent'].matches[0].text).toBe(text)
})

test('the client of the second version of the SDK remembers and recalls over both transports', async () => {
  const seen = JSON.parse(await runProgram('programs/mcp.ts')) as { stdio: { version: string }; http: unknown }
  expect(seen.stdio).toMatchObject({ tools: 14, resources: 5, found: 'The roses bloom in June.', wrong: true })
  expect(seen.stdio.version >= '2025-11-25').toBe(true)
  expect(seen.http).toEqual(seen.stdio)
})
