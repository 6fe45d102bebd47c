import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Observation } from '../../../src/api/episode.js'
import type { Recall } from '../../../src/api/recall.js'
import type { Engine } from '../../../src/engine/engine.js'
import { NOW, openMemory } from '../engine/open.js'

const DAY = 86_400_000
const TIERS = ['exact', 'similarity', 'gist', 'nearest']
const ids = ({ matches }: Recall) => matches.map(({ id }) => id)
/** An answer without what is its own each time: its id, and how long it took. */
const timeless = ({ id: _, elapsedMs: __, ...answer }: Recall) => answer

const TALK: Observation[] = [
  {
    id: 'bawri',
    text: 'Sarah recommended Bawri, a Thai place in Bandra.',
    speaker: 'Sarah',
    session: 'food',
    source: 'chat',
    at: NOW - 40 * DAY,
    triples: [{ subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }],
  },
  {
    id: 'pizza',
    text: 'Tom prefers the pizza at Luigi, thin and burnt.',
    speaker: 'Tom',
    session: 'food',
    source: 'chat',
    at: NOW - 39 * DAY,
    triples: [{ subject: 'Tom', predicate: 'prefers', object: 'pizza' }],
  },
  {
    id: 'visa',
    text: 'The visa for Japan takes three weeks.',
    speaker: 'Tom',
    session: 'trip',
    source: 'mail',
    at: NOW - 20 * DAY,
  },
  {
    id: 'kyoto',
    text: 'We fly to Kyoto in April to see the cherry trees.',
    speaker: 'Sarah',
    session: 'trip',
    source: 'mail',
    at: NOW - 19 * DAY,
    triples: [{ subject: 'Sarah', predicate: 'visits', object: 'Kyoto' }],
  },
  {
    id: 'hotel',
    text: 'The hotel near the station was full.',
    speaker: 'Ann',
    session: 'trip',
    source: 'chat',
    at: NOW - 18 * DAY,
  },
  {
    id: 'tax',
    text: 'Tax forms are due at the end of July.',
    speaker: 'Ann',
    session: 'work',
    source: 'mail',
    at: NOW - 5 * DAY,
    triples: [{ subject: 'Ann', predicate: 'files', object: 'tax forms' }],
  },
  {
    id: 'printer',
    text: 'The printer on the second floor is out of toner again.',
    speaker: 'Tom',
    session: 'work',
    at: NOW - 4 * DAY,
    triples: [
      { subject: 'Tom', predicate: 'repairs', object: 'printer' },
      { subject: 'Ann', predicate: 'uses', object: 'printer' },
    ],
  },
  { id: 'cat', text: 'My cat ate the orchid.', at: NOW - DAY },
]

let db: Engine
beforeEach(async () => {
  db = await openMemory()
  await db.observeMany(TALK)
})
afterEach(() => db.close())

