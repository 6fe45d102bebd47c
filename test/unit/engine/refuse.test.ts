import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../src/engine/engine.js'
import { AgidbError } from '../../../src/base/errors.js'
import { listed, openMemory } from './open.js'

let db: Engine
beforeAll(async () => {
  db = await openMemory()
  await db.observe('The first one.', { id: 'first', session: 's' })
})
afterAll(() => db.close())

/** An argument that the types forbid. */
const wrong = (value: unknown) => value as never
const triple = { subject: 'a', predicate: 'b', object: 'c' }
type Refusal = [string, () => Promise<unknown>, string, RegExp]

const texts: Refusal[] = [
  ['an empty text', () => db.observe(''), 'AGIDB_INVALID_TEXT', /text is empty/],
  ['white space', () => db.observe(' \n\t'), 'AGIDB_INVALID_TEXT', /text is empty/],
  ['1 MB of text', () => db.observe('x'.repeat(1_000_000)), 'AGIDB_TOO_LARGE', /1000000 bytes; at most 65536/],
  ['a lone high surrogate', () => db.observe('broken \ud800'), 'AGIDB_INVALID_TEXT', /offset 7/],
  ['a lone low surrogate', () => db.observe('\udc00'), 'AGIDB_INVALID_TEXT', /offset 0/],
  ['a number', () => db.observe(wrong(5)), 'AGIDB_INVALID_ARGUMENT', /text must be a string, not 5/],
  ['no text', () => db.observe(wrong(undefined)), 'AGIDB_INVALID_ARGUMENT', /text must be a string, not undefined/],
  ['an object', () => db.observe(wrong({ text: 'x' })), 'AGIDB_INVALID_ARGUMENT', /not an object/],
]

const contexts: Refusal[] = [
  ['30 February', () => db.observe('x', { at: '2026-02-30' }), 'AGIDB_INVALID_TIME', /at is "2026-02-30"/],
  ['NaN for a time', () => db.observe('x', { at: NaN }), 'AGIDB_INVALID_TIME', /at is NaN/],
  ['an invalid Date', () => db.observe('x', { at: new Date('x') }), 'AGIDB_INVALID_TIME', /an invalid Date/],
  ['garbage for a time', () => db.observe('x', { at: 'yesterday' }), 'AGIDB_INVALID_TIME', /"yesterday".*ISO 8601/],
  ['null for a time', () => db.observe('x', { at: wrong(null) }), 'AGIDB_INVALID_TIME', /at is null/],
  [
    'an unknown option',
    () => db.observe('x', wrong({ when: 1 })),
    'AGIDB_UNKNOWN_OPTION',
    /no option "when"; known are/,
  ],
  ['a context that is a string', () => db.observe('x', wrong('s1')), 'AGIDB_INVALID_ARGUMENT', /must be an object/],
  ['a context that is null', () => db.observe('x', wrong(null)), 'AGIDB_INVALID_ARGUMENT', /not null/],
  ['an empty speaker', () => db.observe('x', { speaker: '' }), 'AGIDB_INVALID_ARGUMENT', /speaker is empty/],
  [
    'a session that is a number',
    () => db.observe('x', { session: wrong(1) }),
    'AGIDB_INVALID_ARGUMENT',
    /session must be a string/,
  ],
  ['a source with half a pair', () => db.observe('x', { source: '\ud83d' }), 'AGIDB_INVALID_TEXT', /source/],
  ['a long speaker', () => db.observe('x', { speaker: 'x'.repeat(2000) }), 'AGIDB_TOO_LARGE', /speaker has 2000 bytes/],
  ['an empty id', () => db.observe('x', { id: '' }), 'AGIDB_INVALID_ARGUMENT', /id is empty/],
  ['a null id', () => db.observe('x', { id: wrong(null) }), 'AGIDB_INVALID_ARGUMENT', /id must be a string, not null/],
  ['an id that is taken', () => db.observe('x', { id: 'first' }), 'AGIDB_DUPLICATE_ID', /"first", which is taken/],
  [
    'triples that are none',
    () => db.observe('x', { triples: wrong('abc') }),
    'AGIDB_INVALID_ARGUMENT',
    /triples must be an array/,
  ],
  [
    'null among triples',
    () => db.observe('x', { triples: [triple, wrong(null)] }),
    'AGIDB_INVALID_ARGUMENT',
    /triples\[1\] must be/,
  ],
  [
    'a hole among triples',
    () => db.observe('x', { triples: wrong(Object.assign(Array(2), { 1: triple })) }),
    'AGIDB_INVALID_ARGUMENT',
    /triples\[0\]/,
  ],
  [
    'a triple with a hole',
    () => db.observe('x', { triples: [wrong({ subject: 'a', object: 'b' })] }),
    'AGIDB_INVALID_ARGUMENT',
    /predicate is missing/,
  ],
  [
    'a triple with more',
    () => db.observe('x', { triples: [wrong({ ...triple, weight: 1 })] }),
    'AGIDB_UNKNOWN_OPTION',
    /"weight"/,
  ],
  [
    'a triple of numbers',
    () => db.observe('x', { triples: [{ ...triple, object: wrong(7) }] }),
    'AGIDB_INVALID_ARGUMENT',
    /triples\[0\]\.object/,
  ],
  [
    '65 triples',
    () => db.observe('x', { triples: Array(65).fill(triple) }),
    'AGIDB_TOO_LARGE',
    /65 items; at most 64.*limits.triples/,
  ],
]

