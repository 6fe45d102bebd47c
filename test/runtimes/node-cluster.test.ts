import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
let server: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agidb-cluster-example-'))
})
afterEach(async () => {
  if (server !== undefined && server.exitCode === null) {
    const gone = once(server, 'exit')
    server.kill('SIGTERM')
    await gone
  }
  rmSync(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

test('the example of node:cluster answers from all workers, and goes on when its owner is killed', async () => {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), MEMORY: folder }
  server = spawn(process.execPath, ['examples/node-cluster/server.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let listening = 0
  createInterface({ input: server.stdout! }).on('line', (line) => void (line.includes('listens') && listening++))
  await expect.poll(() => listening, { timeout: 60_000 }).toBe(4)
  const workers = new Set<string | null>()
  // `connection: close`, so that each request may go to another worker.
  const ask = async (query: string, body?: string): Promise<string> => {
    const method = body === undefined ? 'GET' : 'POST'
    const headers = { connection: 'close' }
    const response = await fetch(`http://127.0.0.1:${port}/${query}`, { method, body, headers })
    workers.add(response.headers.get('worker'))
    return response.text()
  }
  await ask('', 'The office is in Oslo.')
  for (let i = 0; i < 16; i++) expect(await ask('?where+is+the+office')).toContain('Oslo')
  expect(workers.size).toBeGreaterThan(1)

  const { pid } = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')) as { readonly pid: number }
  expect(workers).toContain(String(pid))
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => listening, { timeout: 60_000 }).toBe(5)
  expect(await ask('?where+is+the+office')).toContain('Oslo')
})
