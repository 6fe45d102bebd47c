import { describe, expect, it } from 'vitest'
import { fixture, outcomeOf, read, said } from './reading.js'

describe('JSON lines', () => {
  it('reads every member, ignores others, leaves empty texts out and repairs half pairs', async () => {
    const { observations, report } = await read(fixture('chat.jsonl'), { name: 'chat.jsonl' })
    expect(report).toMatchObject({ format: 'jsonl', observations: 5, empty: 1, repaired: 1, bad: 0 })
    expect(said(observations)).toEqual([
      ['2026-05-01T19:00:00.000Z', 'Sarah', 'There is a thai place in Bandra called Bawri.'],
      ['2026-05-01T19:00:30.000Z', 'Tom', 'Is it "the one" by the sea?\nWith the 🌶️?'],
      ['2026-05-02T08:15:00.000Z', 'Sarah', 'Yes.'],
      [undefined, undefined, 'No one and no time.'],
      [undefined, undefined, 'half of a pair: \ufffd'],
    ])
    expect(observations[0]).toMatchObject({ session: 's1', source: 'dinner' })
    expect(observations[0]).not.toHaveProperty('get')
    expect(observations[1]).toMatchObject({ session: 's1', source: 'chat.jsonl' })
    expect(observations[2]).toMatchObject({ session: 'chat.jsonl' })
    expect(observations[3]!.triples).toEqual([{ subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }])
    expect(observations[4]!.id).toBe('my-own-id')
  })

  it.each([
    ['{"text": "cut', 'no valid JSON'],
    ['["text"]', 'no JSON object'],
    ['{"speaker": "Tom"}', 'no "text"'],
    ['{"text": 7}', '"text" that is no string'],
    ['{"text": "a", "speaker": 7}', '"speaker" that is no string'],
    ['{"text": "a", "at": "yesterday"}', '"at" that is no date'],
    ['{"text": "a", "at": "2026-02-30"}', '"at" that is no date'],
    ['{"text": "a", "at": 1e300}', '"at" that is no date'],
    ['{"text": "a", "triples": [{"subject": "x"}]}', '"triples"'],
    ['{"text": "a", "__proto__": {"admin": true}}', '__proto__'],
    [`{"text": "a", "speaker": "${'x'.repeat(1025)}"}`, 'speaker has 1025 bytes'],
    ['{"text": "a", "id": "one"}', 'repeats the id "one"'],
  ])('names the line of %s', async (line, fault) => {
    const good = '{"text": "first", "id": "one"}'
    const { observations, error } = await outcomeOf(`${good}\n\n${line}\n${good}`, {
      format: 'jsonl',
      name: 'chat.jsonl',
    })
    expect(said(observations)).toEqual([[undefined, undefined, 'first']])
    expect(error).toMatchObject({ code: 'AGIDB_TRANSCRIPT', details: { line: 3, format: 'jsonl', name: 'chat.jsonl' } })
    expect((error as Error).message).toContain('line 3 of chat.jsonl')
    expect((error as Error).message).toContain(fault)
    expect((error as Error).message).toContain('"speaker": "Sarah"')
  })

  it('survives absurd nesting in a member that it does not need', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const { observations, report } = await read(`{"text": "a", "x": ${deep}}\n{"text": "b"}`, { skipBad: true })
    expect(observations.length + report.bad).toBe(2)
    expect(observations.at(-1)!.text).toBe('b')
  })

  it('does not hold a line of any length in memory', async () => {
    async function* endless() {
      yield '{"text": "before"}\n'
      for (let i = 0; i < 40; i++) yield 'x'.repeat(1 << 20)
      yield '\n{"text": "after"}\n'
    }
    const { observations, report } = await read(endless(), { skipBad: true })
    expect(said(observations)).toEqual([
      [undefined, undefined, 'before'],
      [undefined, undefined, 'after'],
    ])
    expect(report.firstBad.map(({ details }) => details['line'])).toEqual([2])
  })
})

