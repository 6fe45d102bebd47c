import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Agidb } from '../../../../src/runtimes/node/index.js'

const MEMBER = fileURLToPath(new URL('../../../crash/cluster-member.ts', import.meta.url))
const OPTIONS = { share: true, codebook: 'none', extract: 'none', autoConsolidate: false } as const
const POLL = { timeout: 60_000 }

let folder: string
let owner: ChildProcessByStdio<Writable, Readable, null>
const members: Agidb[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agidb-stopped-'))
  owner = spawn(process.execPath, ['--import', 'tsx', MEMBER, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: owner.stdout })
  const [first] = (await once(lines, 'line')) as [string]
  expect(first).toBe('open')
})
afterEach(async () => {
  const gone = owner.exitCode === null && owner.signalCode === null ? once(owner, 'exit') : undefined
  owner.kill('SIGKILL')
  await gone
  for (const db of members.splice(0)) await db.close()
  rmSync(folder, { recursive: true, force: true })
})

async function member(): Promise<Agidb> {
  const db = await Agidb.open({ path: folder, ...OPTIONS })
  members.push(db)
  return db
}

/** A member whose owner has stored `before` and was stopped then. */
async function memberOfStopped(): Promise<Agidb> {
  const db = await member()
  await remember(db, 'before')
  owner.kill('SIGSTOP')
  return db
}

/** Stores a text under an id of the same name. */
function remember(db: Agidb, id: string): Promise<string> {
  return db.observe(id, { id })
}

/** How often each text is there. */
async function counts(db: Agidb): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for await (const page of db.episodes()) for (const { text } of page) found[text] = (found[text] ?? 0) + 1
  return found
}

/** A test that stops the owner by a signal, which Windows does not have. */
const stopping = test.skipIf(process.platform === 'win32')

stopping(
  'calls of an owner that is stopped are refused in time, and each is done once when it goes on',
  async () => {
    const db = await memberOfStopped()

    const calls = ['a', 'b', 'c'].map((id) => remember(db, id))
    const newcomer = Agidb.open({ path: folder, ...OPTIONS })
    for (const refused of await Promise.allSettled([...calls, newcomer]))
      expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'AGIDB_IN_USE' } })
    await expect(calls[0]).rejects.toMatchObject({ details: { silentMs: 10_000, mayBeDone: true } })
    // Further calls are refused as long as the owner is stopped.
    await expect(remember(db, 'd')).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })

    owner.kill('SIGCONT')
    await remember(db, 'after')
    const once = { before: 1, a: 1, b: 1, c: 1, d: 1, after: 1 }
    await expect.poll(() => counts(db), POLL).toEqual(once)
    // A call that was refused is not done twice when it is sent again with its id.
    for (const id of ['a', 'd']) await expect(remember(db, id)).rejects.toMatchObject({ code: 'AGIDB_DUPLICATE_ID' })
    expect(await counts(db)).toEqual(once)
    expect(await counts(await member())).toEqual(once)
  },
  120_000,
)

stopping(
  'a call that waits for an owner that goes on within ten seconds is answered, and done once',
  async () => {
    const db = await memberOfStopped()
    const waiting = remember(db, 'a')
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    owner.kill('SIGCONT')
    await waiting
    expect(await counts(db)).toEqual({ before: 1, a: 1 })
  },
  120_000,
)

stopping(
  'when a stopped owner is killed another process takes over, and what was refused can be asked again',
  async () => {
    const db = await memberOfStopped()
    await expect(remember(db, 'a')).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    owner.kill('SIGKILL')
    await remember(db, 'a')
    expect(await counts(db)).toEqual({ before: 1, a: 1 })
  },
  120_000,
)
