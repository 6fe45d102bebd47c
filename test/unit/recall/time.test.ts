import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Observation } from '../../../src/api/episode.js'
import type { Recall } from '../../../src/api/recall.js'
import type { Engine } from '../../../src/engine/engine.js'
import { NOW, openMemory } from '../engine/open.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const at = (iso: string) => Date.parse(`${iso}Z`)
const ids = ({ matches }: Recall) => matches.map(({ id }) => id)
const time = ({ matches }: Recall, id: string) => matches.find((match) => match.id === id)!.signals.time

// Now is Friday, 15 January 2027, 8:00.
const DIARY: Observation[] = [
  { id: 'may 2023', text: 'Ann planted beans in the garden.', at: at('2023-05-20T10:00') },
  { id: 'june 2023', text: 'Ann planted roses in the garden.', at: at('2023-06-20T10:00') },
  { id: 'may 2024', text: 'Ann planted lilies in the garden.', at: at('2024-05-20T10:00') },
  { id: 'launch', text: 'The launch went well, everybody cheered.', at: at('2026-03-10T09:00') },
  { id: 'two days on', text: 'The pump was replaced by the crew.', at: at('2026-03-12T11:00') },
  { id: 'a month on', text: 'The pump was replaced by the crew again.', at: at('2026-04-12T11:00') },
  { id: 'fair', text: 'I saw her last Friday at the fair.', at: at('2026-09-16T12:00') },
  { id: 'market', text: 'I saw her at the market.', at: at('2026-11-16T12:00') },
  { id: 'last week', text: 'Tom cooked lentils for dinner.', at: at('2027-01-06T19:00') },
  { id: 'this week', text: 'Tom cooked noodles for dinner.', at: at('2027-01-12T19:00') },
  { id: 'yesterday', text: 'Tom cooked pancakes for dinner.', at: at('2027-01-14T19:00') },
  { id: 'yesterday late', text: 'The heating is out of order.', at: at('2027-01-14T21:00') },
  { id: 'today', text: 'Tom cooked porridge for dinner.', at: NOW - HOUR },
]

let db: Engine
beforeEach(async () => {
  db = await openMemory()
  await db.observeMany(DIARY)
})
afterEach(() => db.close())

describe('what was said at the time asked about comes first', () => {
  test.each([
    ['what did Tom cook yesterday?', 'yesterday'],
    ['what did Tom cook last week?', 'last week'],
    ['what did Tom cook on Tuesday?', 'this week'],
    ['what did Ann plant in May 2023?', 'may 2023'],
    ['what did Ann plant in June 2023?', 'june 2023'],
    ['what did Ann plant before June 2023?', 'may 2023'],
    ['what did Ann plant after 2023?', 'may 2024'],
    ['what has Ann planted since March 2024?', 'may 2024'],
    ['was hat Tom gestern gekocht?', 'yesterday'],
    ['was hat Tom letzte Woche gekocht?', 'last week'],
    ['¿qué cocinó Tom ayer?', 'yesterday'],
    ['¿qué plantó Ann en mayo de 2024?', 'may 2024'],
  ])('%s → %s', async (cue, id) => {
    const answer = await db.recall(cue, { k: 20 })
    expect(answer.matches[0].id).toBe(id)
    expect(time(answer, id)).toBeGreaterThan(0)
  })

  test('the signal is part of the score and leaves out what is of another time', async () => {
    const { matches, attentionTrace } = await db.recall('what did Ann plant in May 2023?', {
      k: 20,
      traceAttention: true,
    })
    expect(matches.filter(({ signals }) => signals.time !== undefined).map(({ id }) => id)).toEqual(['may 2023'])
    expect(attentionTrace?.time).toEqual({
      from: '2023-05-01T00:00:00.000Z',
      to: '2023-06-01T00:00:00.000Z',
      only: false,
    })
    const [best] = attentionTrace!.candidates
    expect(Object.values(best.signals).reduce((sum, value) => sum + value, 0)).toBeCloseTo(best.score, 9)
  })

  test('a cue without a time has no signal of time, nor has one that the memory cannot place', async () => {
    for (const cue of [
      'what did Tom cook?',
      'what may Ann plant?',
      'what happened two days after the wedding?',
      'who replaced the pump after launch?',
      '…',
    ]) {
      const { matches, attentionTrace } = await db.recall(cue, { k: 20, traceAttention: true })
      expect(matches).toHaveLength(DIARY.length)
      for (const { signals } of matches) expect(signals.time).toBeUndefined()
      expect(attentionTrace).not.toHaveProperty('time')
    }
  })

  test('a time of which nothing is known changes nothing', async () => {
    const plain = await db.recall('what did Tom cook in 1998?', { k: 20 })
    expect(plain.matches).toHaveLength(DIARY.length)
    for (const { signals } of plain.matches) expect(signals.time).toBeUndefined()
  })

  test('an open side is left out of the trace', async () => {
    const { attentionTrace } = await db.recall('what did Ann plant since March 2024?', { traceAttention: true })
    expect(attentionTrace?.time).toEqual({ from: '2024-03-01T00:00:00.000Z', only: false })
  })
})

