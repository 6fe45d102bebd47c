import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { Agidb } from '../../../src/runtimes/node/index.js'

const OWNER = fileURLToPath(new URL('./share-owner.ts', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'agidb-stopped-'))
let owner: ChildProcess
afterEach(() => {
  owner.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test('a stopped owner is told of by an error, and what was asked meanwhile happens once when it goes on', async () => {
  owner = spawn(process.execPath, ['--import', 'tsx', OWNER, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(createInterface({ input: owner.stdout! }), 'line') // it has the folder
  const db = await Agidb.open({ path: folder, share: true, codebook: 'none', extract: 'none', autoConsolidate: false })
  try {
    await db.observe('The office is in Oslo.', { id: 'before' })
    owner.kill('SIGSTOP')
    const error: unknown = await db
      .observe('The depot is in Rome.', { id: 'meanwhile' })
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'AGIDB_IN_USE' })
    owner.kill('SIGCONT')
    await expect.poll(() => db.count().catch(() => 0), { timeout: 60_000 }).toBeGreaterThan(0)
    // The same call again: its id says that it is the same memory.
    await db.observe('The depot is in Rome.', { id: 'meanwhile' }).catch((cause: unknown) => {
      expect(cause).toMatchObject({ code: 'AGIDB_DUPLICATE_ID' })
    })
    expect(await db.count()).toBe(2)
    expect((await db.recall('where is the depot?')).matches[0]).toMatchObject({ id: 'meanwhile' })
  } finally {
    await db.close()
  }
}, 120_000)
