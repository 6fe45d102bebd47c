import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../../src/api/check.js'
import { AgidbError } from '../../../../src/base/errors.js'
import { checkObservation } from '../../../../src/records/observation.js'
import { FORMATS, readTranscript, type TranscriptFormat } from '../../../../src/transfer/transcript/index.js'
import { splitText } from '../../../../src/transfer/transcript/split.js'
import { TimeZone, readIso } from '../../../../src/transfer/transcript/time.js'
import { fixture, outcomeOf, read, said } from './reading.js'

const FIXTURES = [
  ...['chat.jsonl', 'plain.txt', 'whatsapp-android.txt', 'whatsapp-ios.txt', 'chatgpt.json', 'claude.json'],
  ...['mem0.json', 'zep.json', 'letta.af'],
]
const encoder = new TextEncoder()

/** A text in pieces of a few bytes, so that characters and lines are torn. */
async function* torn(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(text)
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

describe('input', () => {
  it.each(FIXTURES)('reads %s alike however it arrives', async (name) => {
    const text = fixture(name)
    const whole = await read(text)
    expect(whole.observations.length).toBeGreaterThan(0)
    for (const input of [
      encoder.encode(text),
      torn(text, 1),
      torn(text, 7),
      [...text],
      new Blob([text]).stream(),
      `\ufeff${text}`,
    ]) {
      const other = await read(input)
      expect(other.observations).toEqual(whole.observations)
      expect(other.report).toEqual(whole.report)
    }
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
    expect((await read(utf16)).observations).toEqual(whole.observations)
  })

  it('reads nothing from nothing', async () => {
    for (const input of ['', '\n\n', new Uint8Array(), []]) {
      const { observations, report } = await read(input)
      expect(observations).toEqual([])
      expect(report.format).toBeUndefined()
    }
  })

  it('says what an archive is and what a transcript would be', async () => {
    const zip = await outcomeOf(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))
    expect((zip.error as Error).message).toContain('unpack it')
    const prose = await outcomeOf('\nOnce upon a time\nthere was a chat.', { name: 'tale.txt' })
    expect(prose.error).toMatchObject({
      code: 'AGIDB_TRANSCRIPT',
      details: { line: 2, excerpt: expect.stringContaining('Once upon') as unknown },
    })
    expect((prose.error as Error).message).toContain('WhatsApp export')
  })

  it('stops its source when the reader stops', async () => {
    let released = false
    async function* source() {
      try {
        for (let i = 0; ; i++) yield `{"text": "line ${i}"}\n`
      } finally {
        released = true
      }
    }
    for await (const observation of readTranscript(source())) {
      if (observation.text === 'line 5000') break
    }
    expect(released).toBe(true)
  })

  it('refuses unknown formats and zones at once', () => {
    expect(() => readTranscript('', { format: 'pdf' as TranscriptFormat })).toThrow(AgidbError)
    expect(() => readTranscript('', { timeZone: 'Mars/Olympus' })).toThrow(/Asia\/Kolkata/)
  })
})

describe('ids', () => {
  const ids = async (text: string, options = {}) => (await read(text, options)).observations.map(({ id }) => id)

  it('are the same for the same content and differ for repeated lines', async () => {
    const text = 'Tom: ok\nAnn: ok\nTom: ok\nTom: ok'
    const first = await ids(text, { name: 'a.txt' })
    expect(new Set(first).size).toBe(4)
    expect(await ids(text, { name: 'a.txt' })).toEqual(first)
    expect((await ids(`${text}\nTom: more`, { name: 'a.txt' })).slice(0, 4)).toEqual(first)
    const elsewhere = await ids(text, { name: 'b.txt' })
    expect(elsewhere.filter((id) => first.includes(id))).toEqual([])
  })
})

describe('long texts', () => {
  it('become several observations and lose nothing but white space', async () => {
    const text = Array.from({ length: 30_000 }, (_, i) => `wörd${i}`).join(' ')
    const { observations, report } = await read(JSON.stringify({ text, speaker: 'Tom', id: 'long' }))
    expect(report).toMatchObject({ split: 1, observations: observations.length })
    expect(observations.map(({ text: piece }) => piece).join(' ')).toBe(text)
    expect(observations.map(({ id }) => id).slice(0, 2)).toEqual(['long', 'long#2'])
  })

  it('are cut between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 8, max: 40 }), (text, limit) => {
        const pieces = splitText(text, limit)
        expect(pieces.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
        for (const piece of pieces) expect(encoder.encode(piece).length).toBeLessThanOrEqual(limit)
      }),
    )
  })
})