const batches: Refusal[] = [
  ['an object', () => db.observeMany(wrong({})), 'AGIDB_INVALID_ARGUMENT', /items must be an array/],
  [
    'a bad item in the middle',
    () => db.observeMany([{ text: 'a' }, { text: '' }, { text: 'c' }]),
    'AGIDB_INVALID_TEXT',
    /items\[1\]\.text is empty/,
  ],
  [
    'a bad item at the end of many',
    () => db.observeMany([...Array(600).fill({ text: 'a' }), { text: 'b', at: 'x' }]),
    'AGIDB_INVALID_TIME',
    /items\[600\]\.at/,
  ],
  [
    'a string among items',
    () => db.observeMany([{ text: 'a' }, wrong('b')]),
    'AGIDB_INVALID_ARGUMENT',
    /items\[1\] must be an object/,
  ],
  [
    'null among items',
    () => db.observeMany([wrong(null)]),
    'AGIDB_INVALID_ARGUMENT',
    /items\[0\] must be an object, not null/,
  ],
  [
    'a hole among items',
    () => db.observeMany(wrong(Object.assign(Array(2), { 1: { text: 'a' } }))),
    'AGIDB_INVALID_ARGUMENT',
    /items\[0\] is undefined/,
  ],
  [
    'an unknown key',
    () => db.observeMany([wrong({ text: 'a', role: 'user' })]),
    'AGIDB_UNKNOWN_OPTION',
    /items\[0\] has no option "role"/,
  ],
  [
    'an id twice',
    () =>
      db.observeMany([
        { text: 'a', id: 'x' },
        { text: 'b', id: 'x' },
      ]),
    'AGIDB_DUPLICATE_ID',
    /items\[1\]\.id is "x"/,
  ],
  [
    'an id that is taken',
    () =>
      db.observeMany([
        { text: 'a', id: 'y' },
        { text: 'b', id: 'first' },
      ]),
    'AGIDB_DUPLICATE_ID',
    /items\[1\]\.id is "first"/,
  ],
  ['an unknown option', () => db.observeMany([], wrong({ batch: 5 })), 'AGIDB_UNKNOWN_OPTION', /"batch"/],
  [
    'progress that is no function',
    () => db.observeMany([{ text: 'a' }], { onProgress: wrong('yes') }),
    'AGIDB_INVALID_ARGUMENT',
    /onProgress must be a function/,
  ],
  [
    'a signal that is none',
    () => db.observeMany([{ text: 'a' }], { signal: wrong({}) }),
    'AGIDB_INVALID_ARGUMENT',
    /signal must be an AbortSignal/,
  ],
]

