import { describe, expect, it } from 'vitest'
import { mentions } from '../../../../src/extraction/time/mentions.js'

/** A Wednesday afternoon. */
const NOW = Date.UTC(2026, 10, 18, 15, 30)

/** `from..to`, dates where both are midnights. */
function shown(text: string): string[] {
  const one = (time: number) => new Date(time).toISOString().replace('T00:00:00.000Z', '').replace(':00.000Z', '')
  return mentions(text, NOW).map(({ from, to }) => `${one(from)}..${one(to)}`)
}

describe('times that a text names', () => {
  it.each([
    ['I saw her yesterday', '2026-11-17..2026-11-18'],
    ['We leave tomorrow.', '2026-11-19..2026-11-20'],
    ['the day before yesterday', '2026-11-16..2026-11-17'],
    ['tomorrow morning at the lake', '2026-11-19T05:00..2026-11-19T12:00'],
    ['last night was great', '2026-11-17T18:00..2026-11-18T06:00'],
    ['I was ill last week', '2026-11-09..2026-11-16'],
    ['Next week is my birthday', '2026-11-23..2026-11-30'],
    ['this month', '2026-11-01..2026-12-01'],
    ['last month', '2026-10-01..2026-11-01'],
    ['She graduated last year', '2025-01-01..2026-01-01'],
    ['last weekend', '2026-11-14..2026-11-16'],
    ['this weekend', '2026-11-21..2026-11-23'],
    ['Any plans for the weekend?', '2026-11-21..2026-11-23'],
    ['two weekends ago', '2026-11-07..2026-11-09'],
    ['in the past week', '2026-11-11..2026-11-18T15:30:00.001Z'],
    ['last Friday', '2026-11-13..2026-11-14'],
    ['next Friday', '2026-11-27..2026-11-28'],
    ['Tuesday last week', '2026-11-10..2026-11-11'],
    ['We met on Friday', '2026-11-13..2026-11-14'],
    ["We'll meet on Friday", '2026-11-20..2026-11-21'],
    ['two days ago', '2026-11-16..2026-11-17'],
    ['3 weeks ago', '2026-10-26..2026-11-02'],
    ['a few weeks ago', '2026-10-12..2026-11-09'],
    ['ten years ago', '2016-01-01..2017-01-01'],
    ['back in a couple of hours', '2026-11-18T17:00..2026-11-18T18:00'],
    ['right into the Sun, not the moon, yesterday', '2026-11-17..2026-11-18'],
    ['in two months', '2027-01-01..2027-02-01'],
    ['3 hours ago', '2026-11-18T12:00..2026-11-18T13:00'],
    ['20 minutes ago', '2026-11-18T15:10..2026-11-18T15:11'],
    ['in May 2023', '2023-05-01..2023-06-01'],
    ['We moved in May', '2026-05-01..2026-06-01'],
    ['in 2022', '2022-01-01..2023-01-01'],
    ['last summer', '2026-06-01..2026-09-01'],
    ['the summer of 2019', '2019-06-01..2019-09-01'],
    ['next winter', '2026-12-01..2027-03-01'],
    ['last May', '2026-05-01..2026-06-01'],
    ['on 8 May, 2023', '2023-05-08..2023-05-09'],
    ['on May 8th 2023', '2023-05-08..2023-05-09'],
    ['the 2nd of March 2024', '2024-03-02..2024-03-03'],
    ['2023-05-08', '2023-05-08..2023-05-09'],
    ['at 7 pm', '2026-11-18T19:00..2026-11-18T20:00'],
    ['at 7:30 pm', '2026-11-18T19:30..2026-11-18T19:31'],
    ['7 pm EST', '2026-11-19..2026-11-19T01:00'],
    ['the weekend before 17 July 2023', '2023-07-15..2023-07-17'],
    ['the week before 9 June 2023', '2023-05-29..2023-06-05'],
    ['the Friday before 15 July 2023', '2023-07-14..2023-07-15'],
    ['two days after 5 May 2023', '2023-05-07..2023-05-08'],
    ['the week of 9 June 2023', '2023-06-05..2023-06-12'],
    ['from May to July 2023', '2023-05-01..2023-08-01'],
    ['between 3 and 9 June 2023', '2023-06-03..2023-06-10'],
    ['from last Friday to yesterday', '2026-11-13..2026-11-18'],
  ])('%s', (text, expected) => {
    expect(shown(text)).toEqual([expected])
  })

  it('gives several, earliest first, each once', () => {
    expect(shown('Tomorrow, not yesterday! Yes, tomorrow.')).toEqual([
      '2026-11-17..2026-11-18',
      '2026-11-19..2026-11-20',
    ])
  })

  it.each([
    'You may go.',
    'May I?',
    'They march on.',
    'We sat in the sun.',
    'It is now or never.',
    'Wait a minute.',
    'One second, please.',
    'in a minute',
    'a minute ago',
    'Release 2.10.3 is out',
    'It costs $7.30',
    '14 decimal 2',
    'look at 14',
    'We won 3:2',
    '24/7',
    '1/2 cup of sugar',
    'Good morning!',
    'good evening',
    'He is 30',
    '50 people in 2000 feet of water',
    'Roger, 117.6 by 3.8',
    'for two hours',
    'It took three days',
    'two days later',
    'the second one',
    'Mar is a sea',
    'a sat nav',
    'Go to page 12',
    'call 555-12-13',
    'noun 43, verb 6',
    'mark my words',
    'day by day',
    '',
  ])('finds none in "%s"', (text) => {
    expect(shown(text)).toEqual([])
  })
})