describe('times', () => {
  it('without a zone are in the zone that was asked for, summer and winter', () => {
    const berlin = new TimeZone('Europe/Berlin')
    expect(readIso('2026-01-15 12:00', berlin)).toBe('2026-01-15T11:00:00.000Z')
    expect(readIso('2026-07-15T12:00:00', berlin)).toBe('2026-07-15T10:00:00.000Z')
    expect(readIso('2026-07-15T12:00:00Z', berlin)).toBe('2026-07-15T12:00:00.000Z')
    expect(readIso('2026-10-25T02:30:00', berlin)).toBe('2026-10-25T00:30:00.000Z')
    expect(readIso('2026-10-25T03:30:00', berlin)).toBe('2026-10-25T02:30:00.000Z')
    expect(readIso('2026-03-29T02:30:00', berlin)).toBe('2026-03-29T01:30:00.000Z')
    expect(readIso('2026-07-15', new TimeZone('-03:30'))).toBe('2026-07-15T03:30:00.000Z')
  })

  it('are what the platform makes of them', () => {
    const utc = new TimeZone('UTC')
    const date = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(date, (when) => {
        expect(readIso(when.toISOString(), utc)).toBe(when.toISOString())
      }),
    )
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (text) => {
        const iso = readIso(text, utc)
        expect(iso === undefined || new Date(iso).toISOString() === iso).toBe(true)
      }),
    )
  })
})

describe('any input', () => {
  const word = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => /[^\s\p{Cf}]/u.test(text))
  const name = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((text) => text.trim() !== '')
  const observation = fc.record(
    {
      text: word,
      speaker: name,
      session: name,
      source: name,
      at: fc
        .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((when) => when.toISOString()),
      triples: fc.array(fc.record({ subject: word, predicate: word, object: word }), { maxLength: 3 }),
    },
    { requiredKeys: ['text'] },
  )

  it('comes back from JSON lines as it went in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(observation, { maxLength: 20 }),
        fc.integer({ min: 1, max: 50 }),
        async (items, size) => {
          const text = items.map((item) => JSON.stringify(item)).join('\n')
          const { observations } = await read(torn(text, size), { format: 'jsonl' })
          expect(observations.map(({ id: _, ...rest }) => rest)).toEqual(items)
          expect(new Set(observations.map(({ id }) => id)).size).toBe(items.length)
        },
      ),
    )
  })

  it('throws nothing but AgidbError, and nothing at all when bad lines are skipped', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.json({ maxDepth: 4 }),
      observation.map((item) => JSON.stringify(item)),
      fc.constantFrom(...FIXTURES.flatMap((file) => fixture(file).split('\n'))),
      fc.constantFrom(
        '{',
        '[',
        '[{',
        '"',
        '}',
        ']',
        '{"mapping": {',
        '"chat_messages": [',
        '31/12/26, 23:59 - A: x',
        '[1/2/26, 1:00:00 AM] A: ',
        'A: ',
      ),
    )
    const text = fc.array(line, { maxLength: 12 }).map((parts) => parts.join('\n'))
    const format = fc.constantFrom<TranscriptFormat | 'auto'>('auto', ...(Object.keys(FORMATS) as TranscriptFormat[]))
    await fc.assert(
      fc.asyncProperty(text, format, async (input, asked) => {
        const strict = await outcomeOf(input, { format: asked })
        if (strict.error !== undefined) {
          expect(strict.error).toBeInstanceOf(AgidbError)
          expect((strict.error as AgidbError).details['line']).toBeGreaterThan(0)
        }
        const lenient = await outcomeOf(input, { format: asked, skipBad: true })
        if (lenient.error !== undefined) expect((lenient.error as AgidbError).details['format']).toBe('auto')
        else expect(said(lenient.observations).slice(0, strict.observations.length)).toEqual(said(strict.observations))
        for (const found of lenient.observations) {
          expect(found.id).toBeTruthy()
          checkObservation('', found, DEFAULT_LIMITS)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('of bytes throws nothing but AgidbError', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const { error } = await outcomeOf(bytes)
        expect(error === undefined || error instanceof AgidbError).toBe(true)
      }),
    )
  })
})