const recalls: Refusal[] = [
  ['an empty cue', () => db.recall(''), 'AGIDB_INVALID_TEXT', /cue is empty/],
  ['no cue', () => db.recall(wrong(undefined)), 'AGIDB_INVALID_ARGUMENT', /the cue is undefined; give/],
  ['half a pair', () => db.recall('\ud83d'), 'AGIDB_INVALID_TEXT', /cue/],
  ['a cue of 1 MB', () => db.recall('x'.repeat(1_000_000)), 'AGIDB_TOO_LARGE', /cue has 1000000 bytes/],
  [
    'k of 0',
    () => db.recall('x', { k: 0 }),
    'AGIDB_INVALID_ARGUMENT',
    /k is 0; expected a whole number from 1 to 1000/,
  ],
  ['k of 1001', () => db.recall('x', { k: 1001 }), 'AGIDB_INVALID_ARGUMENT', /1001/],
  ['k of 2.5', () => db.recall('x', { k: 2.5 }), 'AGIDB_INVALID_ARGUMENT', /2\.5/],
  ['k in a string', () => db.recall('x', { k: wrong('5') }), 'AGIDB_INVALID_ARGUMENT', /k is "5"/],
  ['an unknown option', () => db.recall('x', wrong({ limit: 5 })), 'AGIDB_UNKNOWN_OPTION', /"limit"/],
  ['options that are a number', () => db.recall('x', wrong(5)), 'AGIDB_INVALID_ARGUMENT', /recall must be an object/],
  [
    'options that are null',
    () => db.recall('x', wrong(null)),
    'AGIDB_INVALID_ARGUMENT',
    /recall must be an object, not null/,
  ],
  [
    'another tier',
    () => db.recall('x', { tierFloor: wrong('best') }),
    'AGIDB_INVALID_ARGUMENT',
    /"exact", "similarity", "gist", "nearest"/,
  ],
  ['a session that is a number', () => db.recall('x', { session: wrong(1) }), 'AGIDB_INVALID_ARGUMENT', /session/],
  ['a bad time', () => db.recall('x', { validAsOf: '2026-02-30' }), 'AGIDB_INVALID_TIME', /validAsOf/],
  ['another bad time', () => db.recall('x', { transactionAsOf: NaN }), 'AGIDB_INVALID_TIME', /transactionAsOf/],
  ['a negative window', () => db.recall('x', { recencyWindow: -1 }), 'AGIDB_INVALID_ARGUMENT', /recencyWindow is -1/],
  [
    'a window without end',
    () => db.recall('x', { recencyWindow: Infinity }),
    'AGIDB_INVALID_ARGUMENT',
    /recencyWindow is Infinity/,
  ],
  ['a pattern with more', () => db.recall('x', { structured: wrong({ verb: 'a' }) }), 'AGIDB_UNKNOWN_OPTION', /"verb"/],
  [
    'a pattern of numbers',
    () => db.recall('x', { structured: { object: wrong(5) } }),
    'AGIDB_INVALID_ARGUMENT',
    /structured\.object/,
  ],
  [
    'weights without a pattern',
    () => db.recall('x', { weights: { structured: 1, fuzzy: 0 } }),
    'AGIDB_INVALID_ARGUMENT',
    /need a structured pattern/,
  ],
  [
    'a weight over 1',
    () => db.recall('x', { structured: triple, weights: { structured: 2, fuzzy: 0 } }),
    'AGIDB_INVALID_ARGUMENT',
    /weights\.structured is 2/,
  ],
  [
    'half of the weights',
    () => db.recall('x', { structured: triple, weights: wrong({ structured: 1 }) }),
    'AGIDB_INVALID_ARGUMENT',
    /weights\.fuzzy is undefined/,
  ],
  [
    'a window that is a text',
    () => db.recall('x', { recencyWindow: wrong('1 day') }),
    'AGIDB_INVALID_ARGUMENT',
    /recencyWindow is "1 day"/,
  ],
  [
    'a fold that is neither',
    () => db.recall('x', { fold: wrong('no') }),
    'AGIDB_INVALID_ARGUMENT',
    /fold is "no"; expected one of true, false/,
  ],
  ['a fold that is null', () => db.recall('x', { fold: wrong(null) }), 'AGIDB_INVALID_ARGUMENT', /fold is null/],
  [
    'a context below 0',
    () => db.recall('x', { context: -1 }),
    'AGIDB_INVALID_ARGUMENT',
    /context is -1; expected a whole number from 0 to 10/,
  ],
  ['a context of 11', () => db.recall('x', { context: 11 }), 'AGIDB_INVALID_ARGUMENT', /context is 11/],
  [
    'a context that is true',
    () => db.recall('x', { context: wrong(true) }),
    'AGIDB_INVALID_ARGUMENT',
    /context is true/,
  ],
  [
    'a budget of 0',
    () => db.recall('x', { budgetTokens: 0 }),
    'AGIDB_INVALID_ARGUMENT',
    /budgetTokens is 0; expected a whole number from 1 to 1000000/,
  ],
  ['a budget of 10.5', () => db.recall('x', { budgetTokens: 10.5 }), 'AGIDB_INVALID_ARGUMENT', /budgetTokens is 10\.5/],
  [
    'a budget without end',
    () => db.recall('x', { budgetTokens: Infinity }),
    'AGIDB_INVALID_ARGUMENT',
    /budgetTokens is Infinity/,
  ],
  [
    'goals that are a text',
    () => db.recall('x', { goals: wrong('rest') }),
    'AGIDB_INVALID_ARGUMENT',
    /goals must be an array of texts/,
  ],
  ['an empty goal', () => db.recall('x', { goals: ['rest', ' '] }), 'AGIDB_INVALID_TEXT', /goals\[1\] is empty/],
  [
    'a goal that is a number',
    () => db.recall('x', { goals: [wrong(5)] }),
    'AGIDB_INVALID_ARGUMENT',
    /goals\[0\] must be a string/,
  ],
  [
    'a hole among goals',
    () => db.recall('x', { goals: wrong(Object.assign(Array(2), { 1: 'rest' })) }),
    'AGIDB_INVALID_ARGUMENT',
    /goals\[0\] must be a string/,
  ],
  ['a long goal', () => db.recall('x', { goals: ['x'.repeat(9000)] }), 'AGIDB_TOO_LARGE', /goals\[0\] has 9000 bytes/],
  [
    '17 goals',
    () => db.recall('x', { goals: Array(17).fill('rest') }),
    'AGIDB_INVALID_ARGUMENT',
    /17 texts; expected at most 16/,
  ],
  [
    'a bias over 1',
    () => db.recall('x', { goals: ['rest'], goalBias: 1.1 }),
    'AGIDB_INVALID_ARGUMENT',
    /goalBias is 1\.1; expected a number from 0 to 1/,
  ],
  ['a bias that is none', () => db.recall('x', { goalBias: NaN }), 'AGIDB_INVALID_ARGUMENT', /goalBias is NaN/],
  ['an empty asker', () => db.recall('x', { asker: '' }), 'AGIDB_INVALID_ARGUMENT', /asker is empty/],
  [
    'an asker that is a number',
    () => db.recall('x', { asker: wrong(5) }),
    'AGIDB_INVALID_ARGUMENT',
    /asker must be a string/,
  ],
  [
    'a trace that is neither',
    () => db.recall('x', { traceAttention: wrong('yes') }),
    'AGIDB_INVALID_ARGUMENT',
    /traceAttention/,
  ],
  [
    'a signal that is none',
    () => db.recall('x', { signal: wrong(true) }),
    'AGIDB_INVALID_ARGUMENT',
    /signal must be an AbortSignal/,
  ],
  ['a signal that fired', () => db.recall('x', { signal: AbortSignal.abort() }), 'AGIDB_ABORTED', /aborted/],
]

