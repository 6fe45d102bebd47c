import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Agidb, type NodeOptions } from '../../../../src/runtimes/node/index.js'

const DAY = 86_400_000
const START = Date.parse('2026-05-01T12:00:00Z')

let folder: string
let now: number
const opened: Awaited<ReturnType<typeof Agidb.open>>[] = []

async function open(options: object = {}, place: object = { path: folder }) {
  const db = await Agidb.open({
    extract: 'none',
    codebook: 'none',
    clock: () => now,
    ...place,
    ...options,
  } as NodeOptions)
  opened.push(db)
  return db
}

/** Waits until so many unlearnings were done. */
async function settled(db: Awaited<ReturnType<typeof open>>, unlearnings: number): Promise<void> {
  await expect.poll(async () => (await db.unlearnHistory(START)).length, { timeout: 10_000 }).toBe(unlearnings)
}

beforeEach(async () => {
  now = START
  folder = await mkdtemp(join(tmpdir(), 'agidb-retention-'))
})
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close()
  await rm(folder, { recursive: true, force: true })
})

describe('expiresAt', () => {
  test('a recall does not show what has expired, and the next write forgets it with the reason', async () => {
    const db = await open()
    await db.observe('The code of the door is 4711.', { id: 'code', expiresAt: new Date(START + DAY) })
    await db.observe('The door is green.', { id: 'door' })
    const found = async () => (await db.recall('door')).matches.map(({ id }) => id).sort()
    expect(await found()).toEqual(['code', 'door'])
    now = START + DAY
    expect(await found()).toEqual(['door'])
    await db.observe('The window is blue.', { id: 'window' })
    await settled(db, 1)
    expect(await db.getEpisode('code')).toBeUndefined()
    expect(await db.unlearnHistory(START)).toMatchObject([{ reason: 'expired', episodesRemoved: 1, target: 'episode' }])
  })

  test('nothing shows what has expired, before it is forgotten too', async () => {
    const db = await open()
    await db.observe('The code of the door is 4711.', { id: 'code', tags: ['a'], expiresAt: new Date(START + DAY) })
    await db.observe('The door is green.', { id: 'door', tags: ['a'] })
    const shown = async (filter?: { tags: string }) => {
      const ids: string[] = []
      for await (const page of db.episodes({ filter, limit: 1 })) ids.push(...page.map(({ id }) => id))
      return { ids, count: await db.count(filter), code: (await db.getEpisode('code'))?.id }
    }
    expect(await shown()).toEqual({ ids: ['code', 'door'], count: 2, code: 'code' })
    now = START + DAY
    // Nothing was written since, so nothing was forgotten yet.
    expect(await db.unlearnHistory(START)).toEqual([])
    for (const filter of [undefined, { tags: 'a' }])
      expect(await shown(filter)).toEqual({ ids: ['door'], count: 1, code: undefined })
  })

  test('what expired while the memory was closed is forgotten when it is opened, and can be restored', async () => {
    const db = await open()
    await db.observe('The code of the door is 4711.', { id: 'code', expiresAt: new Date(START + DAY) })
    await db.close()
    now = START + 2 * DAY
    const again = await open()
    await settled(again, 1)
    const [{ auditId }] = await again.unlearnHistory(START)
    expect(await again.restoreWithinWindow(auditId)).toMatchObject({ episodesRestored: 1 })
  })

  test('an update that moves the time keeps the episode', async () => {
    const db = await open()
    await db.observe('The code of the door is 4711.', { id: 'code', expiresAt: new Date(START + DAY) })
    await db.update('code', { expiresAt: new Date(START + 9 * DAY) })
    now = START + 2 * DAY
    await db.observe('The window is blue.', { id: 'window' })
    expect((await db.recall('door')).matches.map(({ id }) => id)).toContain('code')
    expect(await db.unlearnHistory(START)).toEqual([])
  })

  test('what is changed while a first thousand is forgotten is judged by what it says then', async () => {
    const db = await open()
    const expiresAt = new Date(START + DAY)
    const texts = Array.from({ length: 1_200 }, (_, i) => ({ text: `Code ${i}.`, id: `code-${i}`, expiresAt }))
    await db.observeMany(texts)
    const changes: Promise<unknown>[] = []
    db.subscribe(({ kind }) => {
      if (kind !== 'unlearned' || changes.length > 0) return
      changes.push(db.update('code-1100', { expiresAt: null }), db.remove('code-1101'))
    })
    now = START + DAY
    await db.observe('The window is blue.', { id: 'window' })
    await settled(db, 3)
    await Promise.all(changes)
    expect(changes).toHaveLength(2)
    expect(await db.getEpisode('code-1100')).toBeDefined()
    expect(await db.count()).toBe(2)
    const counts = (await db.unlearnHistory(START)).map(({ episodesRemoved }) => episodesRemoved)
    expect(counts).toEqual([1_000, 1, 198])
  })
})

