import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storageContract } from 'agidb/storage-contract'
import { callObject, startWorkerd } from './workerd.js'

const ENTRY = fileURLToPath(new URL('durable-object.ts', import.meta.url))
const CASES = storageContract({ durable: true, parts: ['signatures', 'checkpoint'] }, () => Promise.reject(new Error()))

let folder: string
let workerd: Miniflare

const start = () => startWorkerd(ENTRY, { MEMORY: 'Memory', DIARY: 'Diary', CONTRACT: 'Contract' }, folder, ['BACKUPS'])

const call = (user: string, method: string, ...args: unknown[]) => callObject(workerd, user, method, args)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agidb-objects-'))
  workerd = await start()
})
afterAll(async () => {
  await workerd.dispose()
  await rm(folder, { recursive: true, force: true })
})

describe('the storage contract in a Durable Object', () => {
  test.each(CASES.map(({ name }) => name))('%s', async (name) => {
    const response = await workerd.dispatchFetch(`http://localhost/contract?case=${encodeURIComponent(name)}`)
    expect(await response.text()).toBe('passed')
  })
})

describe('a memory in a Durable Object', () => {
  const text = 'Sarah recommended Bawri, a thai place in Bandra.'

  test('remembers for one user, after the process was ended as well', async () => {
    const id = await call('ann', 'observe', text, { speaker: 'Sarah', session: 's1' })
    const before = await call('ann', 'recall', 'which thai place was recommended?')
    expect(before).toMatchObject({ matches: [{ id, text, speaker: 'Sarah' }] })
    expect(await call('bob', 'recall', 'thai place')).toMatchObject({ matches: [] })
    await workerd.dispose()
    workerd = await start()
    expect(withoutTimes(await call('ann', 'recall', 'which thai place was recommended?'))).toEqual(withoutTimes(before))
    const storage = 'the SQLite database of a Durable Object'
    expect(await call('ann', 'stats')).toMatchObject({ episodes: 1, kernel: 'wasm-simd', storage })
  })

  test('answers for members, and says what was wrong with a code', async () => {
    await call('ann', 'entries.ingest', '# Team\n\n## Dinner\n\nBawri seats ten people.\n', { source: 'team.md' })
    expect(await call('ann', 'entries.search', 'how many people does the restaurant seat?')).toMatchObject({
      0: { entry: { path: 'Team > Dinner' } },
    })
    const message = 'text is empty; expected some text'
    await expect(call('ann', 'observe', '')).rejects.toEqual({ code: 'AGIDB_INVALID_TEXT', message })
    for (const own of ['close', 'options', 'open', 'constructor', 'ctx'])
      await expect(call('ann', own), own).rejects.toMatchObject({ message: expect.stringContaining(own) })
  })

  test('an alarm consolidates what it was told', async () => {
    const triples = [{ subject: 'Bawri', predicate: 'is', object: 'a thai restaurant' }]
    for (const session of ['s1', 's2', 's3']) await call('dora', 'observe', `In ${session}.`, { session, triples })
    await expect.poll(() => call('dora', 'stats'), { timeout: 10_000 }).toMatchObject({ atoms: 1 })
  })

  test('the index of many episodes is stored, and followed from there', async () => {
    const items = Array.from({ length: 200 }, (_, i) => ({ text: `Note ${i}: the rent of flat ${i * 7} is due.` }))
    await call('emil', 'observeMany', items)
    await expect.poll(() => call('emil', 'stats'), { timeout: 10_000 }).toMatchObject({ episodes: 200 })
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await call('emil', 'observe', 'The cat of flat 21 is called Rex.')
    const before = await call('emil', 'recall', 'who is the cat of flat 21?')
    await workerd.dispose()
    workerd = await start()
    expect(withoutTimes(await call('emil', 'recall', 'who is the cat of flat 21?'))).toEqual(withoutTimes(before))
  })

  test('goes to an R2 bucket in parts, and comes back in another object', async () => {
    const items = Array.from({ length: 2_500 }, (_, i) => ({ text: `Note ${i}: the rent of flat ${i * 7} is due.` }))
    await call('gina', 'observeMany', items)
    expect(await call('gina', 'backUp', 'gina')).toBeGreaterThan(5 * 2 ** 20)
    expect(await call('hugo', 'comeBack', 'gina')).toMatchObject({ episodes: 2_500 })
    const [of, again] = await Promise.all(['gina', 'hugo'].map((user) => call(user, 'recall', 'the rent of flat 7007')))
    expect(withoutTimes(again)).toEqual(withoutTimes(of))
    await expect(call('hugo', 'comeBack', 'gina')).rejects.toMatchObject({
      message: expect.stringContaining('AGIDB_NOT_EMPTY'),
    })
  })

  test('is not changed by a bucket that has no such object, nor the bucket by an export that fails', async () => {
    const code = (expected: string) => ({ message: expect.stringContaining(expected) })
    await call('ida', 'observe', text)
    await expect(call('ida', 'comeBack', 'nothing', { replace: true })).rejects.toMatchObject(code('AGIDB_NOT_FOUND'))
    await expect(call('ida', 'backUp', 'ida', { format: 'xml' })).rejects.toMatchObject(code('AGIDB_INVALID_ARGUMENT'))
    expect(await call('ida', 'hasBackUp', 'ida')).toBe(false)
    expect(await call('ida', 'backUp', 'ida', { passphrase: 'open sesame' })).toBeGreaterThan(0)
    const wrong = { replace: true, passphrase: 'open barley' }
    await expect(call('ida', 'comeBack', 'ida', wrong)).rejects.toMatchObject(code('AGIDB_PASSPHRASE'))
    expect(await call('ida', 'recall', 'thai place')).toMatchObject({ matches: [{ text }] })
  })

  test('what is unlearned is gone after the object was evicted', async () => {
    const id = await call('cleo', 'observe', 'My door code is 4711.')
    await call('cleo', 'observe', 'The garden has roses.')
    await call('cleo', 'unlearn', { episode: id }, 'asked to')
    await workerd.dispose()
    workerd = await start()
    expect(await call('cleo', 'recall', 'door code 4711')).not.toMatchObject({ matches: [{ id }] })
    expect(await call('cleo', 'count')).toBe(1)
  })
})