const pages: Refusal[] = [
  ['a limit of 0', () => listed(db, { limit: 0 }), 'AGIDB_INVALID_ARGUMENT', /limit is 0/],
  ['a limit of 10,001', () => listed(db, { limit: 10_001 }), 'AGIDB_INVALID_ARGUMENT', /from 1 to 10000/],
  ['an unknown start', () => listed(db, { after: 'nobody' }), 'AGIDB_NOT_FOUND', /"nobody"/],
  ['a start that is null', () => listed(db, { after: null }), 'AGIDB_INVALID_ARGUMENT', /after must be a string/],
  ['an unknown order', () => listed(db, { order: 'best' }), 'AGIDB_INVALID_ARGUMENT', /"oldest", "newest"/],
  ['an unknown option', () => listed(db, { before: 'first' }), 'AGIDB_UNKNOWN_OPTION', /"before"/],
]

const ids: Refusal[] = [
  [
    'the trace of nothing',
    () => db.attentionTrace(wrong(undefined)),
    'AGIDB_INVALID_ARGUMENT',
    /recallId must be a string, not undefined/,
  ],
  ['the trace of an empty id', () => db.attentionTrace(''), 'AGIDB_INVALID_ARGUMENT', /recallId is empty/],
  [
    'getEpisode of nothing',
    () => db.getEpisode(wrong(undefined)),
    'AGIDB_INVALID_ARGUMENT',
    /id must be a string, not undefined/,
  ],
  ['getEpisode of a number', () => db.getEpisode(wrong(5)), 'AGIDB_INVALID_ARGUMENT', /not 5/],
  ['getEpisode of an empty id', () => db.getEpisode(''), 'AGIDB_INVALID_ARGUMENT', /id is empty/],
  ['remove of an unknown one', () => db.remove('nobody'), 'AGIDB_NOT_FOUND', /"nobody"/],
  ['remove of nothing', () => db.remove(wrong(undefined)), 'AGIDB_INVALID_ARGUMENT', /id must be a string/],
]