describe('a time that the text names', () => {
  test('counts from when it was said', async () => {
    // The Friday before Wednesday, 16 September.
    const answer = await db.recall('whom did I see on 11 September 2026?', { k: 20 })
    expect(answer.matches[0].id).toBe('fair')
    expect(time(answer, 'market')).toBeUndefined()
    expect(time(await db.recall('whom did I see on 8 January 2027?', { k: 20 }), 'fair')).toBeUndefined()
  })

  test('counts by how much of it lies in the time asked about', async () => {
    await db.observe('In 2021 we lived in Graz.', { id: 'year', at: at('2022-02-01T00:00') })
    const whole = time(await db.recall('where did we live in 2021?', { k: 20 }), 'year')
    const month = time(await db.recall('where did we live in June 2021?', { k: 20 }), 'year')
    expect(month! / whole!).toBeCloseTo(30 / 365, 9)
  })

  test('is gone with its episode', async () => {
    await db.recall('whom did I see on 11 September 2026?')
    await db.remove('fair')
    expect(ids(await db.recall('whom did I see on 11 September 2026?', { k: 20 }))).not.toContain('fair')
  })

  test('is the same asked again, and asked of another who was asked other things before', async () => {
    const first = await db.recall('whom did I see on 11 September 2026?', { k: 20 })
    await db.recall('what happened in September 2026?')
    const again = await db.recall('whom did I see on 11 September 2026?', { k: 20 })
    expect(again.matches).toEqual(first.matches)
  })
})

describe('a time told by an event', () => {
  test('counts from when the event was remembered', async () => {
    const answer = await db.recall('what was replaced two days after launch?', { k: 20, traceAttention: true })
    expect(answer.matches[0].id).toBe('two days on')
    expect(time(answer, 'a month on')).toBeUndefined()
    // Half a day around the second day.
    expect(answer.attentionTrace?.time).toEqual({
      from: '2026-03-11T21:00:00.000Z',
      to: '2026-03-12T21:00:00.000Z',
      only: false,
      event: 'launch',
    })
  })

  test('or from the one time that its memory names', async () => {
    await db.observe('Our wedding is tomorrow.', { id: 'eve', at: at('2026-04-08T09:00') })
    const { attentionTrace } = await db.recall('what was replaced three days after the wedding?', {
      traceAttention: true,
    })
    expect(attentionTrace?.time).toMatchObject({ from: '2026-04-11T12:00:00.000Z', to: '2026-04-13T12:00:00.000Z' })
  })

  test('counts only if the memory knows that event, not another that shares a word', async () => {
    const { attentionTrace } = await db.recall('what was replaced two days after the book launch?', {
      traceAttention: true,
    })
    expect(attentionTrace).not.toHaveProperty('time')
  })

  test('is forgotten with the event, and so is the trace of a recall that answered with it', async () => {
    const cue = 'what was replaced two days after launch?'
    const { id } = await db.recall(cue, { traceAttention: true })
    expect((await db.attentionTrace(id))?.time).toMatchObject({ event: 'launch' })
    await db.remove('launch')
    expect(await db.attentionTrace(id)).toBeUndefined()
    expect((await db.recall(cue, { traceAttention: true })).attentionTrace).not.toHaveProperty('time')
  })

  test('counts only if the question may see the event', async () => {
    const { attentionTrace } = await db.recall('what was replaced two days after launch?', {
      traceAttention: true,
      validAsOf: at('2026-03-01T00:00'),
    })
    expect(attentionTrace).not.toHaveProperty('time')
  })
})