describe('recall', () => {
  test.each([
    ['what Thai place was mentioned?', 'bawri'],
    ['how long does the Japanese visa take', 'visa'],
    ['when do we see cherry blossom in Kyoto?', 'kyoto'],
    ['which printer has no toner', 'printer'],
    ['who ate my orchid?', 'cat'],
    ['the hotell near the staton', 'hotel'],
  ])('%s → %s', async (cue, id) => {
    const { matches, tierUsed, elapsedMs } = await db.recall(cue)
    expect(matches[0].id).toBe(id)
    expect(tierUsed).toBe(matches[0].tier)
    expect(elapsedMs).toBeGreaterThanOrEqual(0)
  })

  test('gives each match with all that is known of it', async () => {
    const [match] = (await db.recall('the Thai place', { k: 1 })).matches
    expect(match).toEqual({
      id: 'bawri',
      text: TALK[0].text,
      speaker: 'Sarah',
      session: 'food',
      source: 'chat',
      at: new Date(NOW - 40 * DAY).toISOString(),
      confidence: match.confidence,
      tier: 'similarity',
      lowConfidence: false,
      goalBiased: false,
      folded: [],
      signals: match.signals,
      provenance: { source: 'chat', session: 'food', writer: 'agidb', episodes: ['bawri'] },
    })
    expect(match.confidence).toBeGreaterThan(0)
    expect(match.confidence).toBeLessThanOrEqual(1)
  })

  test('is of an empty memory empty', async () => {
    const empty = await openMemory()
    const nothing = {
      matches: [],
      tierUsed: 'nearest',
      semanticAtoms: [],
      beliefs: [],
      procedures: [],
      activeGoals: [],
    }
    expect(timeless(await empty.recall('anything'))).toEqual(nothing)
    expect(
      (await empty.recall('anything', { traceAttention: true, structured: { subject: 'x' } })).attentionTrace
        ?.candidates,
    ).toEqual([])
    await empty.close()
  })

  test.each([
    'the and of',
    'xyzzy qwrtp',
    '🚀',
    '…?!',
    '\u200d',
    'a',
    '我',
    'x'.repeat(5000),
  ])('never gives nothing while anything is visible: %s', async (cue) => {
    const { matches } = await db.recall(cue, { k: 100 })
    expect(ids({ matches } as Recall).sort()).toEqual(TALK.map(({ id }) => id).sort())
    expect((await db.recall(cue, { k: 3, session: 'trip' })).matches).toHaveLength(3)
  })

  test('says of what has nothing in common with the cue that it is merely nearest', async () => {
    for (const { tier, lowConfidence, confidence } of (await db.recall('xyzzy qwrtp')).matches) {
      expect([tier, lowConfidence]).toEqual(['nearest', true])
      expect(confidence).toBeLessThanOrEqual(0.3)
    }
  })

  test('is the same each time, and however it was observed', async () => {
    const other = await openMemory()
    for (const { text, ...context } of TALK) await other.observe(text, context)
    for (const cue of ['Sarah', 'the printer', 'trees in Japan', 'who?']) {
      const answer = timeless(await db.recall(cue, { traceAttention: true }))
      expect(timeless(await db.recall(cue, { traceAttention: true }))).toEqual(answer)
      expect(timeless(await other.recall(cue, { traceAttention: true }))).toEqual(answer)
    }
    await other.close()
  })

  test('can be asked many times at once', async () => {
    const alone = timeless(await db.recall('the printer'))
    const many = await Promise.all(Array.from({ length: 50 }, () => db.recall('the printer')))
    for (const answer of many) expect(timeless(answer)).toEqual(alone)
  })
})