describe.each([
  ['observe', texts],
  ['observe with a context', contexts],
  ['observeMany', batches],
  ['recall', recalls],
  ['episodes', pages],
  ['by id', ids],
])('%s refuses', (_, refusals) => {
  test.each(refusals)('%s, and nothing is written', async (_, call, code, message) => {
    const error = await call().then(
      () => expect.unreachable('it was accepted'),
      (error: unknown) => error,
    )
    expect(error).toBeInstanceOf(AgidbError)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(structuredClone((error as AgidbError).details)).toEqual((error as AgidbError).details)
    expect((await listed(db)).map(({ id }) => id)).toEqual(['first'])
    expect((await db.stats()).episodes).toBe(1)
  })
})

describe('the same id at the same time', () => {
  test('is taken once, by the first', async () => {
    const some = await openMemory()
    const results = await Promise.allSettled(['a', 'b', 'c'].map((text) => some.observe(text, { id: 'x' })))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(results[1]).toMatchObject({ reason: { code: 'AGIDB_DUPLICATE_ID' } })
    expect((await some.getEpisode('x'))?.text).toBe('a')
    await some.close()
  })

  test('across two batches: the second is refused whole', async () => {
    const some = await openMemory()
    const batch = (name: string) =>
      Array.from({ length: 300 }, (_, i) => ({ text: name, id: i === 299 ? 'shared' : `${name}${i}` }))
    const [first, second] = await Promise.allSettled([some.observeMany(batch('a')), some.observeMany(batch('b'))])
    expect(first.status).toBe('fulfilled')
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'AGIDB_DUPLICATE_ID' } })
    expect((await some.stats()).episodes).toBe(300)
    await some.observe('free again', { id: 'b0' })
    await some.close()
  })
})