describe('a cue about a time alone', () => {
  test.each([
    ['what did we talk about yesterday?', ['yesterday', 'yesterday late']],
    ['what happened in May 2023?', ['may 2023']],
    ['worüber haben wir gestern gesprochen?', ['yesterday', 'yesterday late']],
    ['¿de qué hablamos ayer?', ['yesterday', 'yesterday late']],
  ])('is answered with that time: %s', async (cue, expected) => {
    const { matches, tierUsed, attentionTrace } = await db.recall(cue, { traceAttention: true })
    expect(matches.map(({ id }) => id).sort()).toEqual(expected)
    for (const { lowConfidence } of matches) expect(lowConfidence).toBe(false)
    expect(tierUsed).not.toBe('nearest')
    expect(attentionTrace?.time?.only).toBe(true)
    expect(attentionTrace?.candidates.map(({ id }) => id).sort()).toEqual(expected)
  })

  test('of which nothing is known is answered with what is near', async () => {
    const { matches, attentionTrace } = await db.recall('what did we talk about in 1998?', {
      traceAttention: true,
      k: 20,
    })
    expect(matches).toHaveLength(DIARY.length)
    expect(attentionTrace?.time?.only).toBe(false)
  })

  test('keeps to what the question may see', async () => {
    await db.observe('Nobody came.', { id: 'mine', session: 'mine', at: NOW - DAY })
    expect(ids(await db.recall('what did we talk about yesterday?', { session: 'mine' }))).toEqual(['mine'])
    expect(ids(await db.recall('what did we talk about yesterday?', { session: 'other' }))).toEqual([])
  })

  test('finds the newest of a time in which more was said than is looked at', async () => {
    const hours = Array.from(
      { length: 300 },
      (_, i): Observation => ({ id: `hour ${i}`, text: `Note ${i}.`, at: at('2020-02-01T00:00') + i * HOUR }),
    )
    // Not in the order in which they were remembered.
    await db.observeMany([...hours.slice(150), ...hours.slice(0, 150)])
    for (const k of [5, 180]) {
      const { matches } = await db.recall('what did we talk about in February 2020?', { k })
      expect(matches.map(({ id }) => id)).toEqual(Array.from({ length: k }, (_, i) => `hour ${299 - i}`))
    }
  })

  test('is as sure as not of each, and puts what the asker said first where it says "I"', async () => {
    await db.observe('The heating works.', { id: 'mine', speaker: 'Kim', at: at('2027-01-14T08:00') })
    const cue = 'what did I say yesterday?'
    const { matches } = await db.recall(cue, { asker: 'kim' })
    expect(matches.map(({ id }) => id)).toEqual(['mine', 'yesterday late', 'yesterday'])
    for (const { confidence } of matches) expect(confidence).toBeGreaterThanOrEqual(0.5)
    expect(ids(await db.recall(cue))).toEqual(['yesterday late', 'yesterday', 'mine'])
  })
})

test('the reference is the time that is asked about, if one is', async () => {
  const cue = 'what did Tom cook yesterday?'
  const { attentionTrace } = await db.recall(cue, { validAsOf: at('2027-01-13T12:00'), traceAttention: true })
  expect(attentionTrace?.time).toEqual({
    from: '2027-01-12T00:00:00.000Z',
    to: '2027-01-13T00:00:00.000Z',
    only: false,
  })
  expect(ids(await db.recall(cue, { validAsOf: at('2027-01-13T12:00') }))[0]).toBe('this week')
})

test('the time zone of the host does not matter', async () => {
  const zone = process.env.TZ
  const cues = [
    'what did Tom cook yesterday?',
    'what happened in May 2023?',
    'whom did I see on 11 September 2026?',
    'what was replaced two days after launch?',
  ]
  const ask = async () => {
    const fresh = await openMemory()
    await fresh.observeMany(DIARY)
    const answers = []
    for (const cue of cues) answers.push((await fresh.recall(cue, { k: 20 })).matches)
    await fresh.close()
    return answers
  }
  try {
    const [here, ...others] = await Promise.all([]).then(async () => {
      const all = []
      for (const name of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kathmandu']) {
        process.env.TZ = name
        all.push(await ask())
      }
      return all
    })
    for (const other of others) expect(other).toEqual(here)
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})

test('what is removed while the memory is asked is not ranked', async () => {
  const asked = db.recall('whom did I see on 11 September 2026?', { k: 20 })
  await db.remove('market')
  const { matches } = await asked
  expect(matches[0].id).toBe('fair')
  for (const { confidence } of matches) expect(Number.isFinite(confidence)).toBe(true)
})