describe('plain lines', () => {
  it('reads names, times and lines that go on', async () => {
    const { observations, report } = await read(fixture('plain.txt'))
    expect(report).toMatchObject({ format: 'plain', empty: 1 })
    expect(said(observations)).toEqual([
      [undefined, 'Sarah', 'There is a thai place in Bandra called Bawri.'],
      [
        undefined,
        'Tom',
        'Is it the one by the sea?\nI was there once, at 10:30 or so.\nhttps://example.org/bawri\n\nNote: it ' +
          'was closed.',
      ],
      ['2026-05-01T19:00:00.000Z', 'Sarah', 'Yes, that one.'],
      ['2026-05-01T17:02:30.000Z', "Dr. Ana-María O'Neill", 'Prices are fair; see menu: page 2.'],
      ['2026-05-01T19:05:00.000Z', '田中', 'いいね。'],
      [undefined, 'Tom', 'See you there.'],
    ])
  })

  it('names a line before the first speaker and a time that is none', async () => {
    const early = await outcomeOf('\nhello there\nTom: hi')
    expect(early.error).toMatchObject({ details: { line: 2, format: 'plain', excerpt: 'hello there' } })
    const late = await outcomeOf('Tom: hi\n[2026-13-01 10:00] Tom: again\nTom: and again')
    expect(said(late.observations)).toEqual([[undefined, 'Tom', 'hi']])
    expect((late.error as Error).message).toContain('time that is no date')
    expect(late.error).toMatchObject({ details: { line: 2 } })
  })
})

describe('WhatsApp', () => {
  it('reads an export from Android', async () => {
    const { observations, report } = await read(fixture('whatsapp-android.txt'), { timeZone: 'Asia/Kolkata' })
    expect(report).toMatchObject({ format: 'whatsapp', system: 6 })
    expect(said(observations)).toEqual([
      ['2025-12-25T14:35:00.000Z', 'Priya', 'Trains leave at 7:40.\nBring:\n- water\n- snacks'],
      ['2025-12-25T14:36:00.000Z', 'Rahul 🌊', 'ok'],
      ['2025-12-26T03:30:00.000Z', 'Rahul 🌊', 'the ticket'],
      ['2025-12-26T03:33:00.000Z', 'Priya', 'Platform 4'],
    ])
  })

  it('reads an export from iOS and finds the month first', async () => {
    const { observations, report } = await read(fixture('whatsapp-ios.txt'))
    expect(report).toMatchObject({ format: 'whatsapp', system: 3 })
    expect(said(observations)).toEqual([
      ['2026-01-05T19:00:10.000Z', 'Sarah', 'There is a thai place in Bandra called Bawri.'],
      ['2026-01-05T19:02:00.000Z', 'Tom', 'first line\nsecond line: with a colon\n\nfourth line'],
      ['2026-01-05T19:03:00.000Z', '~\u202fAna', 'POLL:\nWhen?\nOPTION: 8 pm (3 votes)'],
      ['2026-01-06T00:10:00.000Z', 'Sarah', 'after midnight'],
      ['2026-01-06T12:10:00.000Z', 'Sarah', 'after noon'],
      ['2026-01-13T09:00:00.000Z', 'Tom', 'the thirteenth'],
    ])
  })

  it.each([
    ['31.12.26, 23:59 - Tom: hi', '2026-12-31T23:59:00.000Z'],
    ['31/12/2026 23:59 - Tom: hi', '2026-12-31T23:59:00.000Z'],
    ['31/12/2026 à 23:59 - Tom: hi', '2026-12-31T23:59:00.000Z'],
    ['12/31/26, 11:59 PM - Tom: hi', '2026-12-31T23:59:00.000Z'],
    ['31/12/26, 11:59 p. m. - Tom: hi', '2026-12-31T23:59:00.000Z'],
    ['2026-12-31, 23:59 - Tom: hi', '2026-12-31T23:59:00.000Z'],
    ['[2026/12/31 下午11:59:58] Tom: hi', '2026-12-31T23:59:58.000Z'],
    ['2026. 12. 31. 오후 11:59 - Tom: hi', '2026-12-31T23:59:00.000Z'],
    ['[31.12.26, 23:59:58] Tom: hi', '2026-12-31T23:59:58.000Z'],
    ['31/12/26 23.59 - Tom: hi', '2026-12-31T23:59:00.000Z'],
    ['\u200e[2026-12-31 23:59:58] Tom: hi', '2026-12-31T23:59:58.000Z'],
  ])('reads %s', async (line, at) => {
    const { observations, report } = await read(line)
    expect(report.format).toBe('whatsapp')
    expect(said(observations)).toEqual([[at, 'Tom', 'hi']])
  })

  it('takes the order in which undecided dates do not go backwards', async () => {
    const days = async (text: string) => (await read(text)).observations.map(({ at }) => (at as string).slice(0, 10))
    expect(await days('02/01/26, 10:00 - A: x\n01/02/26, 10:00 - A: y\n03/03/26, 10:00 - A: z')).toEqual([
      '2026-01-02',
      '2026-02-01',
      '2026-03-03',
    ])
    expect(await days('01/02/26, 10:00 - A: x\n02/01/26, 10:00 - A: y\n01/03/27, 10:00 - A: z')).toEqual([
      '2026-01-02',
      '2026-02-01',
      '2027-01-03',
    ])
  })

  it('takes the usual order of the clock when nothing else tells', async () => {
    expect((await read('3/4/26, 9:15 PM - A: x')).observations[0]!.at).toBe('2026-03-04T21:15:00.000Z')
    expect((await read('3/4/26, 21:15 - A: x')).observations[0]!.at).toBe('2026-04-03T21:15:00.000Z')
  })

  it('names a date that does not exist and keeps what came before', async () => {
    const { observations, error } = await outcomeOf(
      '25/12/2025, 20:05 - A: x\n31/02/2026, 20:05 - A: y\n01/03/2026, 20:05 - A: z',
    )
    expect(said(observations)).toEqual([['2025-12-25T20:05:00.000Z', 'A', 'x']])
    expect(error).toMatchObject({ code: 'AGIDB_TRANSCRIPT', details: { line: 2, format: 'whatsapp' } })
    const long = `3/4/26, 20:05 - A: x\n${'x'.repeat(9 << 20)}\n13/4/26, 20:05 - A: z`
    const early = await outcomeOf(long)
    expect(said(early.observations)).toEqual([['2026-04-03T20:05:00.000Z', 'A', 'x']])
    expect(early.error).toMatchObject({ details: { line: 2 } })
    const skipped = await read(
      '25/12/2025, 20:05 - A: x\n31/02/2026, 20:05 - A: y\n01/03/2026, 29:05 - A: z\n1/3/2026, 20:05 - A: w',
      { skipBad: true },
    )
    expect(skipped.observations.map(({ text }) => text)).toEqual(['x', 'w'])
    expect(skipped.report.bad).toBe(2)
  })
})