describe('limits', () => {
  test('can be set, each for itself', async () => {
    const tight = await openMemory({ limits: { textBytes: 10, cueBytes: 5, batch: 2, triples: 1 } })
    await expect(tight.recall('6 byte')).rejects.toThrow(/cue has 6 bytes; at most 5.*limits\.cueBytes/)
    await expect(tight.observe('ten bytes at most')).rejects.toMatchObject({ code: 'AGIDB_TOO_LARGE' })
    await expect(tight.observeMany(Array(3).fill({ text: 'x' }))).rejects.toThrow(
      /items has 3 items; at most 2.*limits\.batch/,
    )
    await expect(tight.observe('x', { triples: [triple, triple] })).rejects.toMatchObject({ code: 'AGIDB_TOO_LARGE' })
    await tight.observe('ten  bytes')
    await tight.close()
    const wide = await openMemory({ limits: { textBytes: 2_000_000, cueBytes: 2_000_000 } })
    const long = 'long text '.repeat(100_000)
    const id = await wide.observe(long)
    expect((await wide.recall(long, { k: 1 })).matches[0]).toMatchObject({ id, text: long })
    await wide.close()
  })

  test.each<[string, Parameters<typeof openMemory>[0], string]>([
    ['an unknown limit', { limits: wrong({ bytes: 5 }) }, 'AGIDB_UNKNOWN_OPTION'],
    ['a limit of 0', { limits: { triples: 0 } }, 'AGIDB_INVALID_ARGUMENT'],
    ['no room for a trace', { limits: { traces: 0 } }, 'AGIDB_INVALID_ARGUMENT'],
    ['half a trace', { limits: { traces: 1.5 } }, 'AGIDB_INVALID_ARGUMENT'],
    ['limits that are a number', { limits: wrong(5) }, 'AGIDB_INVALID_ARGUMENT'],
    ['a seed of a half', { seed: 0.5 }, 'AGIDB_INVALID_ARGUMENT'],
    ['a clock that is a time', { clock: wrong(5) }, 'AGIDB_INVALID_ARGUMENT'],
    ['an empty writer', { writer: '' }, 'AGIDB_INVALID_ARGUMENT'],
  ])('opening with %s is refused', async (_, options, code) => {
    await expect(openMemory(options)).rejects.toMatchObject({ code })
  })

  test('a clock that gives no time is named', async () => {
    const broken = await openMemory({ clock: () => NaN })
    await expect(broken.observe('x')).rejects.toMatchObject({
      code: 'AGIDB_INVALID_TIME',
      message: expect.stringMatching(/clock is NaN/),
    })
    expect((await broken.stats()).episodes).toBe(0)
    await broken.close()
  })
})

describe('a closed database', () => {
  const calls: [string, (db: Engine) => Promise<unknown>][] = [
    ['observe', (db) => db.observe('x')],
    ['observeMany', (db) => db.observeMany([{ text: 'x' }])],
    ['observeMany of nothing', (db) => db.observeMany([])],
    ['getEpisode', (db) => db.getEpisode('a')],
    ['episodes', (db) => listed(db)],
    ['supersede', (db) => db.supersede('a', 'b')],
    ['recall', (db) => db.recall('x')],
    ['attentionTrace', (db) => db.attentionTrace('x')],
    ['stats', (db) => db.stats()],
    ['flush', (db) => db.flush()],
    ['remove', (db) => db.remove('a')],
  ]
  test.each(calls)('refuses %s', async (_, call) => {
    const closed = await openMemory()
    const closing = closed.close()
    await expect(call(closed)).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
    await closing
    await expect(call(closed)).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  })

  test('can be closed again', async () => {
    const closed = await openMemory()
    await Promise.all([closed.close(), closed.close()])
    await closed.close()
  })

  test('ends a listing that is under way', async () => {
    const some = await openMemory()
    await some.observeMany(Array(5).fill({ text: 'x' }))
    const pages = some.episodes({ limit: 2 })
    await pages.next()
    await some.close()
    await expect(pages.next()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  })
})
