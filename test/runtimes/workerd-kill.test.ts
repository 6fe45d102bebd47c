import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callObject, startWorkerd, workerdProcesses } from './workerd.js'

const ENTRY = fileURLToPath(new URL('durable-object.ts', import.meta.url))
const KILLS = 3
/** Commits that are acknowledged before each kill, at least. */
const BEFORE = 15
const BATCH = 10

let folder: string
let workerd: Miniflare

const start = () => startWorkerd(ENTRY, { MEMORY: 'Memory', DIARY: 'Diary', CONTRACT: 'Contract' }, folder)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agidb-killed-'))
  workerd = await start()
})
afterAll(async () => {
  await workerd.dispose()
  await rm(folder, { recursive: true, force: true })
})

const call = (method: string, ...args: unknown[]) => callObject(workerd, 'ann', method, args)

test('what was acknowledged is there after workerd was killed, and each commit as a whole or not at all', async () => {
  let stored = 0
  for (let round = 0; round < KILLS; round++) {
    const acknowledged: string[][] = []
    const writing = (async () => {
      for (;;) {
        const ids = Array.from({ length: BATCH }, (_, i) => `parcel-${round}-${acknowledged.length}-${i}`)
        try {
          await call(
            'observeMany',
            ids.map((id) => ({ id, text: `The ${id} was sent.` })),
          )
        } catch {
          return // workerd was killed
        }
        acknowledged.push(ids)
      }
    })()
    await expect.poll(() => acknowledged.length, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(BEFORE)
    const [{ id }] = await workerdProcesses()
    process.kill(id, 'SIGKILL')
    await writing
    await workerd.dispose()
    workerd = await start()
    const count = Number(await call('count'))
    // The commit that was under way may be there, too.
    expect([0, BATCH]).toContain(count - stored - BATCH * acknowledged.length)
    stored = count
    for (const id of acknowledged.flat()) expect(await call('getEpisode', id)).toMatchObject({ id })
  }
})
