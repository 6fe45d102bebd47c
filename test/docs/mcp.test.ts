import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(ROOT, 'docs/mcp.md'), 'utf8')
const SOURCES = {
  agidb: 'src/runtimes/node/index.ts',
  'agidb/edge': 'src/runtimes/edge/index.ts',
  'agidb/mcp': 'src/mcp/index.ts',
}

/** Runs a program of the page on the sources, within this repository, where the packages are. */
function run(part: string, more = ''): string {
  const programs = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!)
  let code = programs.find((program) => program.includes(part))! + more
  for (const [name, path] of Object.entries(SOURCES)) code = code.replaceAll(`'${name}'`, `'${join(ROOT, path)}'`)
  const folder = mkdtempSync(join(ROOT, 'node_modules/.agidb-mcp-'))
  try {
    writeFileSync(
      join(folder, 'example.mts'),
      code.replace("name: 'my-agent' })\nawait db", "path: './db' })\nawait db"),
    )
    const env = { ...process.env, AGIDB_MCP_TOKEN: 'a-token-of-the-tests' }
    const tsx = import.meta.resolve('tsx')
    return execFileSync(process.execPath, ['--import', tsx, 'example.mts'], { encoding: 'utf8', cwd: folder, env })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the example of a server within a program recalls', () => {
  expect(run('createMcpServer')).toBe('Sarah recommended Bawri, a thai place in Bandra.\n')
})

test('the example of a handler answers requests that bring its token', () => {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  }
  const asking = `
const ask = async (authorization) => (await handler.handle(new Request('https://memory.example/mcp', {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: ${JSON.stringify(JSON.stringify(body))},
}))).status
console.log(await ask('Bearer a-token-of-the-tests'), await ask('Bearer another'))
await handler.close()
await db.close()
`
  expect(run('createMcpHandler', asking)).toBe('200 401\n')
})