describe('the option retention', () => {
  const retention = [
    { filter: { source: 'sensor' }, days: 7 },
    { filter: { tags: 'draft' }, days: 1 },
  ]

  test('forgets what a rule keeps for some days after it was recorded, and leaves the rest', async () => {
    const db = await open({ retention })
    // Long ago in valid time, recorded now.
    await db.observe('It was 20 degrees.', { id: 'sensor', source: 'sensor', at: '2020-01-01' })
    await db.observe('Perhaps we meet on Monday.', { id: 'draft', tags: ['draft'] })
    await db.observe('We meet on Tuesday.', { id: 'meeting', source: 'chat' })
    now = START + 1 * DAY
    await db.observe('It is 21 degrees.', { id: 'later', source: 'sensor' })
    await settled(db, 1)
    expect(await db.getEpisode('draft')).toBeUndefined()
    now = START + 7 * DAY
    await db.observe('Hello.', { id: 'hello' })
    await settled(db, 2)
    expect(await db.getEpisode('sensor')).toBeUndefined()
    expect(await db.getEpisode('later')).toBeDefined()
    const reasons = (await db.unlearnHistory(START)).map(({ reason }) => reason)
    expect(reasons).toEqual(['kept for 1 day', 'kept for 7 days'])
  })

  test('with tombstoneDays 0 the rows are erased at once', async () => {
    const db = await open({ retention, tombstoneDays: 0 })
    await db.observe('It was 20 degrees.', { id: 'sensor', source: 'sensor' })
    await db.close()
    now = START + 8 * DAY
    const again = await open({ retention, tombstoneDays: 0 })
    await settled(again, 1)
    const [{ auditId, state }] = await again.unlearnHistory(START)
    expect(state).toBe('expired')
    await expect(again.restoreWithinWindow(auditId)).rejects.toMatchObject({ code: 'AGIDB_RESTORE_EXPIRED' })
  })

  test('a memory that is read only forgets nothing', async () => {
    const db = await open()
    await db.observe('It was 20 degrees.', { id: 'sensor', source: 'sensor' })
    await db.close()
    now = START + 8 * DAY
    const reader = await open({ retention, readOnly: true })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await reader.stats()).episodes).toBe(1)
  })

  test.each([
    ['no array', { filter: {}, days: 1 }, 'retention must be an array'],
    ['a rule without days', [{ filter: {} }], 'retention[0].days'],
    ['days below 0', [{ filter: {}, days: -1 }], 'retention[0].days'],
    ['an unknown part', [{ filter: {}, days: 1, hours: 2 }], 'retention[0]'],
    ['a rule without a filter', [{ days: 1 }], 'retention[0].filter'],
    ['a wrong filter', [{ filter: { speaker: 7 }, days: 1 }], 'retention[0].filter.speaker'],
  ])('%s is refused before anything is opened', async (_, wrong, message) => {
    await expect(open({ retention: wrong })).rejects.toMatchObject({
      name: 'AgidbError',
      message: expect.stringContaining(message) as string,
    })
  })
})
