import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storageContract } from 'agidb/storage-contract'
import { linesUntilKilled } from '../crash/lines.js'
import { denoBinary, RUN, runDeno, WITH_KV } from './run-deno.js'

const PROGRAM = fileURLToPath(new URL('deno-kv.ts', import.meta.url))
const PARTS = ['signatures', 'checkpoint', 'maintenance'] as const
const CASES = storageContract({ durable: true, parts: PARTS }, () => Promise.reject(new Error()))

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agidb-kv-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run<T>(...args: string[]): Promise<T[]> {
  const printed = await runDeno([...WITH_KV, PROGRAM, ...args], { maxBuffer: 1 << 24 })
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

describe('the storage contract in Deno KV', () => {
  let outcomes: Map<string, string | undefined>

  beforeAll(async () => {
    const lines = await run<{ name: string; error?: string }>('contract', folder)
    outcomes = new Map(lines.map(({ name, error }) => [name, error]))
  })

  test.each(CASES.map(({ name }) => name))('%s', (name) => {
    expect(outcomes.has(name)).toBe(true)
    expect(outcomes.get(name)).toBeUndefined()
  })
})

describe('a memory in Deno KV', () => {
  test('killed at any moment, it has each commit that was acknowledged, and none in part', async () => {
    const path = join(folder, 'killed.db')
    let commits = 0
    for (let round = 0; round < 4; round++) {
      const writer = spawn(denoBinary(), [...RUN, ...WITH_KV, PROGRAM, 'write', path, String(commits)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let acknowledged = commits
      const killed = linesUntilKilled(writer, (line) => {
        acknowledged = Number(line)
        // The next commit, which is then under way, is one of the large ones.
        if (acknowledged >= commits + 6 && acknowledged % 9 === 8) setTimeout(() => writer.kill('SIGKILL'), 25 * round)
      })
      expect(await killed).toBeUndefined()
      const [found] = await run<{ commits: number; opening: string[] }>('check', path)
      expect(found).toMatchObject({ rest: 0, wrong: 0, opening: [] })
      expect(found.commits).toBeGreaterThanOrEqual(acknowledged)
      commits = found.commits
    }
    expect(commits).toBeGreaterThan(30)
  }, 300_000)

  test('a commit of many pieces that fails in its midst has no effect, and its pieces are deleted', async () => {
    const [found] = await run<{ left: number }>('staged', join(folder, 'staged.db'))
    expect(found.left).toBeGreaterThan(100)
    expect(found).toMatchObject({
      failed: 'AGIDB_STORAGE',
      cleaned: true,
      found: { commits: 1, rest: 0, wrong: 0 },
      again: { commits: 2, rest: 0, wrong: 0 },
    })
  })

  test('waits after a crash until its lease is over, and one that was stopped for longer writes no more', async () => {
    expect(await run('lease', join(folder, 'lease.db'))).toEqual([
      { renewed: 'AGIDB_IN_USE', late: 'AGIDB_IN_USE', commits: 2, gone: 'AGIDB_DELETED' },
    ])
  })

  test('is there when it is opened again, with its scopes', async () => {
    expect(await run('memory', join(folder, 'memory.db'))).toEqual([
      { found: [true], scoped: 1, ok: true, storage: 'Deno KV agidb', durability: 'strict' },
    ])
  })
})
