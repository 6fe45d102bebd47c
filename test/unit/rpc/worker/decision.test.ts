import { expect, test } from 'vitest'
import type { OpenOptions } from '../../../../src/api/open-options.js'
import { Agidb } from '../../../../src/runtimes/browser/index.js'
import { encodeOpenOptions } from '../../../../src/rpc/codec/open-options.js'
import { connect } from '../../../../src/rpc/worker/connect.js'
import { thread } from './thread.js'

const opened = (options: OpenOptions) => connect(thread().thread, encodeOpenOptions(options))

async function asked(decideRevision: unknown) {
  const db = await opened({ decideRevision } as OpenOptions)
  const belief = await db.assertBelief({ claim: 'Sarah lives in Lisbon', confidence: 0.6 })
  return { db, belief, episode: await db.observe('She has left Portugal.', { speaker: 'Bob' }) }
}

test("the page's function decides for an engine in another thread", async () => {
  const calls: unknown[] = []
  const { db, belief, episode } = await asked(async (belief: unknown, episode: unknown) => {
    calls.push([belief, episode])
    return { verdict: 'contradicts', reason: 'Lisbon is in Portugal', more: 'is left out' }
  })
  const before = await db.getBelief(belief)
  expect(await db.reviseBelief(belief, episode)).toMatchObject({
    contradicted: true,
    revision: { verdict: 'contradicts', reason: 'Lisbon is in Portugal' },
  })
  expect(calls).toEqual([[before, await db.getEpisode(episode)]])
  await db.close()
})

test.each<[string, unknown, object]>([
  [
    'throws',
    () => {
      throw new Error('no network')
    },
    { code: 'AGIDB_DECISION', message: expect.stringContaining('no network') as string },
  ],
  [
    'rejects',
    () => Promise.reject(new RangeError('too long')),
    { code: 'AGIDB_DECISION', message: expect.stringContaining('too long') as string },
  ],
  [
    'answers what cannot cross',
    () => ({ verdict: 'supports', reason: 'so', ask: () => {} }),
    { code: 'AGIDB_DECISION' },
  ],
  ['answers nothing', () => undefined, { code: 'AGIDB_INVALID_ARGUMENT' }],
  ['answers another verdict', () => ({ verdict: 'yes', reason: 'so' }), { code: 'AGIDB_INVALID_ARGUMENT' }],
])('one that %s refuses the revision', async (_, decide, error) => {
  const { db, belief, episode } = await asked(decide)
  await expect(db.reviseBelief(belief, episode)).rejects.toMatchObject({ name: 'AgidbError', ...error })
  expect(await db.beliefHistory(belief)).toHaveLength(1)
  await db.close()
})

test('what is no function is refused', async () => {
  await expect(Agidb.open({ storage: 'memory', decideRevision: 'gpt' } as never)).rejects.toMatchObject({
    code: 'AGIDB_INVALID_ARGUMENT',
  })
  expect(() => encodeOpenOptions({ decideRevision: null } as never)).toThrow('decideRevision must be a function')
})

test('plain options of the floors cross as they are', async () => {
  const db = await opened({ sourceTrust: { chat: 0.9 } })
  const belief = await db.assertBelief({ claim: 'Sarah lives in Lisbon', confidence: 0.5 })
  const { after } = await db.reviseBelief(belief, await db.observe('Sarah lives in Lisbon.', { source: 'chat' }))
  expect(after).toBeCloseTo(0.9, 12)
  await db.close()
  await expect(opened({ sourceTrust: { chat: 2 } })).rejects.toMatchObject({
    code: 'AGIDB_INVALID_ARGUMENT',
    message: expect.stringContaining('chat') as string,
  })
  // Known by name to the page, which refuses others before it starts a worker.
  const started = {
    worker: () => {
      throw new Error('started')
    },
  }
  for (const option of [{ sourceTrust: {} }, { surpriseThreshold: 0.5 }, { surpriseProfile: undefined }]) {
    await expect(Agidb.open({ storage: 'memory', ...started, ...option })).rejects.toMatchObject({
      code: 'AGIDB_WORKER',
    })
  }
})
