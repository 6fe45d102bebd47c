import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { mayAskTime, mayNameTime } from '../../../../src/extraction/time/gate.js'
import { askedTime } from '../../../../src/extraction/time/asked.js'
import { EARLIEST, LATEST } from '../../../../src/extraction/time/interval.js'
import { mentions } from '../../../../src/extraction/time/mentions.js'

const WEEK = 7 * 86_400_000
const YEAR = 365.25 * 86_400_000
const references = fc.integer({ min: -200 * YEAR, max: 400 * YEAR })
const PHRASES = [
  'yesterday',
  'last week',
  'next Friday',
  'two days ago',
  'on 8 May',
  'in May 2023',
  'at 7 pm',
  'last summer',
  'the weekend before 17 July',
  'in 2022',
  'last night',
  'the day before yesterday',
  '3 hours ago',
  'a few months ago',
  'tomorrow morning',
  'this month',
  'in two years',
  'from May to July',
  'vor zwei Wochen',
  'hier',
  'el mes pasado',
  '31 January',
  '29 February',
  '2024-02-30',
  'between 3 and 9 June',
  '7 pm EST',
  'two days after launch',
  'midnight',
  'since March',
  '12/31',
  '100 weeks ago',
]
const ZONE = process.env.TZ

afterEach(() => {
  if (ZONE === undefined) delete process.env.TZ
  else process.env.TZ = ZONE
})

/** Words of time in any order, among other words and signs. */
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...PHRASES, 'before', 'after', 'of', 'the', 'and', ',', '-', '999', ':', '\n'),
        fc.string({ maxLength: 6 }),
      ),
      { maxLength: 12 },
    )
    .map((words) => words.join(' ')),
)

describe('laws of times in words', () => {
  it('never throws, and each interval runs forward within the times there are', () => {
    void fc.assert(
      fc.property(texts, fc.oneof(references, fc.constantFrom(EARLIEST, LATEST, 0)), (text, reference) => {
        const asked = askedTime(text, reference)?.interval
        for (const { from, to } of [...mentions(text, reference), ...(asked === undefined ? [] : [asked])]) {
          expect(from).toBeLessThan(to)
          expect(from).toBeGreaterThanOrEqual(EARLIEST)
          expect(to).toBeLessThanOrEqual(LATEST)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('finds no time in a text that the gate stops', () => {
    const words = fc.constantFrom(
      ...PHRASES,
      'Before',
      'after the launch',
      'ſince',
      'two',
      'Tom',
      'the',
      ',',
      '7',
      'ans',
    )
    const cues = fc.array(fc.oneof(words, fc.string({ maxLength: 6 })), { maxLength: 8 }).map((all) => all.join(' '))
    void fc.assert(
      fc.property(cues, references, (cue, reference) => {
        if (!mayAskTime(cue)) expect(askedTime(cue, reference)).toBeUndefined()
        if (!mayNameTime(cue)) expect(mentions(cue, reference)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('gives nothing before the first time there is, nor after the last', () => {
    expect(askedTime('before midnight', EARLIEST)).toBeUndefined()
    expect(askedTime('after yesterday', LATEST)).toBeUndefined()
  })

  it('gives nothing for a reference that is no time', () => {
    for (const reference of [NaN, Infinity, 1e20])
      expect([mentions('yesterday', reference), askedTime('yesterday', reference)]).toEqual([[], undefined])
  })

  it('moves with the reference by whole weeks', () => {
    const moving = fc.constantFrom(
      'yesterday',
      'last week',
      'next Friday',
      'two days ago',
      'last weekend',
      'tomorrow morning',
      'at 7 pm',
      'letzte Woche',
      'ayer',
    )
    void fc.assert(
      fc.property(moving, references, fc.integer({ min: -60, max: 60 }), (text, reference, weeks) => {
        const [one] = mentions(text, reference)
        expect(mentions(text, reference + weeks * WEEK)).toEqual([
          { from: one.from + weeks * WEEK, to: one.to + weeks * WEEK },
        ])
      }),
    )
  })

  it('is the same whatever the time zone of the host', () => {
    // Zones with a summer time, with odd offsets, and one that skipped a day (Samoa, 30 December 2011).
    const zones = [
      'America/New_York',
      'Asia/Kathmandu',
      'Pacific/Apia',
      'Europe/Berlin',
      'Australia/Lord_Howe',
      'America/Sao_Paulo',
    ]
    const offsets = new Set(zones.map((zone) => ((process.env.TZ = zone), new Date(2011, 11, 1).getTimezoneOffset())))
    expect(offsets.size).toBe(zones.length)
    const days = [
      Date.UTC(2011, 11, 31, 12),
      Date.UTC(2026, 2, 8, 2, 30),
      Date.UTC(2026, 10, 1, 6, 30),
      Date.UTC(2024, 1, 29),
      Date.UTC(2026, 9, 4, 0, 15),
    ]
    for (const reference of [...days, ...fc.sample(references, 20)]) {
      for (const text of PHRASES) {
        process.env.TZ = 'UTC'
        const expected = [mentions(text, reference), askedTime(text, reference)]
        for (const zone of zones) {
          process.env.TZ = zone
          expect([mentions(text, reference), askedTime(text, reference)], `${text} at ${reference} in ${zone}`).toEqual(
            expected,
          )
        }
      }
    }
  })

  it('reads a long text in time that grows with its length', () => {
    const text = 'yesterday at 7 pm we met 12 people on 8 May 2023, two days ago, 1.2.3.4 '.repeat(900)
    expect(mentions(text, 0).length).toBeGreaterThan(3)
    expect(mentions('1 '.repeat(30_000) + 'yesterday', 0)).toHaveLength(1)
    expect(mentions('2 days '.repeat(9_000), 0)).toEqual([])
  })
})