describe('the options', () => {
  test('k takes the first k of all', async () => {
    const all = ids(await db.recall('printer', { k: 1000 }))
    expect(all).toHaveLength(TALK.length)
    for (const k of [1, 2, 5, 8]) expect(ids(await db.recall('printer', { k }))).toEqual(all.slice(0, k))
  })

  test.each<[object, string[]]>([
    [{ session: 'trip' }, ['hotel', 'kyoto', 'visa']],
    [{ speaker: 'Tom' }, ['pizza', 'printer', 'visa']],
    [{ source: 'mail' }, ['kyoto', 'tax', 'visa']],
    [{ source: 'mail', speaker: 'Tom' }, ['visa']],
    [{ session: 'trip', speaker: 'Ann', source: 'chat' }, ['hotel']],
    [{ session: 'unknown' }, []],
    [{ speaker: 'tom' }, []],
    [{ source: 'mail', session: 'food' }, []],
  ])('%j leaves %j', async (options, expected) => {
    for (const cue of ['the printer', 'visa', 'who', '…'])
      expect(ids(await db.recall(cue, { k: 100, ...options })).sort()).toEqual(expected)
  })

  test.each(TIERS)('tierFloor %s lets nothing weaker through, and all that is stronger', async (tierFloor) => {
    for (const cue of ['Tom prefers pizza', 'printer toner', 'Kyoto', 'orchid in the hotel', 'xyzzy']) {
      const all = (await db.recall(cue, { k: 100 })).matches
      const floored = await db.recall(cue, { k: 100, tierFloor: tierFloor as 'exact' })
      expect(ids(floored)).toEqual(
        all.filter(({ tier }) => TIERS.indexOf(tier) <= TIERS.indexOf(tierFloor)).map(({ id }) => id),
      )
      expect(floored.tierUsed).toBe(floored.matches[0]?.tier ?? 'nearest')
      for (const k of [1, 2, 3])
        expect(ids(await db.recall(cue, { k, tierFloor: tierFloor as 'exact' }))).toEqual(ids(floored).slice(0, k))
    }
  })

  test('recencyWindow prefers the newer of two that are alike', async () => {
    const twins = await openMemory()
    await twins.observe('Lunch with Ann at noon.', { id: 'new', at: NOW - DAY })
    await twins.observe('Lunch with Ann at noon, as planned.', { id: 'middle', at: NOW - 10 * DAY })
    await twins.observe('Lunch with Ann at noon.', { id: 'old', at: NOW - 300 * DAY })
    const windowed = await twins.recall('lunch with Ann', { recencyWindow: 7 * DAY, fold: false })
    expect(ids(windowed)[0]).toBe('new')
    const signals = Object.fromEntries(windowed.matches.map(({ id, signals }) => [id, signals.recency ?? 0]))
    expect(signals.new).toBeGreaterThan(signals.middle)
    expect(signals.middle).toBeGreaterThan(signals.old)
    expect(signals.new / signals.middle).toBeCloseTo(2 ** (9 / 7), 6)
    await twins.close()
  })

  test('without a window, of two that are the same the newer comes first', async () => {
    const twins = await openMemory()
    await twins.observe('Lunch with Ann at noon.', { id: 'new', at: NOW - DAY })
    await twins.observe('Lunch with Ann at noon.', { id: 'old', at: NOW - 300 * DAY })
    expect(ids(await twins.recall('lunch with Ann', { fold: false }))).toEqual(['new', 'old'])
    await twins.close()
  })

  test('of two that are the same in all, the one observed first comes first', async () => {
    const twins = await openMemory()
    await twins.observeMany(['a', 'b', 'c'].map((id) => ({ id, text: 'Lunch with Ann at noon.' })))
    expect(ids(await twins.recall('lunch with Ann', { fold: false }))).toEqual(['a', 'b', 'c'])
    await twins.close()
  })

  test('a signal that fires while it is answered ends it', async () => {
    const abort = new AbortController()
    const answer = db.recall('printer', { signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(answer).rejects.toMatchObject({ code: 'AGIDB_ABORTED', cause: new Error('enough') })
    expect(ids(await db.recall('printer', { k: 1, signal: new AbortController().signal }))).toEqual(['printer'])
  })
})

describe('signals', () => {
  const CUES = ['the printer', 'Sarah in Japan', 'Thai place', 'what did Tom prefer?', 'tax forms of Ann', 'who']

  test('add up to the score by which matches are ordered', async () => {
    for (const cue of CUES) {
      const { matches, attentionTrace } = await db.recall(cue, { k: 100, traceAttention: true, recencyWindow: DAY })
      const sums = matches.map(({ signals }) => Object.values(signals).reduce((sum, value) => sum + value, 0))
      expect(sums).toEqual([...sums].sort((a, b) => b - a))
      attentionTrace!.candidates.forEach(({ id, score, signals }, i) => {
        expect(id).toBe(matches[i].id)
        expect(signals).toEqual(matches[i].signals)
        expect(score).toBeCloseTo(sums[i], 12)
      })
    }
  })

  test('confidence keeps to the bounds of its tier, and low confidence is said of the nearest', async () => {
    for (const cue of CUES) {
      const { matches } = await db.recall(cue, { k: 100 })
      for (const tier of TIERS) {
        const own = matches.filter((match) => match.tier === tier).map(({ confidence }) => confidence)
        for (const confidence of own)
          expect(confidence).toBeLessThanOrEqual({ exact: 1, similarity: 0.95, gist: 0.6, nearest: 0.3 }[tier]!)
      }
      for (const { lowConfidence, tier } of matches) if (tier === 'nearest') expect(lowConfidence).toBe(true)
    }
  })

  test('show which evidence spoke: the words, the speaker, the neighbour, the concept', async () => {
    await db.close()
    db = await openMemory({ ranker: 'fusion' })
    await db.observeMany(TALK)
    const of = async (cue: string, id: string) =>
      (await db.recall(cue, { k: 100 })).matches.find((match) => match.id === id)!.signals
    expect((await of('toner', 'printer')).words).toBeGreaterThan(0)
    expect((await of('what did Ann say?', 'hotel')).speaker).toBeGreaterThan(0)
    expect((await of('cherry trees', 'hotel')).before).toBeGreaterThan(0)
    expect((await of('cherry trees', 'visa')).after).toBeGreaterThan(0)
    expect((await of('tell me about Bawri', 'bawri')).concepts).toBeGreaterThan(0)
    expect((await of('cherry trees', 'cat')).before).toBeUndefined()
  })
})

describe('the attention trace', () => {
  test('is there only on request', async () => {
    expect(await db.recall('printer')).not.toHaveProperty('attentionTrace')
  })

  test('lists all candidates, the kept ones first, and why the others were not', async () => {
    const { matches, attentionTrace } = await db.recall('printer', { k: 2, traceAttention: true })
    const { cue, at, candidates } = attentionTrace!
    expect([cue, at]).toEqual(['printer', new Date(NOW).toISOString()])
    expect(candidates.map(({ id }) => id).sort()).toEqual(TALK.map(({ id }) => id).sort())
    expect(candidates.filter(({ retained }) => retained).map(({ id }) => id)).toEqual(matches.map(({ id }) => id))
    for (const { retained, rejection, confidence } of candidates) {
      expect(rejection).toBe(retained ? undefined : 'below the best 2')
      expect(confidence).toBeGreaterThan(0)
    }
  })

  test('names the floor that a candidate did not reach', async () => {
    const { attentionTrace } = await db.recall('printer', { tierFloor: 'exact', traceAttention: true })
    const cat = attentionTrace!.candidates.find(({ id }) => id === 'cat')
    expect(cat).toMatchObject({ retained: false, rejection: 'tier nearest is under the floor exact' })
  })
})

describe('structured patterns', () => {
  const who = ['Ann', 'Bob', 'Eve', 'Dan', 'Sue']
  const did = ['hires', 'fires', 'praises', 'calls']
  let office: Engine
  beforeAll(async () => {
    office = await openMemory()
    const all = who.flatMap((subject) =>
      did.flatMap((predicate) =>
        who.filter((object) => object !== subject).map((object) => ({ subject, predicate, object })),
      ),
    )
    // The texts say nothing: only the statements do.
    await office.observeMany(
      all.map((triple, i) => ({ text: `note ${i}`, id: Object.values(triple).join(' '), triples: [triple] })),
    )
  })
  afterAll(() => office.close())

  test.each([
    [{ subject: 'Ann', predicate: 'fires', object: 'Bob' }, 1],
    [{ subject: 'Ann', predicate: 'fires' }, 4],
    [{ predicate: 'fires', object: 'Bob' }, 4],
    [{ subject: 'Ann', object: 'Bob' }, 4],
    [{ object: 'Bob' }, 16],
    [{ subject: ' ANN ', predicate: 'Fires', object: 'bob' }, 1],
  ])('%j finds who did what to whom', async (structured, count) => {
    const { matches } = await office.recall('…', { structured, k: 30 })
    const fits = ({ id }: { id: string }) => {
      const [subject, predicate, object] = id.toLowerCase().split(' ')
      const held: Record<string, string> = { subject, predicate, object }
      return Object.entries(structured).every(([role, filler]) => held[role] === filler.trim().toLowerCase())
    }
    expect(matches.slice(0, count).every(fits)).toBe(true)
    expect(matches.filter(fits)).toHaveLength(count)
    for (const match of matches) expect(match.tier === 'exact').toBe(fits(match))
  })

  test('do not take the one who did it for the one to whom it was done', async () => {
    const { matches } = await office.recall('…', { structured: { subject: 'Eve', predicate: 'hires', object: 'Dan' } })
    expect(matches[0].id).toBe('Eve hires Dan')
    expect(matches.find(({ id }) => id === 'Dan hires Eve')?.tier).not.toBe('exact')
  })

  test('weigh against the cue as asked', async () => {
    await office.observe('A note on the printer', { id: 'printer' })
    const structured = { subject: 'Ann', predicate: 'fires', object: 'Bob' }
    const first = async (weights?: { structured: number; fuzzy: number }) =>
      (await office.recall('printer', { structured, weights, k: 1 })).matches[0]
    expect((await first()).id).toBe('Ann fires Bob')
    expect((await first({ structured: 1, fuzzy: 0 })).id).toBe('Ann fires Bob')
    expect((await first({ structured: 0, fuzzy: 1 })).id).toBe('printer')
    await office.remove('printer')
  })

  test('that nothing fits leave the order to the cue', async () => {
    await office.observe('A note on the printer', { id: 'printer' })
    const { matches } = await office.recall('the printer', {
      structured: { subject: 'Nobody', predicate: 'dances' },
      k: 100,
    })
    expect(matches[0].id).toBe('printer')
    for (const { tier, signals } of matches) {
      expect(tier).not.toBe('exact')
      expect(signals.structured ?? 0).toBeLessThan(0.35)
    }
    await office.remove('printer')
  })

  test('of holes alone are no pattern', async () => {
    expect(timeless(await db.recall('printer', { structured: {} }))).toEqual(timeless(await db.recall('printer')))
    await expect(
      db.recall('printer', { structured: { subject: undefined }, weights: { structured: 1, fuzzy: 0 } }),
    ).rejects.toThrow(/need a structured pattern/)
  })

  test('let the weaker go by until k are found', async () => {
    const wanted = { structured: { predicate: 'calls' }, tierFloor: 'exact' } as const
    const all = ids(
      await office.recall('note 3 and note 7', { ...wanted, k: 100, weights: { structured: 0, fuzzy: 1 } }),
    )
    expect(all).toHaveLength(20)
    for (const k of [1, 3, 7, 20])
      expect(
        ids(await office.recall('note 3 and note 7', { ...wanted, k, weights: { structured: 0, fuzzy: 1 } })),
      ).toEqual(all.slice(0, k))
  })

  test('a cue that names a concept gives the memories of it as exact, and of no other', async () => {
    const { matches } = await db.recall('what is known about Kyoto and the printer?', { k: 100 })
    expect(
      matches
        .filter(({ tier }) => tier === 'exact')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['kyoto', 'printer'])
  })

  test('a name that all memories have is no exact evidence by itself', async () => {
    const diary = await openMemory()
    await diary.observeMany(
      Array.from({ length: 20 }, (_, i) => ({
        text: `Ann bought item${i}.`,
        triples: [{ subject: 'Ann', predicate: 'bought', object: `item${i}` }],
      })),
    )
    const { matches } = await diary.recall('what did Ann say of the violin lessons in Vienna?', { k: 20 })
    expect(matches.filter(({ tier }) => tier === 'exact')).toEqual([])
    await diary.close()
  })

  test('statements about others are no likeness', async () => {
    const { matches } = await db.recall('Bawri?', { k: 100 })
    for (const { id, tier } of matches) if (id !== 'bawri') expect(tier).toBe('nearest')
  })
})

describe('time', () => {
  // Rome from 2020, Oslo from 2024; that was said in 2020 and 2025.
  const RECORDED = { rome: Date.parse('2020-02-01'), oslo: Date.parse('2025-03-01') }
  let lives: Engine
  let now = RECORDED.rome
  beforeAll(async () => {
    lives = await openMemory({ clock: () => now })
    await lives.observe('Ann lives in Rome.', { id: 'rome', at: '2020-01-01' })
    now = RECORDED.oslo
    await lives.observe('Ann lives in Oslo.', { id: 'oslo', at: '2024-01-01' })
    await lives.supersede('rome', 'oslo')
    now = NOW
  })
  afterAll(() => lives.close())

  test.each<[string, object, string[]]>([
    ['now', {}, ['oslo']],
    ['in 2022', { validAsOf: '2022-01-01' }, ['rome']],
    ['in 2019', { validAsOf: '2019-01-01' }, []],
    ['just before the move', { validAsOf: '2023-12-31T23:59:59.999Z' }, ['rome']],
    ['at the move', { validAsOf: '2024-01-01' }, ['oslo']],
    ['as known in 2021', { transactionAsOf: '2021-01-01' }, ['rome']],
    ['as known before anything was', { transactionAsOf: '2020-01-15' }, []],
    ['as known in 2021 of 2026', { transactionAsOf: '2021-01-01', validAsOf: '2026-01-01' }, ['rome']],
    ['as known in 2026 of 2022', { transactionAsOf: '2026-01-01', validAsOf: '2022-01-01' }, ['rome']],
    [
      'as known in 2026 of 2024',
      { transactionAsOf: new Date('2026-01-01'), validAsOf: Date.parse('2024-06-01') },
      ['oslo'],
    ],
    ['as known when it was recorded', { transactionAsOf: RECORDED.oslo }, ['oslo']],
    ['as known the moment before', { transactionAsOf: RECORDED.oslo - 1 }, ['rome']],
  ])('where Ann lives %s', async (_, options, expected) => {
    expect(ids(await lives.recall('where does Ann live?', options))).toEqual(expected)
  })

  test('what will cease to be true is still true', async () => {
    const plans = await openMemory()
    await plans.observe('The shop is in Main Street.', { id: 'main', at: NOW - DAY })
    await plans.observe('The shop is in High Street.', { id: 'high', at: NOW + DAY })
    await plans.supersede('main', 'high')
    expect(ids(await plans.recall('where is the shop?')).sort()).toEqual(['high', 'main'])
    expect(ids(await plans.recall('where is the shop?', { validAsOf: NOW }))).toEqual(['main'])
    expect(ids(await plans.recall('where is the shop?', { validAsOf: NOW + DAY }))).toEqual(['high'])
    await plans.close()
  })
})

describe('among thousands', () => {
  const lines = readFileSync(new URL('../../../demo/data/apollo13.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(2000, 5000)
  const items: Observation[] = lines.map((line, i) => {
    const { at, speaker, text } = JSON.parse(line) as { at: string; speaker: string; text: string }
    return { id: `line ${i}`, at, speaker, text, session: at.slice(0, 13) }
  })
  let flight: Engine
  beforeAll(async () => {
    flight = await openMemory()
    await flight.observeMany(items)
  })
  afterAll(() => flight.close())
  const long = items.filter(({ text }) => text.length > 60)

  test('the exact text is first', async () => {
    for (let i = 7; i < long.length; i += Math.ceil(long.length / 60)) {
      const { text } = long[i]
      expect((await flight.recall(text, { k: 1 })).matches[0].text).toBe(text)
    }
  })

  test('an unrelated memory in another session does not throw a perfect match off its place', async () => {
    const wanted = [long[11], long[99], long[222]]
    await flight.observeMany(
      ['Grandmother bakes plum cake.', 'Сегодня идёт снег.', 'Invoices go to the second floor.', '猫が好き'].map(
        (text, i) => ({ text, id: `other ${i}`, session: 'other' }),
      ),
    )
    for (const { text, id } of wanted)
      expect((await flight.recall(text, { k: 1 })).matches[0]).toMatchObject({ id, text })
    for (let i = 0; i < 4; i++) await flight.remove(`other ${i}`)
  })

  test('filters hold, and the best of a session is found however many there are elsewhere', async () => {
    const { session, text, id } = long[150]
    const { matches } = await flight.recall(text, { session, k: 50 })
    expect(matches[0].id).toBe(id)
    for (const match of matches) expect(match.session).toBe(session)
    expect((await flight.recall('xyzzy', { session, k: 1000, fold: false })).matches).toHaveLength(
      items.filter((item) => item.session === session).length,
    )
  })

  test('k of 1,000 gives 1,000', async () => {
    const { matches } = await flight.recall('oxygen pressure', { k: 1000 })
    expect(new Set(matches.map(({ id }) => id)).size).toBe(1000)
  })
})

describe('what was not known at the time', () => {
  test('is no evidence for its neighbours either', async () => {
    let now = NOW
    const later = await openMemory({ clock: () => now })
    await later.observe('Which colour shall we paint the hallway?', { id: 'question', session: 's' })
    await later.observe('Ochre, I think.', { id: 'answer', session: 's' })
    const before = timeless(await later.recall('hallway colour ochre', { transactionAsOf: NOW }))
    now += DAY
    await later.observe('The hallway colour ochre looks good.', { id: 'praise', session: 's' })
    const ranked = ({ matches }: Pick<Recall, 'matches'>) =>
      matches.map(({ id, signals }) => ({ id, kinds: Object.keys(signals) }))
    const after = await later.recall('hallway colour ochre', { transactionAsOf: NOW })
    expect(ranked(after)).toEqual(ranked(before))
    expect(ids(await later.recall('hallway colour ochre'))[0]).toBe('praise')
    expect((await later.recall('hallway colour ochre', { k: 1 })).matches[0].signals.before).toBeGreaterThan(0)
    await later.close()
  })
})

describe('names in other scripts', () => {
  test('a Chinese speaker of two characters is known in the cue', async () => {
    const talk = await openMemory()
    await talk.observe('我们明天去', { id: 'wang', speaker: '王伟' })
    await talk.observe('我们明天去', { id: 'li', speaker: '李娜' })
    const [first] = (await talk.recall('王伟 说 明天')).matches
    expect(first.id).toBe('wang')
    expect(first.signals.speaker).toBeGreaterThan(0)
    await talk.close()
  })
})
