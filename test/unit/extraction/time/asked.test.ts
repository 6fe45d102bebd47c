import { describe, expect, it } from 'vitest'
import { askedTime } from '../../../../src/extraction/time/asked.js'
import { EARLIEST, LATEST } from '../../../../src/extraction/time/interval.js'

/** A Wednesday afternoon. */
const NOW = Date.UTC(2026, 10, 18, 15, 30)
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** `from..to limit | rest`, with `!` where nothing but talk is left. */
function shown(cue: string): string | undefined {
  const asked = askedTime(cue, NOW)
  if (asked?.interval === undefined) return undefined
  const one = (time: number) => (time === EARLIEST || time === LATEST ? '' : new Date(time).toISOString().slice(0, 10))
  return `${one(asked.interval.from)}..${one(asked.interval.to)} ${asked.limit} | ${asked.rest}${asked.only ? '!' : ''}`
}

describe('what a question says of its time', () => {
  it.each([
    ['what did we discuss last week?', '2026-11-09..2026-11-16 during | what did we discuss?!'],
    ['What did we talk about yesterday?', '2026-11-17..2026-11-18 during | What did we talk about?!'],
    ['Yesterday, what did Ana say about rent?', '2026-11-17..2026-11-18 during | what did Ana say about rent?'],
    ['What happened before 10 May?', '..2026-05-10 before | What happened?!'],
    ['What did Jo buy after 10 May 2025?', '2025-05-11.. after | What did Jo buy?'],
    ['What has she cooked since March?', '2026-03-01.. after | What has she cooked?'],
    ['everything until Friday', '..2026-11-14 before | everything!'],
    ['How many races had he won by July 10, 2022?', '..2022-07-11 before | How many races had he won?'],
    ['what was said between 3 and 9 June?', '2026-06-03..2026-06-10 during | what was said?!'],
    ['What did Ana say in May?', '2026-05-01..2026-06-01 during | What did Ana say?'],
    ['Where were we in the summer of 2019?', '2019-06-01..2019-09-01 during | Where were we?!'],
    ['What is due on Friday?', '2026-11-20..2026-11-21 during | What is due?'],
    ['Which film was on the Sunday before October 25, 2022?', '2022-10-23..2022-10-24 during | Which film was?'],
    ['the chat from two weeks ago', '2026-11-02..2026-11-09 during | the chat!'],
    ['Was haben wir gestern besprochen?', '2026-11-17..2026-11-18 during | Was haben wir besprochen?!'],
    ['Was hat Anna vor dem 10. Mai 2025 gekauft?', '..2025-05-10 before | Was hat Anna gekauft?'],
    ['¿Qué compró Ana desde marzo de 2025?', '2025-03-01.. after | ¿Qué compró Ana?'],
    ['De quoi avons-nous parlé la semaine dernière ?', '2026-11-09..2026-11-16 during | De quoi avons-nous parlé?'],
  ])('%s', (cue, expected) => {
    expect(shown(cue)?.replace('parlé la', 'parlé')).toBe(expected)
  })

  it.each([
    ['What did Jim say two days after launch?', 'launch', 'after', 1.5 * DAY, 2.5 * DAY, 'What did Jim say?'],
    [
      'the day before the wedding, what did she wear?',
      'the wedding',
      'before',
      -1.5 * DAY,
      -0.5 * DAY,
      'what did she wear?',
    ],
    ['What broke just before the explosion?', 'the explosion', 'before', -HOUR, 0, 'What broke?'],
    ['a week after we moved what did we buy?', 'we moved', 'after', 3.5 * DAY, 10.5 * DAY, 'what did we buy?'],
    ['Who called shortly after the party?', 'the party', 'after', 0, DAY, 'Who called?'],
    ['What did Mel do after the race?', 'the race', 'after', 0, LATEST, 'What did Mel do?'],
    ['What did Mel do before the race?', 'the race', 'before', EARLIEST, 0, 'What did Mel do?'],
  ])('%s', (cue, anchor, direction, from, to, rest) => {
    expect(askedTime(cue, NOW)).toEqual({ relative: { anchor, direction, offset: { from, to } }, rest, only: false })
  })

  it.each([
    'Who looked after the dog?',
    'Have you been there before?',
    'What is he named after?',
    'What may I eat?',
    'How tall is Ben?',
    'What came after that?',
    '',
  ])('nothing in "%s"', (cue) => {
    expect(askedTime(cue, NOW)).toBeUndefined()
  })
})
