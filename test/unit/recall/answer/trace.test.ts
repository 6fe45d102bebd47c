import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AttentionTrace, RecallOptions } from '../../../../src/api/recall.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { NOW, openMemory } from '../../engine/open.js'

const TEXTS = [
  'The pump is broken.',
  'the pump is broken',
  'The pump was bought in May.',
  'Bread needs salt.',
  'Ann repairs pumps.',
]

let db: Engine
beforeEach(async () => {
  db = await openMemory({ limits: { traces: 3 } })
  await db.observeMany(TEXTS.map((text, i) => ({ id: String(i), text, at: NOW - i })))
})
afterEach(() => db.close())

const traced = (cue: string, options: RecallOptions = {}) => db.recall(cue, { ...options, traceAttention: true })
const reasons = ({ candidates }: AttentionTrace) =>
  Object.fromEntries(candidates.map(({ id, rejection }) => [id, rejection]))

test('lists everything that was considered, once, each with its reason', async () => {
  const { matches, attentionTrace } = await traced('which pump is broken?', { k: 2 })
  expect(matches.map(({ id }) => id)).toEqual(['0', '2'])
  expect(reasons(attentionTrace!)).toEqual({
    0: undefined,
    1: 'near-duplicate of a better match',
    2: undefined,
    3: 'below the best 2',
    4: 'below the best 2',
  })
  expect(attentionTrace!.candidates).toHaveLength(TEXTS.length)
  expect(attentionTrace!.candidates.find(({ id }) => id === '1')).toMatchObject({ retained: false, foldedInto: '0' })
  for (const { id, retained, signals, score, confidence } of attentionTrace!.candidates) {
    const match = matches.find((match) => match.id === id)
    expect(retained).toBe(match !== undefined)
    if (match !== undefined) expect([signals, confidence]).toEqual([match.signals, match.confidence])
    expect(Object.values(signals).reduce((sum, value) => sum + value, 0)).toBeCloseTo(score, 12)
    expect(confidence).toBeGreaterThan(0)
    expect(confidence).toBeLessThanOrEqual(1)
  }
})

test('is found by the id of its recall, which every recall has and none shares', async () => {
  const { id, attentionTrace } = await traced('pump')
  expect(id).toMatch(/^rc_[0-9A-Za-z]{26}$/)
  expect(await db.attentionTrace(id)).toEqual(attentionTrace)
  const plain = await db.recall('pump')
  expect(plain.id).not.toBe(id)
  expect(await db.attentionTrace(plain.id)).toBeUndefined()
  expect(await db.attentionTrace('rc_unknown')).toBeUndefined()
})

test('is a copy: who changes the answer changes nothing', async () => {
  const { id, attentionTrace } = await traced('pump')
  const before = structuredClone(attentionTrace!)
  ;(attentionTrace!.candidates as unknown[]).length = 0
  const later = await db.attentionTrace(id)
  expect(later).toEqual(before)
  ;(later!.candidates as unknown[]).length = 0
  expect(await db.attentionTrace(id)).toEqual(before)
})

test('is kept for the last limits.traces, of which recalls without a trace are none', async () => {
  const all = []
  for (const cue of ['pump', 'bread', 'Ann', 'salt']) {
    all.push((await traced(cue)).id)
    await db.recall(cue)
  }
  const found = await Promise.all(all.map((id) => db.attentionTrace(id)))
  expect(found.map((trace) => trace?.cue)).toEqual([undefined, 'bread', 'Ann', 'salt'])
})

test('is kept for the last 64 by default', async () => {
  const usual = await openMemory()
  await usual.observe('The pump is broken.')
  const all = []
  for (let i = 0; i < 65; i++) all.push((await usual.recall(`pump ${i}`, { traceAttention: true })).id)
  expect(await usual.attentionTrace(all[0])).toBeUndefined()
  expect((await usual.attentionTrace(all[1]))?.cue).toBe('pump 1')
  expect((await usual.attentionTrace(all[64]))?.cue).toBe('pump 64')
  await usual.close()
})

test('loses what is forgotten, and keeps the rest', async () => {
  const { id, attentionTrace } = await traced('which pump is broken?')
  const other = attentionTrace!.candidates.find(({ retained }) => !retained)!.id
  await db.remove(other)
  const after = (await db.attentionTrace(id))!
  expect(after.candidates.map((candidate) => candidate.id)).toEqual(
    attentionTrace!.candidates.map((candidate) => candidate.id).filter((id) => id !== other),
  )
  expect(JSON.stringify(after)).not.toContain(`"${other}"`)
  expect(after).toMatchObject({ cue: 'which pump is broken?', at: new Date(NOW).toISOString() })
})

test('is gone while what it answered with is forgotten, and back with it', async () => {
  const { id, attentionTrace } = await traced('which pump is broken?')
  const { auditId } = await db.remove('0')
  expect(await db.attentionTrace(id)).toBeUndefined()
  await db.restoreWithinWindow(auditId!)
  expect(await db.attentionTrace(id)).toEqual(attentionTrace)
})

test('has nothing of what is forgotten while the answer is on its way', async () => {
  const asked = traced('which pump is broken?')
  await db.remove('0')
  expect(JSON.stringify((await db.attentionTrace((await asked).id)) ?? {})).not.toContain('"0"')
})