describe('a memory in a Durable Object, as time passes', () => {
  /** Longer than workerd keeps an object that has nothing to do. */
  const IDLE_MS = 12_000

  test('forgets and erases what expires, with no call but those that made it', async () => {
    await call('diary of ann', 'observe', 'The garden has roses.')
    await call('diary of ann', 'observe', 'The code is 4711.', { expiresAt: new Date(Date.now() + 4_000) })
    expect(await call('diary of ann', 'holds', 'code is 4711')).toBe(true)
    await expect.poll(() => call('diary of ann', 'holds', 'code is 4711')).toBe(false)
    expect(await call('diary of ann', 'unlearnHistory', 0)).toMatchObject([{ reason: 'expired', state: 'expired' }])
    expect(await call('diary of ann', 'holds', 'roses')).toBe(true)
  })

  test('has no alarm any more when nothing is to be forgotten', async () => {
    await call('diary of bea', 'observe', 'The garden has roses.')
    const alarms = async () => ((await call('diary of bea', 'life')) as { alarms: number }).alarms
    await expect.poll(alarms).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(await alarms()).toBe(1)
  })

  test('an alarm follows on what a method of the application wrote', async () => {
    await call('diary of bob', 'note', 'The garden has roses.')
    await expect.poll(() => call('diary of bob', 'life')).toMatchObject({ alarms: 1 })
  })

  test('erases what expires in a scope, also after the process was ended, and nobody opens the scope', async () => {
    const soon = { expiresAt: new Date(Date.now() + 4_000) }
    await call('diary of dora', 'noteIn', 'ann', 'The code of Ann is 4711.', soon, true)
    await call('diary of dora', 'noteIn', 'bob', 'The code of Bob is 4712.', soon)
    await call('diary of dora', 'noteIn', 'ann', 'The garden has roses.')
    const held = async () =>
      Promise.all(['Ann is 4711', 'Bob is 4712', 'roses'].map((text) => call('diary of dora', 'holds', text)))
    expect(await held()).toEqual([true, true, true])
    const alarms = async () => ((await call('diary of dora', 'life')) as { alarms: number }).alarms
    await expect.poll(alarms).toBeGreaterThan(0)
    await workerd.dispose()
    workerd = await start()
    // workerd by itself knows no alarms of before it was started: the memory of the object is opened, no scope.
    await call('diary of dora', 'count')
    await expect.poll(held).toEqual([false, false, true])
    expect(await call('diary of dora', 'recallIn', 'ann', 'roses')).toEqual(['The garden has roses.'])
  })

  test('erases what expires in a scope that is in use, and goes on with it', async () => {
    const soon = { expiresAt: new Date(Date.now() + 2_000) }
    await call('diary of emil', 'noteIn', 'ann', 'The code is 4711.', soon)
    let isHeld = true
    for (let i = 0; isHeld && i < 500; i++) {
      await call('diary of emil', 'noteIn', 'ann', `The garden has ${i} roses.`, {}, i % 3 === 0)
      isHeld = Boolean(await call('diary of emil', 'holds', 'code is 4711'))
    }
    expect(isHeld).toBe(false)
    expect(await call('diary of emil', 'recallIn', 'ann', 'the garden has 2 roses')).toContain(
      'The garden has 2 roses.',
    )
  })

  test('consolidates a scope, and has no alarm when nothing more is to be done', async () => {
    const triples = [{ subject: 'Bawri', predicate: 'is', object: 'a thai restaurant' }]
    for (const session of ['s1', 's2', 's3'])
      await call('diary of fred', 'noteIn', 'ann', `In ${session}.`, { session, triples })
    await expect.poll(() => call('diary of fred', 'atomsIn', 'ann')).toBe(1)
    const alarms = async () => ((await call('diary of fred', 'life')) as { alarms: number }).alarms
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const before = await alarms()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(await alarms()).toBe(before)
  })

  test('is evicted when it is idle, also after it was written to', async () => {
    await call('diary of cleo', 'observe', 'The garden has roses.')
    const constructed = async () => {
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
      return ((await call('diary of cleo', 'life')) as { constructed: number }).constructed
    }
    await expect.poll(constructed, { timeout: 50_000 }).toBeGreaterThan(1)
  })
})

/** An answer without what is different each time: its own id and how long it took. */
function withoutTimes(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => (key === 'id' || key === 'elapsedMs' ? undefined : value)),
  )
}