describe('ChatGPT', () => {
  it('follows the branch that was open last', async () => {
    const { observations, report } = await read(fixture('chatgpt.json'))
    expect(report).toMatchObject({ format: 'chatgpt', system: 3 })
    expect(observations).toEqual([
      {
        at: '2026-05-01T18:26:41.123Z',
        speaker: 'user',
        text: 'Which thai place would you take?',
        session: 'Thai food (6f1c2a9e)',
        id: 'aaa-1',
      },
      {
        at: '2026-05-01T18:26:52.000Z',
        speaker: 'assistant',
        text: 'Bawri, in Bandra.',
        session: 'Thai food (6f1c2a9e)',
        id: 'aaa-5',
      },
      {
        at: '2026-05-01T18:26:40.500Z',
        speaker: 'user',
        text: 'Is it this one?',
        session: 'Thai food (6f1c2a9e)',
        id: 'aaa-6',
      },
    ])
  })

  it('keeps the conversations before one that is cut off', async () => {
    const whole = fixture('chatgpt.json')
    const { observations, error } = await outcomeOf(whole.slice(0, -40), { name: 'conversations.json' })
    expect(observations).toHaveLength(3)
    expect(error).toMatchObject({ code: 'AGIDB_TRANSCRIPT', details: { format: 'chatgpt', line: 19 } })
    expect((error as Error).message).toContain('cut off')
  })

  it('reads one conversation that stands alone', async () => {
    const [first] = JSON.parse(fixture('chatgpt.json')) as unknown[]
    const { observations } = await read(JSON.stringify(first, undefined, 2))
    expect(observations).toHaveLength(3)
  })
})

describe('Claude', () => {
  it('reads what was said, not what was thought', async () => {
    const { observations, report } = await read(fixture('claude.json'))
    expect(report).toMatchObject({ format: 'claude', empty: 1 })
    expect(observations).toEqual([
      {
        at: '2026-05-01T19:00:01.500Z',
        speaker: 'human',
        text: 'Where to eat in Bandra?',
        session: 'Trip (b1b2b3b4)',
        id: 'm-1',
      },
      { at: '2026-05-01T19:00:09.000Z', speaker: 'assistant', text: 'Bawri.', session: 'Trip (b1b2b3b4)', id: 'm-2' },
      { at: '2026-05-02T08:00:00.000Z', speaker: 'human', text: 'old form', session: 'c1', id: 'm-4' },
    ])
  })

  it('names something in the list that is no conversation', async () => {
    const { observations, report } = await read(
      `[1, "a, b", {"x": [{}]}, {"uuid": "u", "chat_messages": [7, {"text": "ok", "sender": "human"}]}]`,
      { format: 'claude', skipBad: true },
    )
    expect(observations.map(({ text }) => text)).toEqual(['ok'])
    expect(report.bad).toBe(4)
  })
})
